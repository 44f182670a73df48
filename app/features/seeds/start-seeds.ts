/** Starts a worker that runs a scenario with several seeds beside the page. */
import type { BackendName } from '../../../engine/index.ts';
import { workerPort } from '../../workers/worker-port.ts';
import type { SeedsStarterPort } from './seeds-calls.ts';

/** @param backend that the worker opens; it is the worker's name */
export function startSeedsWorker(backend: BackendName): SeedsStarterPort {
  return workerPort(
    new Worker(new URL('./seeds-worker.ts', import.meta.url), { type: 'module', name: backend }),
    (why) => new Error(`A worker that runs the seeds broke down: ${why}`),
  );
}

/** @returns how many workers compute at once: one for each core but the one of the run on screen; a GPU is one device */
export function workersFor(backend: BackendName, seeds: number): number {
  const cores = typeof navigator === 'undefined' ? 1 : navigator.hardwareConcurrency;
  return backend === 'webgpu' ? 1 : Math.max(1, Math.min(seeds, cores - 1));
}
