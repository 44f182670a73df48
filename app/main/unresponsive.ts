/**
 * A page that does not answer: the person waits, or has its process ended, upon which it is loaded again and continues from its
 * last checkpoint (`recovery.ts`). A page that answers again takes the question back.
 */

export interface UnresponsiveParts {
  /** Asks whether to wait; taken back by the signal, which counts as waiting. */
  readonly ask: (signal: AbortSignal) => Promise<'wait' | 'reload'>;
  /** Ends the page's process. */
  readonly end: () => void;
}

export interface Unresponsive {
  /** For the window's `unresponsive`. */
  readonly onUnresponsive: () => void;
  /** For its `responsive`, and whatever else ends the page's silence. */
  readonly onAnswer: () => void;
}

export function createUnresponsive({ ask, end }: UnresponsiveParts): Unresponsive {
  let question: AbortController | undefined;
  return {
    onUnresponsive() {
      if (question) return;
      const asked = new AbortController();
      question = asked;
      void ask(asked.signal).then((answer) => {
        if (question === asked) question = undefined;
        if (answer === 'reload' && !asked.signal.aborted) end();
      });
    },
    onAnswer() {
      question?.abort();
      question = undefined;
    },
  };
}
