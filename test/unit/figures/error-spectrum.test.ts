/** Error spectra of a stored cycle, of numbers that may come later. */
import { expect, it } from 'vitest';
import { errorSpectra, knownSpectra, spectrumRequests } from '../../../app/figures/error-spectrum.ts';
import { radialSpectrum } from '../../../app/figures/spectrum.ts';
import type { BasinInfo, DevicePlane, Snapshot } from '../../../engine/index.ts';
import type { Numbers } from '../../../app/document/values/plane-reader.ts';

const [NX, NY] = [12, 10];
const basin: BasinInfo = {
  nx: NX,
  ny: NY,
  dx: 2,
  dy: 2,
  periodicX: false,
  periodicY: true,
  bed: new Float32Array(NX * NY),
  gravity: 9.81,
  coriolis: 0,
};

function plane(): DevicePlane {
  return { kind: 'device', buffer: {} as GPUBuffer, byteOffset: 0, cells: NX * NY, lease: { over: false } };
}

function snapshot(): Snapshot {
  const state = { hu: plane(), hv: plane() };
  const none = new Float64Array(0);
  return {
    cycle: 2,
    timeSeconds: 3,
    truth: { ...state, eta: plane() },
    methods: ['a', 'b'].map((method) => ({
      method,
      analysis: { ...state, eta: plane() },
      forecast: { ...state, eta: plane() },
      spread: undefined,
    })),
    observations: {
      x: none,
      y: none,
      variable: [],
      network: new Uint16Array(0),
      values: none,
      inverseErrorStd: none,
      innovations: {},
    },
  };
}

it('asks for the surface of the truth and of each analysis, and for nothing else', () => {
  const { truth, methods, ...rest } = snapshot();
  const requests = spectrumRequests({ truth, methods, ...rest });
  expect(requests.map((request) => request.plane)).toEqual([truth.eta, ...methods.map(({ analysis }) => analysis.eta)]);
  expect(requests.every(({ cells }) => cells === undefined)).toBe(true);
});

it('has no spectrum of a method that has diverged, whose water is what it was last', () => {
  const stored = snapshot();
  const [gone, other] = stored.methods;
  const after = { ...stored, methods: [{ ...gone, divergedAt: 1 }, other] };
  expect(spectrumRequests(after).map((request) => request.plane)).toEqual([after.truth.eta, other.analysis.eta]);
  const spectra = errorSpectra(after, basin, () => new Float32Array(NX * NY));
  expect([...(spectra?.errors.keys() ?? [])]).toEqual(['b']);
});

it('is not made of numbers that are missing, and is kept when they are all here', () => {
  const stored = snapshot();
  const requests = spectrumRequests(stored);
  const fields = requests.map((_, k) => Float32Array.from({ length: NX * NY }, (__, cell) => Math.sin(k + 1.3 * cell)));
  const numbers: Numbers = (wanted) => fields[requests.findIndex((request) => request.plane === wanted)];
  for (const { plane: missing } of requests) {
    const others: Numbers = (wanted) => (wanted === missing ? undefined : numbers(wanted));
    expect(errorSpectra(stored, basin, others)).toBeUndefined();
  }
  expect(knownSpectra(stored)).toBeUndefined();
  const spectra = errorSpectra(stored, basin, numbers);
  const error = fields[2].map((value, cell) => value - fields[0][cell]);
  expect(spectra?.errors.get('b')).toEqual(radialSpectrum({ ...basin, values: error }));
  expect(spectra?.truth).toEqual(radialSpectrum({ ...basin, values: fields[0] }));
  expect(knownSpectra(stored)).toBe(spectra);
});
