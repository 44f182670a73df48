/** A clock over somebody who may never come back. */

/** How often it looks, milliseconds. */
const TICK = 250;

export interface Watch {
  /** Something has moved: counting begins again. */
  progress(): void;
  /** Counts from now on, or waits: nobody is to be blamed for what others take. */
  run(isRunning: boolean): void;
}

/**
 * Counts the seconds without progress in which this thread was awake: a machine that sleeps, or whose processors are all taken,
 * holds the clock up with all else.
 *
 * @param expire called once, after so many seconds
 */
export function createWatch(seconds: number, expire: () => void): Watch {
  let timer: ReturnType<typeof setInterval> | undefined;
  let counted = 0;
  const stop = (): void => {
    clearInterval(timer);
    timer = undefined;
  };
  const look = (): void => {
    counted += TICK / 1000;
    if (counted < seconds) return;
    stop();
    expire();
  };
  return {
    progress() {
      counted = 0;
    },
    run(isRunning) {
      if (!isRunning) stop();
      else timer ??= setInterval(look, TICK);
    },
  };
}
