/** The browser's module workers: the one in which the reference backend computes a run, and those that draw its states. */
import { RunLostError } from '../../../engine/index.ts';
import type { DrawThreads, RunStarterPort } from '../../../engine/index.ts';
import { workerPort } from '../../workers/worker-port.ts';

export function startWorker(): RunStarterPort {
  return workerPort(
    new Worker(new URL('./worker.ts', import.meta.url), { type: 'module', name: 'shoal engine' }),
    (why) => new RunLostError(`The worker that computes broke down: ${why}`),
  );
}

/** Workers that draw states; those of a page may be started by its workers too. */
export const drawThreads: DrawThreads = {
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
