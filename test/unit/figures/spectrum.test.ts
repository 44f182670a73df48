import { describe, expect, it } from 'vitest';
import {
  radialSpectrum,
  type GridField,
  coarseErrors,
  spectraOf,
  spectrumRequests,
} from '../../../app/figures/spectrum.ts';
import { createSpectraDesk, serveSpectra, type SpectraCommands } from '../../../app/figures/spectra-service.ts';
import type { HostPort, ServicePort, BasinInfo, DevicePlane, Snapshot } from '../../../engine/index.ts';
import type { Numbers } from '../../../app/document/values/plane-reader.ts';

function field(
  nx: number,
  ny: number,
  value: (i: number, j: number) => number,
  more: Partial<GridField> = {},
): GridField {
  const values = Float64Array.from({ length: nx * ny }, (_, cell) => value(cell % nx, Math.floor(cell / nx)));
  return { values, nx, ny, dx: 1, dy: 1, periodicX: false, periodicY: false, ...more };
}

const peakOf = (points: readonly { readonly wavenumber: number; readonly density: number }[]) =>
  points.reduce((best, point) => (point.density > best.density ? point : best));

describe('radialSpectrum', () => {
  it('finds a wave between walls at its wavenumber with its variance', () => {
    // Six half waves over 64 cells of 2 m.
    const wave = field(64, 64, (i) => 0.3 * Math.cos((Math.PI * 6 * (i + 0.5)) / 64), { dx: 2, dy: 2 });
    const { points, binWidth, meanSquare } = radialSpectrum(wave);
    const peak = peakOf(points);
    expect(peak.wavenumber).toBeCloseTo(6 / (2 * 64 * 2), 12);
    expect(peak.density * binWidth).toBeCloseTo(0.09 / 2, 12);
    expect(meanSquare).toBeCloseTo(0.09 / 2, 12);
    // Nothing anywhere else but rounding: 64² additions of size 1e-2.
    const others = points.reduce((sum, { density }) => sum + density, 0) - peak.density;
    expect(Math.abs(others * binWidth)).toBeLessThan(1e-20);
  });

  it('finds a periodic wave whatever its phase and direction', () => {
    const [kx, ky, phase] = [3, 4, 0.7];
    const wave = field(48, 48, (i, j) => Math.sin((2 * Math.PI * (kx * i + ky * j)) / 48 + phase), {
      periodicX: true,
      periodicY: true,
    });
    const { points, binWidth } = radialSpectrum(wave);
    const peak = peakOf(points);
    expect(peak.wavenumber).toBeCloseTo(5 / 48, 12);
    expect(peak.density * binWidth).toBeCloseTo(0.5, 12);
  });

  it.each([
    [17, 32, true, false],
    [32, 17, false, true],
    [20, 20, true, true],
  ])('keeps the mean square (Parseval), %d × %d cells', (nx, ny, periodicX, periodicY) => {
    const noise = field(nx, ny, (i, j) => Math.sin(12.9898 * i + 78.233 * j) + 0.2, { periodicX, periodicY });
    const values = Array.from(noise.values);
    const meanSquare = values.reduce((sum, value) => sum + value * value, 0) / values.length;
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
    const spectrum = radialSpectrum(noise);
    const variance = spectrum.points.reduce((sum, { density }) => sum + density * spectrum.binWidth, 0);
    expect(spectrum.meanSquare).toBeCloseTo(meanSquare, 11);
    expect(variance).toBeCloseTo(meanSquare - mean * mean, 11);
  });

  it('averages a fine grid over blocks and still finds a long wave', () => {
    const wave = field(300, 200, (i) => Math.cos((Math.PI * 3 * (i + 0.5)) / 300));
    const { points, block } = radialSpectrum(wave);
    expect(block).toEqual([3, 2]);
    const peak = peakOf(points);
    expect(peak.wavenumber).toBeCloseTo(3 / 600, 3);
  });
});

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
  const requests = spectrumRequests({ truth, methods, ...rest }, basin);
  expect(requests.map((request) => request.plane)).toEqual([truth.eta, ...methods.map(({ analysis }) => analysis.eta)]);
  expect(requests.map(({ means }) => means?.minus)).toEqual([undefined, truth.eta, truth.eta]);
});

