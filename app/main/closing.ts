/** Closing with unsaved changes asks first. */

export interface ClosingParts {
  /** Asks whether to close and lose the changes. */
  readonly ask: () => Promise<boolean>;
  /** Closes the window for good. */
  readonly destroy: () => void;
}

export interface Closing {
  setUnsaved(unsaved: boolean): void;
  /** For the window's `close`. */
  onClose(event: { preventDefault(): void }): void;
}

export function createClosing({ ask, destroy }: ClosingParts): Closing {
  let unsaved = false;
  let asking = false;
  return {
    setUnsaved(now) {
      unsaved = now;
    },
    onClose(event) {
      if (!unsaved) return;
      event.preventDefault();
      if (asking) return;
      asking = true;
      void ask().then((mayClose) => {
        asking = false;
        if (mayClose) destroy();
      });
    },
  };
}
