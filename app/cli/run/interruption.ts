/**
 * Ctrl-C in three steps: asked to stop, the cycle in progress given up, and now, whatever is being written. A terminal that is
 * closed (SIGHUP) and a request to end (SIGTERM) count as one.
 */
import { EXIT } from '../context.ts';

/** The cycle in progress may finish within this time; after it, it is given up. */
const PATIENCE_MILLISECONDS = 500;
/** A signal that comes twice at once, from the terminal and from a parent process, is one. */
const SAME_SIGNAL_MILLISECONDS = 400;
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

export interface Interruption {
  readonly requested: boolean;
  /** Whether it was asked for a second time. */
  readonly insisted: boolean;
  /** Settles when the cycle in progress has to be given up; never without a signal. */
  readonly outOfPatience: Promise<'out-of-patience'>;
  dispose(): void;
}

/**
 * @param onRequest called once, at the first signal
 * @param patience milliseconds
 */
export function listenForInterruption(onRequest: () => void, patience: number = PATIENCE_MILLISECONDS): Interruption {
  let times = 0;
  let latest = -Infinity;
  let timer: NodeJS.Timeout | undefined;
  let giveUp: (() => void) | undefined;
  const outOfPatience = new Promise<'out-of-patience'>((resolve) => {
    giveUp = () => resolve('out-of-patience');
  });
  const listener = (): void => {
    const now = performance.now();
    if (now - latest < SAME_SIGNAL_MILLISECONDS) return;
    latest = now;
    times += 1;
    if (times === 1) {
      onRequest();
      timer = setTimeout(() => giveUp?.(), patience);
    } else if (times === 2) giveUp?.();
    else process.exit(EXIT.interrupted);
  };
  for (const signal of SIGNALS) process.on(signal, listener);
  return {
    get requested() {
      return times > 0;
    },
    get insisted() {
      return times > 1;
    },
    outOfPatience,
    dispose() {
      clearTimeout(timer);
      for (const signal of SIGNALS) process.off(signal, listener);
    },
  };
}
