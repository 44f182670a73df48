/** Lets a long forecast be interrupted, and keeps its queue short. */
import type { Backend } from '../compute/backend.ts';

/** Milliseconds after which the host's events get their turn: Ctrl-C, a click. */
const LONGEST_HOLD = 50;
/** Runs queued on a device that works by itself before they are waited for. */
const LONGEST_QUEUE = 256;

/** @returns to be awaited after every run that is queued */
export function createBreather(backend: Backend): () => Promise<void> {
  let queued = 0;
  let last = performance.now();
  return async () => {
    queued += 1;
    if (queued >= LONGEST_QUEUE) {
      queued = 0;
      await backend.settle();
    }
    if (performance.now() - last < LONGEST_HOLD) return;
    await new Promise((resolve) => void setTimeout(resolve, 0));
    last = performance.now();
  };
}
