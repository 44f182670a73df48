/** Closing with unsaved changes asks first; and who was quitting quits, as soon as the answer allows it. */

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
