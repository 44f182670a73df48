/** Closing with unsaved changes asks first, and quitting waits for what is being written. */
import { setImmediate as afterThisEvent } from 'node:timers/promises';

/** Quitting waits until unfinished folders are removed from the disk, but not for a disk that does not answer. */
interface QuittingParts {
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

export interface ClosingParts {
  /** Asks whether to close and lose the changes. */
  readonly ask: () => Promise<boolean>;
  /** Closes the window for good. */
  readonly destroy: () => void;
  /** Quits; the question had stopped that. */
  readonly quit: () => void;
}

export interface Closing {
  setUnsaved(unsaved: boolean): void;
  /** For the application's `before-quit`. */
  onQuit(): void;
  /** For the window's `close`. */
  onClose(event: { preventDefault(): void }): void;
}

export function createClosing({ ask, destroy, quit }: ClosingParts): Closing {
  let unsaved = false;
  let asking = false;
  let quitting = false;
  return {
    setUnsaved(now) {
      unsaved = now;
    },
    onQuit() {
      quitting = true;
    },
    onClose(event) {
      if (!unsaved) return;
      event.preventDefault();
      if (asking) return;
      asking = true;
      void ask().then((mayClose) => {
        asking = false;
        const wasQuitting = quitting;
        quitting = false;
        if (!mayClose) return;
        unsaved = false;
        destroy();
        if (wasQuitting) quit();
      });
    },
  };
}
