/**
 * What Electron writes down when one of its processes crashes: kept in a folder of this machine, shown if users ask, and never
 * sent anywhere.
 */
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** For `crashReporter.start`, before the application is ready. */
export const CRASH_REPORTER = { uploadToServer: false, compress: false } as const;

/** A report is a minidump; what else is in the folder belongs to the reporter. */
const ENDING = '.dmp';

export interface CrashReportSurroundings {
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
