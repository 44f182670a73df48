/** The browser's module worker in which a backend of the processor computes a run. */
import { RunLostError } from '../../../engine/index.ts';
import type { BackendName, RunStarterPort } from '../../../engine/index.ts';

/** A backend that is not of the page's GPU. */
export type ProcessorBackend = Exclude<BackendName, 'webgpu'>;

/** @param backend that the worker opens; it is the worker's name */
export function startWorker(backend: ProcessorBackend): RunStarterPort {
  const worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module', name: backend });
  return {
    post: (message, transfer) => worker.postMessage(message, [...transfer]),
    listen: (listener) => worker.addEventListener('message', ({ data }) => listener(data)),
    onFailure(listener) {
      const emit = (why: string): void => listener(new RunLostError(`The worker that computes broke down: ${why}`));
      worker.addEventListener('error', ({ message }) => emit(message || 'its script could not be loaded'));
      worker.addEventListener('messageerror', () => emit('a message could not be read'));
    },
    close: () => worker.terminate(),
  };
}
