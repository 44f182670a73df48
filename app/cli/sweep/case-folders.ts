/**
 * The cases of a sweep on disk: `cases/<hash>/` with `case.json`, `diagnostics.csv` and `SHA256SUMS`, which holds the checksums of the
 * other two as `sha256sum --check` reads them. A folder appears whole, by one rename, so that several processes may write into one
 * sweep, and what was killed leaves nothing that looks like a case. A folder that was changed after it was written is never read as a result.
 */
import { randomBytes } from 'node:crypto';
import { readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { extentOf, formatCaseRecord, formatDiagnostics, readCaseRecord, ScenarioError } from '../../../engine/index.ts';
import type { CaseOutcome, CaseRecord, NumbersOrigin, PlannedCase } from '../../../engine/index.ts';
import { disk, isUnfinished, WriteError } from '../../files/disk.ts';
import { readRegularFile } from '../../files/regular-file.ts';

export const CASES_FOLDER = 'cases';
export const RECORD_FILE = 'case.json';
const ROWS_FILE = 'diagnostics.csv';
const SUMS_FILE = 'SHA256SUMS';
const FILES: ReadonlySet<string> = new Set([RECORD_FILE, ROWS_FILE, SUMS_FILE]);
const HASH = /^[0-9a-f]{32}$/;
const MOST_RECORD_BYTES = 2 ** 24;
const MOST_ROWS_BYTES = 2 ** 30;
const MOST_SUMS_BYTES = 2 ** 10;
/** Writing a folder takes milliseconds; one that is older than this, milliseconds, is nobody's any more. */
const ABANDONED = 60_000;

/** What belongs beside the outcome of a case. */
export interface CaseSurroundings {
  /** Paths of the axes. */
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
    const files = [
      [RECORD_FILE, formatCaseRecord(planned, result, paths, origin, { start, end })],
      ...(rows.length > 0 ? [[ROWS_FILE, formatDiagnostics(variables, rows)]] : []),
    ];
    let sums = '';
    for (const [name, content] of files) {
      await disk.writeWhole(join(fresh, name), content);
      sums += await sumLine(name, new TextEncoder().encode(content));
    }
    await disk.writeWhole(join(fresh, SUMS_FILE), sums);
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

async function sumLine(name: string, bytes: Uint8Array): Promise<string> {
  return `${(await extentOf(bytes)).sha256}  ${name}\n`;
}

function refuse(file: string, message: string): never {
  throw new ScenarioError([{ file, path: [], message }]);
}

/** Reads a file of a case, which is there and is no larger than it may be. */
async function readFileOf(path: string, most: number): Promise<Uint8Array> {
  try {
    return await readRegularFile(path, most);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return refuse(path, 'found no such file');
  }
}

/** Every file of a case is the one that was written, and there is no other. @returns the record's bytes */
async function readWhole(path: string, names: readonly string[]): Promise<Uint8Array> {
  if (!names.includes(SUMS_FILE)) {
    refuse(path, `found no ${SUMS_FILE}: the case is of an earlier version of this program, or was changed`);
  }
  const extra = names.find((name) => !FILES.has(name));
  if (extra !== undefined) refuse(join(path, extra), `found a file that is no part of a case`);
  const sums = new TextDecoder().decode(await readFileOf(join(path, SUMS_FILE), MOST_SUMS_BYTES));
  let found = '';
  let record: Uint8Array = new Uint8Array();
  for (const name of [RECORD_FILE, ROWS_FILE]) {
    if (!names.includes(name) && !sums.includes(name)) continue;
    const isRecord = name === RECORD_FILE;
    const bytes = await readFileOf(join(path, name), isRecord ? MOST_RECORD_BYTES : MOST_ROWS_BYTES);
    const line = await sumLine(name, bytes);
    if (!sums.includes(line)) refuse(join(path, name), `its content is not what was written (${SUMS_FILE})`);
    if (isRecord) record = bytes;
    found += line;
  }
  if (found !== sums) refuse(join(path, SUMS_FILE), 'found other files in it than those of a case');
  return record;
}

/** @throws ScenarioError naming what is damaged; the system's error if a file cannot be read */
export async function readCase(folder: string, hash: string): Promise<CaseRecord> {
  const path = join(folder, hash);
  const names = await readdir(path);
  const file = join(path, RECORD_FILE);
  if (!names.includes(RECORD_FILE)) refuse(file, 'found no such file');
  const record = readCaseRecord(await readWhole(path, names), file, hash);
  const { state, methods } = record;
  if (state === 'complete' && methods.length === 0) refuse(file, 'found no method in a complete case');
  // A method that diverged in its first cycle has no rows.
  if (methods.some(({ divergedAt }) => divergedAt !== 0) && !names.includes(ROWS_FILE)) {
    refuse(join(path, ROWS_FILE), 'found no such file');
  }
  return record;
}

/**
 * Reads a case that belongs to a sweep or a tuning. What is damaged is removed, so that the case is computed again.
 *
 * @param methods labels of those that the case has if it is complete
 * @param warn is called with what is damaged
 * @returns undefined if the case has to be computed
 */
export async function takeCase(
  folder: string,
  hash: string,
  methods: readonly string[],
  warn: (message: string) => void,
): Promise<CaseRecord | undefined> {
  try {
    const record = await readCase(folder, hash);
    const found = record.methods.map(({ method }) => method);
    if (record.state === 'failed' || found.join('\n') === methods.join('\n')) return record;
    return refuse(
      join(folder, hash, RECORD_FILE),
      `found the methods ${found.join(', ')}, the case has ${methods.join(', ')}`,
    );
  } catch (error) {
    if (!(error instanceof ScenarioError)) throw error;
    warn(`${error.message}; this case is computed again`);
    await removeCase(folder, hash);
    return undefined;
  }
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
