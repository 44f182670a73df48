/** Ctrl-C in three steps: asked to stop, out of patience, and now. */
import { EXIT } from '../context.ts';

/** The cycle in progress may finish within this time; after it, it is given up. */
const PATIENCE_MILLISECONDS = 500;
/** A signal that comes twice at once, from the terminal and from a parent process, is one. */
const SAME_SIGNAL_MILLISECONDS = 400;

export interface Interruption {
  readonly requested: boolean;
  /** Settles when the cycle in progress has to be given up; never without a signal. */
  readonly outOfPatience: Promise<'out-of-patience'>;
  dispose(): void;
}

/** @param onRequest called once, at the first signal */
export function listenForInterruption(onRequest: () => void): Interruption {
  let requestedAt: number | undefined;
  let timer: NodeJS.Timeout | undefined;
  let giveUp: (() => void) | undefined;
  const outOfPatience = new Promise<'out-of-patience'>((resolve) => {
    giveUp = () => resolve('out-of-patience');
  });
  const listener = (): void => {
    const now = performance.now();
    if (requestedAt === undefined) {
      requestedAt = now;
      onRequest();
      timer = setTimeout(() => giveUp?.(), PATIENCE_MILLISECONDS);
    } else if (now - requestedAt > SAME_SIGNAL_MILLISECONDS) {
      process.exit(EXIT.interrupted);
    }
  };
  process.on('SIGINT', listener).on('SIGTERM', listener);
  return {
    get requested() {
      return requestedAt !== undefined;
    },
    outOfPatience,
    dispose() {
      clearTimeout(timer);
      process.off('SIGINT', listener).off('SIGTERM', listener);
    },
  };
}
