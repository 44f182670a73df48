/** Quitting waits until unfinished folders are removed from the disk, but not for a disk that does not answer. */
import { setImmediate as afterThisEvent } from 'node:timers/promises';

export interface QuittingParts {
  /** What has to end first. */
  readonly finish: () => Promise<void>;
  readonly quit: () => void;
  /** Default `PATIENCE_MILLISECONDS`. */
  readonly patience?: number;
}

const PATIENCE_MILLISECONDS = 5000;

/** @returns the listener of the application's `will-quit` */
export function createQuitting({ finish, quit, patience = PATIENCE_MILLISECONDS }: QuittingParts) {
  let isFinished = false;
  let isFinishing = false;
  return (event: { preventDefault(): void }): void => {
    if (isFinished) return;
    event.preventDefault();
    if (isFinishing) return;
    isFinishing = true;
    const end = (): void => {
      if (isFinished) return;
      isFinished = true;
      clearTimeout(timer);
      quit();
    };
    const timer = setTimeout(end, patience);
    // While Electron reports that it is about to quit, it ignores a request to quit.
    void finish()
      .catch(() => undefined)
      .then(() => afterThisEvent())
      .then(end);
  };
}
