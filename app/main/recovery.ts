/**
 * When a process of the page is gone: the person is notified, and the page is loaded again and continues from the last checkpoint,
 * which it keeps in its own database. One that goes down again and again is not started a fourth time.
 */
import { setImmediate as afterThisEvent } from 'node:timers/promises';
import { RECOVERED_PAGE } from './protocol.ts';
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * What Electron writes down when one of its processes crashes: kept in a folder of this machine, shown if users ask, and never
 * sent anywhere.
 *
 * For `crashReporter.start`, before the application is ready.
 */
export const CRASH_REPORTER = { uploadToServer: false, compress: false } as const;

/** A report is a minidump; what else is in the folder belongs to the reporter. */
const ENDING = '.dmp';

interface CrashReportSurroundings {
  /** The folder in which Electron keeps the reports. */
  readonly folder: string;
  /** Shows a message with buttons. @returns the number of the one that was pressed */
  readonly ask: (message: string, detail: string, buttons: readonly string[]) => Promise<number>;
  /** Puts text on the clipboard. */
  readonly copy: (text: string) => void;
}

interface CrashReport {
  readonly path: string;
  readonly time: Date;
}

/** @returns the reports in the folder, the newest first; none if there is no folder */
export async function crashReportsIn(folder: string): Promise<readonly CrashReport[]> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true }).catch(() => []);
  const paths = entries
    .filter((entry) => entry.isFile() && entry.name.endsWith(ENDING))
    .map((entry) => join(entry.parentPath, entry.name));
  const reports = await Promise.all(paths.map(async (path) => ({ path, time: (await stat(path)).mtime })));
  return reports.sort((a, b) => b.time.getTime() - a.time.getTime());
}

const CLOSE = 'Close';
const COPY = 'Copy Path';
const REMOVE = 'Delete All';

/** @returns what the menu's item does: says how many reports there are, where they are, and deletes them */
export function createCrashReports({ folder, ask, copy }: CrashReportSurroundings): () => Promise<void> {
  return async () => {
    const reports = await crashReportsIn(folder);
    if (reports.length === 0) {
      await ask('No crash reports', 'Shoal has not crashed on this machine since the reports were last deleted.', [
        CLOSE,
      ]);
      return;
    }
    const count = reports.length === 1 ? 'One crash report' : `${reports.length} crash reports`;
    const newest = reports[0].time.toISOString().slice(0, 16).replace('T', ' ');
    const detail = `The newest is of ${newest} UTC. Reports are kept on this machine, in ${folder}, and are never sent. To report a fault, attach one by hand; it may contain parts of what was open.`;
    const buttons = [CLOSE, COPY, REMOVE];
    const pressed = buttons[await ask(count, detail, buttons)];
    if (pressed === COPY) copy(folder);
    if (pressed === REMOVE) await Promise.all(reports.map(({ path }) => rm(path, { force: true })));
  };
}

/**
 * A page that does not answer: the person waits, or has its process ended, upon which it is loaded again and continues from its
 * last checkpoint. A page that answers again takes the question back.
 */
interface UnresponsiveParts {
  /** Asks whether to wait; taken back by the signal, which counts as waiting. */
  readonly ask: (signal: AbortSignal) => Promise<'wait' | 'reload'>;
  /** Ends the page's process. */
  readonly end: () => void;
}

interface Unresponsive {
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
