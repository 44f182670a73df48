/** The browser's module workers: the one in which the reference backend computes a run, and those that draw its states. */
import { RunLostError } from '../../../engine/index.ts';
import type { DrawThreads, RunStarterPort, StarterPort } from '../../../engine/index.ts';

/** @param breakdown what is told when the worker ends without saying why itself */
function portTo<In, Out>(worker: Worker, breakdown: (why: string) => Error): StarterPort<In, Out> {
  return {
    post: (message, transfer) => worker.postMessage(message, [...transfer]),
    listen: (listener) => worker.addEventListener('message', ({ data }) => listener(data as In)),
    onFailure(listener) {
      worker.addEventListener('error', ({ message }) =>
        listener(breakdown(message || 'its script could not be loaded')),
      );
      worker.addEventListener('messageerror', () => listener(breakdown('a message could not be read')));
    },
    close: () => worker.terminate(),
  };
}

export function startWorker(): RunStarterPort {
  const worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module', name: 'shoal engine' });
  return portTo(worker, (why) => new RunLostError(`The worker that computes broke down: ${why}`));
}

/** Workers that draw states; those of a page may be started by its workers too. */
export const drawThreads: DrawThreads = {
  // One core is left to the page.
  get most() {
    return Math.max(1, navigator.hardwareConcurrency - 1);
  },
  start() {
    const worker = new Worker(new URL('./draw-worker.ts', import.meta.url), { type: 'module', name: 'shoal draw' });
    return portTo(worker, (why) => new Error(`A worker that draws the initial states broke down: ${why}`));
  },
};
