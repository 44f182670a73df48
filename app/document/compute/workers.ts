/** The browser's module workers: the one in which a backend of the processor computes a run, its kernel threads, and those that draw states. */
import { RunLostError } from '../../../engine/index.ts';
import type { BackendName, DrawThreads, KernelThread, RunStarterPort } from '../../../engine/index.ts';
import { workerPort } from '../../workers/worker-port.ts';

/** A backend that is not of the page's GPU. */
export type ProcessorBackend = Exclude<BackendName, 'webgpu'>;

/** @param backend that the worker opens; it is the worker's name */
export function startWorker(backend: ProcessorBackend): RunStarterPort {
  return workerPort(
    new Worker(new URL('./run-worker.ts', import.meta.url), { type: 'module', name: backend }),
    (why) => new RunLostError(`The worker that computes broke down: ${why}`),
  );
}

/**
 * Whether this page or worker starts workers. In a worker of Firefox `new Worker` sometimes never returns: once in about twenty
 * restarts of a run on a busy machine.
 */
const startsWorkers = typeof document !== 'undefined' || !navigator.userAgent.includes('Firefox/');

function newKernelThread(): KernelThread {
  const worker = new Worker(new URL('./kernel-thread.ts', import.meta.url), { type: 'module', name: 'shoal kernels' });
  return { post: (start) => worker.postMessage(start, []), close: () => worker.terminate() };
}

/** Starts a thread of the `wasm` backend, from the worker that owns it; undefined if none can be started there. */
export const startKernelThread = startsWorkers ? newKernelThread : undefined;

const newDrawThreads: DrawThreads = {
  // One core is left to the page.
  get most() {
    return Math.max(1, navigator.hardwareConcurrency - 1);
  },
  start: () =>
    workerPort(
      new Worker(new URL('./draw-worker.ts', import.meta.url), { type: 'module', name: 'shoal draw' }),
      (why) => new Error(`A worker that draws the initial states broke down: ${why}`),
    ),
};

/** Workers that draw states, started by a page or by one of its workers; undefined if none can be started there. */
export const drawThreads = startsWorkers ? newDrawThreads : undefined;
