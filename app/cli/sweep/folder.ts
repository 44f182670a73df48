/**
 * The folder of a sweep: `definition.json` says which sweep it is, `cases/` holds what is done, `sweep.json` and `sweep.csv` are made of
 * that. A second start with the same definition continues; so does one with more cases; another is refused.
 */
import { join, resolve } from 'node:path';
import {
  assembleResults,
  describeSweepDifference,
  formatResultsTable,
  formatSweepRecord,
  readSweepRecord,
  recordSweep,
  type KeptCase,
  type ReadSweep,
  type SweepPlan,
  type SweepRecord,
  type SweepResults,
  type SweepScenario,
} from '../../../engine/index.ts';
import { disk, isUnfinished } from '../../files/disk.ts';
import { readRegularFile } from '../../files/regular-file.ts';
import { UsageError, type Context } from '../context.ts';
import { namesIn } from '../run/folder.ts';
import { isLock, lockFolder, type FolderLock } from '../run/folder-lock.ts';
import { CASES_FOLDER, sweepAbandoned } from './case-folders.ts';
import { shellWords } from '../../format/paths.ts';
import { programWords } from '../installation.ts';

function isOut(word: string | undefined): boolean {
  return word === '--out' || word === '-o';
}

/** Whether the command that continues has a word of its own in place of one. */
function isReplaced(word: string, before: string | undefined): boolean {
  return word === '--resume' || isOut(word) || isOut(before) || /^(--out=|-o.)/.test(word);
}

/** @returns the command that continues a sweep, to be copied from the terminal */
export function resumeCommand({ argv, installation }: Context, folder: string): string {
  const kept = argv.filter((word, index) => !isReplaced(word, argv[index - 1]));
  return `${programWords(installation)} ${shellWords([...kept, '--resume', '--out', folder])}`;
}

/** Folder of a cluster's jobs: their record, their scripts, and the output of their tasks. */
export const SLURM_FOLDER = 'slurm';
const DEFINITION_FILE = 'definition.json';
export const RESULTS_FILE = 'sweep.json';
export const TABLE_FILE = 'sweep.csv';
const MOST_DEFINITION_BYTES = 2 ** 24;

/** A sweep that is ready to be carried out. */
export interface PlannedSweep {
  readonly sweep: ReadSweep;
  readonly base: SweepScenario;
  readonly plan: SweepPlan;
}

export interface SweepFolder {
  /** As it is shown. */
  readonly path: string;
  /** Absolute path of the cases. */
  readonly cases: string;
  /** Writes the document and the table, each whole. @throws WriteError */
  write(keptOf: (hash: string) => KeptCase | undefined): Promise<SweepResults>;
  release(): Promise<void>;
}

async function readStored(path: string): Promise<SweepRecord> {
  const file = join(path, DEFINITION_FILE);
  return readSweepRecord(await readRegularFile(file, MOST_DEFINITION_BYTES), file);
}

/** @returns where the cases in a folder were computed; undefined where it holds no sweep. @throws ScenarioError */
export async function storedBackend(path: string): Promise<SweepRecord['backend'] | undefined> {
  const names = await namesIn(path);
  return names?.includes(DEFINITION_FILE) ? (await readStored(path)).backend : undefined;
}

/** @returns whether it has a sweep. @throws UsageError for a folder of something else */
export async function holdsSweep(path: string, resume: boolean): Promise<boolean> {
  const names = (await namesIn(path)) ?? [];
  if (names.includes(DEFINITION_FILE)) return true;
  // Of a cluster's tasks, the first to start says where the numbers come from.
  if (!names.every((name) => isLock(name) || isUnfinished(name) || name === SLURM_FOLDER)) {
    throw new UsageError(`${path}: the folder is not empty and holds no sweep; name another by --out`);
  }
  if (resume) throw new UsageError(`${path}: nothing to resume, there is no ${DEFINITION_FILE} in it`);
  return false;
}

/** @throws UsageError where the sweep in the folder is another */
async function assertSame(path: string, { sweep, base, plan }: PlannedSweep): Promise<void> {
  const file = join(path, DEFINITION_FILE);
  const stored = await readStored(path);
  const difference = await describeSweepDifference(stored, recordSweep(sweep, base.raw, plan), plan, { ...base, file });
  if (difference === undefined) return;
  throw new UsageError(
    `${path}: holds another sweep: ${difference}; what only adds cases continues in the same folder, for another name one by --out`,
  );
}

export interface ClaimOptions {
  readonly out: string;
  /** There has to be something to continue with. */
  readonly resume: boolean;
  /** Several processes may write cases at the same time, none of them the tables. */
  readonly shared: boolean;
}

/**
 * Finds or makes the folder, and takes it for this process alone unless it is shared.
 *
 * @throws UsageError when it holds something else, or another process writes it; ScenarioError, WriteError
 */
export async function claimSweepFolder(
  planned: PlannedSweep,
  { out, resume, shared }: ClaimOptions,
): Promise<SweepFolder> {
  const { sweep, base, plan } = planned;
  await holdsSweep(out, resume);
  const absolute = resolve(out);
  const cases = join(absolute, CASES_FOLDER);
  await disk.makeFolder(absolute);
  const lock: FolderLock | undefined = shared ? undefined : await lockFolder(absolute);
  try {
    if (await holdsSweep(out, resume)) await assertSame(out, planned);
    if (!shared) {
      await sweepAbandoned(cases);
      for (const name of ((await namesIn(absolute)) ?? []).filter(isUnfinished))
        await disk.remove(join(absolute, name));
    }
    const record = formatSweepRecord(recordSweep(sweep, base.raw, plan));
    await disk.writeWhole(join(absolute, DEFINITION_FILE), record);
    // Only now, so that another task of the same sweep never finds cases without a definition.
    await disk.makeFolder(cases);
  } catch (error) {
    await lock?.release();
    throw error;
  }
  return {
    path: out,
    cases,
    async write(keptOf) {
      const results = assembleResults(plan, keptOf);
      await disk.writeWhole(join(absolute, RESULTS_FILE), `${JSON.stringify(results)}\n`);
      await disk.writeWhole(join(absolute, TABLE_FILE), formatResultsTable(results));
      return results;
    },
    release: async () => lock?.release(),
  };
}
