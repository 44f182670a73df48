/** The run that page, command line, sweeps and tests hold, wherever it computes. */
import type { BackendName } from '../compute/backend.ts';
import { kernelFeatures } from '../compute/wasm/kernel-modules.ts';

export { Given, memoryOf, serveCalls, startService, fromPlainError, toPlainError } from './calls.ts';
export type { HostPort, Service, ServicePort, PlainError, Port, StarterPort } from './calls.ts';
export { createCeilingMeasurement, tuningTasks, type CeilingMeasurement } from './ceiling-measurement.ts';
export { createCheckpointRing, leastMissed } from './checkpoint-ring.ts';
export { serveDraws, fileReader, type DrawHostPort, type DrawStarterPort, type DrawThreads } from './drawing.ts';
export { createDevicePlanes, createHostPlanes, hostPlanesOf, usedIn } from './states.ts';
export { openRun, openRunHere, portHere, serveRun, type RunHost, type RunOptions, type RunSite } from './open-run.ts';
export type * from './run.ts';
export { basinOf, frameCountOf } from './state-recorder.ts';
export type * from './states.ts';
export type { RunWriter } from './writers.ts';

/** Where a run computes, and why: the choice, apart from the machine it is made on. */
export type BackendChoice = 'auto' | BackendName;

export interface ChosenBackend {
  readonly name: BackendName;
  /** For people: why this one. */
  readonly reason: string;
}

/**
 * `auto` takes the GPU where it is hardware, and the processor's vector units where it is not; a GPU that is simulated on the
 * CPU is used when it is asked for, never by itself.
 *
 * @param adapter that a WebGPU backend would get; undefined if there is none
 * @param simd whether the `wasm` backend runs in this JavaScript engine
 * @returns undefined where WebGPU is asked for and there is none
 */
export function chooseBackend(
  asked: BackendChoice,
  adapter: { readonly description: string; readonly software: boolean } | undefined,
  simd = kernelFeatures().simd,
): ChosenBackend | undefined {
  if (asked === 'reference' || asked === 'wasm') return { name: asked, reason: 'as asked for' };
  if (asked === 'webgpu') {
    if (!adapter) return undefined;
    const reason = adapter.software ? 'as asked for; the adapter is software: slow' : 'as asked for';
    return { name: 'webgpu', reason };
  }
  if (adapter && !adapter.software) return { name: 'webgpu', reason: 'a GPU was found' };
  const reason = adapter ? `the only adapter, ${adapter.description}, is software` : 'no GPU was found';
  if (simd) return { name: 'wasm', reason };
  return { name: 'reference', reason: `${reason}, and no WebAssembly SIMD` };
}
