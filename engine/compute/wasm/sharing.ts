/**
 * Whether a task is worth sharing between threads. To wake another one takes some hundredths of a millisecond, in which a short
 * task is done by whoever has it. Who does a part changes no number, so that the clock may decide.
 */

/** What takes a thread no longer than this is not shared, milliseconds. */
const SHORT = 0.04;
/** Beyond this nothing is tried again: code is compiled better while it runs, but not by so much. */
const LONG = 0.5;

/** One kind of task, from run to run. */
export interface Sharing {
  /** Does the next run, alone or together. */
  run(alone: () => void, together: () => void): void;
}

export function createSharing(now: () => number = () => performance.now()): Sharing {
  let milliseconds = 0;
  let runs = 0;
  let nextTrial = 1;
  return {
    run(alone, together) {
      const isTrial = runs === nextTrial && milliseconds <= LONG;
      if (runs === nextTrial) nextTrial *= 2;
      runs += 1;
      if (milliseconds > SHORT && !isTrial) {
        together();
        return;
      }
      const begin = now();
      alone();
      milliseconds = now() - begin;
    },
  };
}