it('has no spectrum of a method that has diverged, whose water is what it was last', () => {
  const stored = snapshot();
  const [gone, other] = stored.methods;
  const after = { ...stored, methods: [{ ...gone, divergedAt: 1 }, other] };
  expect(spectrumRequests(after, basin).map((request) => request.plane)).toEqual([after.truth.eta, other.analysis.eta]);
  const errors = coarseErrors(after, basin, () => new Float32Array(NX * NY));
  expect([...(errors?.errors.keys() ?? [])]).toEqual(['b']);
});

/** A snapshot with numbers, and the spectra that it has. */
function numbered() {
  const stored = snapshot();
  const requests = spectrumRequests(stored, basin);
  const fields = requests.map((_, k) => Float32Array.from({ length: NX * NY }, (__, cell) => Math.sin(k + 1.3 * cell)));
  const errorOf = (field: Float32Array): Float32Array => field.map((value, cell) => value - fields[0][cell]);
  // The grid is so coarse that each cell is a block.
  const means = [fields[0], ...fields.slice(1).map(errorOf)];
  const numbers: Numbers = (wanted) => means[requests.findIndex((request) => request.plane === wanted)];
  const spectra = {
    cycle: stored.cycle,
    truth: radialSpectrum({ ...basin, values: fields[0] }),
    errors: new Map([
      ['a', radialSpectrum({ ...basin, values: errorOf(fields[1]) })],
      ['b', radialSpectrum({ ...basin, values: errorOf(fields[2]) })],
    ]),
  };
  return { stored, requests, numbers, spectra };
}

it('is made of the truth and of what each method is wrong by, if all numbers are here', () => {
  const { stored, requests, numbers, spectra } = numbered();
  for (const { plane: missing } of requests) {
    const others: Numbers = (wanted) => (wanted === missing ? undefined : numbers(wanted));
    expect(coarseErrors(stored, basin, others)).toBeUndefined();
  }
  const errors = coarseErrors(stored, basin, numbers);
  expect(errors && spectraOf(errors)).toEqual(spectra);
});

type Listeners = ((message: never) => void)[];

function sendTo(listeners: Listeners): (message: unknown) => void {
  return (message) => queueMicrotask(() => listeners.forEach((listen) => listen(structuredClone(message) as never)));
}

/** Two ends of a line, and how to break it. */
function line() {
  const [page, worker]: Listeners[] = [[], []];
  const failures: ((error: Error) => void)[] = [];
  const atPage: ServicePort<SpectraCommands> = {
    post: sendTo(worker),
    listen: (listen) => page.push(listen),
    onFailure: (listen) => failures.push(listen),
    close: () => worker.splice(0),
  };
  const atWorker: HostPort<SpectraCommands> = { post: sendTo(page), listen: (listen) => worker.push(listen) };
  return { atPage, atWorker, breakDown: () => failures.forEach((fail) => fail(new Error('broken down'))) };
}

it('is computed beside the page once, and again by another worker if the first broke down', async () => {
  const { stored, numbers, spectra } = numbered();
  const lines = [line(), line()];
  let started = 0;
  const desk = createSpectraDesk(() => lines[started++].atPage);
  let told = 0;
  const compute = (): void => desk.compute(stored, basin, numbers, () => (told += 1));
  compute();
  lines[0].breakDown();
  await new Promise((resolve) => setTimeout(resolve, 0));
  expect([desk.known(stored), told]).toEqual([undefined, 0]);
  serveSpectra(lines[1].atWorker);
  compute();
  compute();
  await expect.poll(() => desk.known(stored)).toEqual(spectra);
  compute();
  expect([started, told]).toEqual([2, 1]);
});
