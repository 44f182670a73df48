/** What is made when it is first asked for: the memory and the kernels of questions that may never be asked. */

export interface Lazily<Made> {
  get(): Promise<Made>;
  /** Frees it where it was made; it is made again when it is asked for again. */
  dispose(): void;
}

export function lazily<Made extends { dispose(): void }>(make: () => Promise<Made>): Lazily<Made> {
  let making: Promise<Made> | undefined;
  let made: Made | undefined;
  return {
    get() {
      making ??= make().then(
        (owned) => (made = owned),
        (error: unknown) => {
          making = undefined;
          throw error;
        },
      );
      return making;
    },
    dispose() {
      made?.dispose();
      making = undefined;
      made = undefined;
    },
  };
}
