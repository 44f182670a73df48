/** The browser's module worker in which the reference backend computes a run. */
import { RunLostError } from '../../../engine/index.ts';
import type { RunStarterPort } from '../../../engine/index.ts';

export function startWorker(): RunStarterPort {
  const worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module', name: 'shoal engine' });
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
