/** Lets a long forecast be interrupted, and keeps its queue short. */
import type { Backend } from '../compute/backend.ts';

/** Milliseconds after which the host's events get their turn, Ctrl-C or a click; and of work that is queued, where it may be waited for. */
const LONGEST_HOLD = 50;
/** Steps of one run: fewer where they are slow, so that little is queued when a forecast is given up. */
const STEPS_OF_RUNS = [64, 8, 1] as const;
const [MOST_STEPS] = STEPS_OF_RUNS;
/** Steps queued on a device that works by itself before they are waited for. */
const LONGEST_QUEUE = 256 * MOST_STEPS;

export interface Breather {
  /**
   * @param mayWait whether the device may be waited for as often as it takes
   * @returns how many steps the next run may have
   */
  stepsOfRun(mayWait: boolean): number;
  /** To be awaited after every run that is queued. @param steps of that run. @throws the signal's reason */
  after(steps: number, mayWait: boolean): Promise<void>;
}

/** @param signal gives up what is under way */
export function createBreather(backend: Backend, signal: AbortSignal | undefined): Breather {
  /** Steps since the queue was empty, and when they began. */
  let queued = 0;
  let begun = performance.now();
  let turned = begun;
  /** Milliseconds of a step as last measured; until then steps are tried one by one. */
  let milliseconds = Infinity;
  const budget = (mayWait: boolean): number =>
    mayWait ? Math.min(LONGEST_QUEUE, Math.max(1, LONGEST_HOLD / milliseconds)) : LONGEST_QUEUE;
  return {
    stepsOfRun(mayWait) {
      if (queued === 0) begun = performance.now();
      const most = budget(mayWait);
      return STEPS_OF_RUNS.find((steps) => steps <= most) ?? 1;
    },
    async after(steps, mayWait) {
      queued += steps;
      if (queued >= budget(mayWait)) {
        await backend.settle();
        milliseconds = (performance.now() - begun) / queued;
        queued = 0;
      }
      if (performance.now() - turned >= LONGEST_HOLD) {
        await new Promise((resolve) => void setTimeout(resolve, 0));
        turned = performance.now();
      }
      signal?.throwIfAborted();
    },
  };
}
