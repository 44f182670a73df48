/** Error spectra of a stored cycle, of numbers that may come later. */
import { expect, it } from 'vitest';
import { coarseErrors, spectraOf, spectrumRequests } from '../../../app/figures/error-spectrum.ts';
import { createSpectraDesk, serveSpectra } from '../../../app/figures/spectra-service.ts';
import type { SpectraCommands } from '../../../app/figures/spectra-service.ts';
import type { HostPort, ServicePort } from '../../../engine/index.ts';
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
