/**
 * When a process of the page is gone: the person is notified, and the page is loaded again and continues from the last checkpoint,
 * which it keeps in its own database. One that goes down again and again is not started a fourth time.
 */
import { setImmediate as afterThisEvent } from 'node:timers/promises';
import { RECOVERED_PAGE } from './protocol.ts';

/** Restarts within this time count together. */
const PERIOD_MILLISECONDS = 60_000;
const MOST_RESTARTS = 3;

interface GoneDetails {
  readonly reason: string;
  readonly exitCode: number;
}

export interface RecoveryParts {
  /** Shows a message; resolves when it was dismissed. */
  readonly tell: (message: string, detail: string) => Promise<void>;
  readonly load: (url: string) => void;
  readonly quit: () => void;
  readonly now: () => number;
}

export interface Recovery {
  /** For `render-process-gone`. */
  rendererGone(details: GoneDetails): Promise<void>;
  /** For `child-process-gone`. The page is notified of a lost GPU and continues; the user sees why it flickered. */
  childGone(details: GoneDetails & { readonly type: string }): void;
}

export function createRecovery({ tell, load, quit, now }: RecoveryParts): Recovery {
  let restarts: number[] = [];
  let telling = false;
  return {
    async rendererGone({ reason, exitCode }) {
      if (reason === 'clean-exit') return;
      const detail = `The process of the page is gone: ${reason} (exit code ${exitCode}).`;
      restarts = restarts.filter((time) => now() - time < PERIOD_MILLISECONDS);
      if (restarts.length >= MOST_RESTARTS) {
        await tell('Shoal cannot continue', `${detail} It went down ${restarts.length + 1} times in a minute.`);
        quit();
        return;
      }
      restarts.push(now());
      // Electron goes down itself when a page is loaded while it still reports the last one's end.
      await afterThisEvent();
      load(RECOVERED_PAGE);
      await tell('The run was interrupted', `${detail} It continues from its last checkpoint.`);
    },
    childGone({ type, reason, exitCode }) {
      // A driver that fails does so several times in a row; one message is enough.
      if (type !== 'GPU' || reason === 'clean-exit' || telling) return;
      telling = true;
      void tell(
        'The graphics process was lost',
        `${reason} (exit code ${exitCode}). The run continues from its last checkpoint as soon as the GPU is back.`,
      ).finally(() => {
        telling = false;
      });
    },
  };
}
