/**
 * The cases of a sweep on disk: `cases/<hash>/` with `case.json` and `diagnostics.csv`. A folder appears whole, by one rename, so that
 * several processes may write into one sweep, and what was killed leaves nothing that looks like a case.
 */
import { randomBytes } from 'node:crypto';
import { readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { formatCaseRecord, formatDiagnostics, readCaseRecord } from '../../../engine/index.ts';
import type { CaseOutcome, CaseRecord, NumbersOrigin, PlannedCase } from '../../../engine/index.ts';
import { disk, isUnfinished, WriteError } from '../../files/disk.ts';
import { readRegularFile } from '../../files/regular-file.ts';

export const CASES_FOLDER = 'cases';
export const RECORD_FILE = 'case.json';
const ROWS_FILE = 'diagnostics.csv';
const HASH = /^[0-9a-f]{32}$/;
const MOST_RECORD_BYTES = 2 ** 24;
/** Writing a folder takes milliseconds; one that is older than this, milliseconds, is nobody's any more. */
const ABANDONED = 60_000;

/** What belongs beside the outcome of a case. */
export interface CaseSurroundings {
  /** Of the axes. */
  readonly paths: readonly string[];
  readonly origin: NumbersOrigin;
  readonly start: Date;
  readonly end: Date;
}

/** Whether another process has made the folder meanwhile: of the same case, with the same numbers. */
function isTaken(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ENOTEMPTY' || code === 'EEXIST' || code === 'EPERM';
}

/**
 * Writes a case's folder, whole or not at all; one that is there stays.
 *
 * @param folder of the sweep's cases, which is there
 * @throws WriteError
 */
export async function writeCase(
  folder: string,
  planned: PlannedCase,
  outcome: CaseOutcome,
  { paths, origin, start, end }: CaseSurroundings,
): Promise<void> {
  const { rows, variables, ...result } = outcome;
  const path = join(folder, planned.hash);
  const fresh = `${path}.${randomBytes(6).toString('hex')}.partial`;
  await disk.makeFolder(fresh);
  try {
    if (rows.length > 0) await disk.writeWhole(join(fresh, ROWS_FILE), formatDiagnostics(variables, rows));
    await disk.writeWhole(join(fresh, RECORD_FILE), formatCaseRecord(planned, result, paths, origin, { start, end }));
    await rename(fresh, path);
  } catch (error) {
    await rm(fresh, { recursive: true, force: true });
    if (error instanceof WriteError || !isTaken(error)) {
      throw error instanceof WriteError ? error : new WriteError(path, error);
    }
  }
}

/** @returns hashes of the cases that have a folder. @param folder of the sweep's cases; none where it is not there */
export async function storedHashes(folder: string): Promise<ReadonlySet<string>> {
  try {
    return new Set((await readdir(folder)).filter((name) => HASH.test(name)));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return new Set();
    throw error;
  }
}

/** @throws ScenarioError naming what is wrong with the record; the system's error where it cannot be read */
export async function readCase(folder: string, hash: string): Promise<CaseRecord> {
  const path = join(folder, hash, RECORD_FILE);
  return readCaseRecord(await readRegularFile(path, MOST_RECORD_BYTES), path, hash);
}

/** Removes a case's folder, so that it can be run again. */
export async function removeCase(folder: string, hash: string): Promise<void> {
  await disk.remove(join(folder, hash));
}

/** Removes what processes that are gone have left half written. */
export async function sweepAbandoned(folder: string): Promise<void> {
  const names = await readdir(folder).catch((): string[] => []);
  for (const name of names.filter(isUnfinished)) {
    const path = join(folder, name);
    const found = await stat(path).catch(() => undefined);
    if (found && Date.now() - found.mtimeMs > ABANDONED) await rm(path, { recursive: true, force: true });
  }
}
