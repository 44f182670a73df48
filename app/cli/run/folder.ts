/**
 * Run folders: which one a run gets, what it has to contain before the run can continue, and how one is put beside others. First a folder
 * is found, which changes nothing; then it is claimed: made where it is new, locked, and swept of what an earlier writer did not
 * finish.
 */
import { readdir, stat, realpath } from 'node:fs/promises';
import { basename, isAbsolute, join, resolve, sep, dirname } from 'node:path';
import {
  describeDifference,
  judgeVersions,
  readRunRecord,
  readRunToContinue,
  ScenarioError,
  createBundle,
  readBundle,
  type KeptRun,
  type RunIdentity,
  type RunRecord,
  type Scenario,
  type Storage,
  type Versions,
  type Bundle,
  type BundleFiles,
  assertMethods,
  comparedRunOf,
  cyclesOf,
  readRunSummary,
  readSummary,
  validateScenario,
  type ComparedRun,
} from '../../../engine/index.ts';
import { disk, isUnfinished, sweepUnfinished } from '../../files/disk.ts';
import { UsageError } from '../context.ts';
import { createNodeStorage } from '../node-storage.ts';
import { isLock, isLocked, lockFolder, type FolderLock } from './folder-lock.ts';
import { unpackBundle } from '../../bundle/bundle-file.ts';
import { LARGEST_BUNDLE_BYTES } from '../../bundle/bundle-name.ts';
import { readRegularFile } from '../../files/regular-file.ts';
import { CASES_FOLDER, readCase, RECORD_FILE } from '../sweep/case-folders.ts';

const RUNS = 'runs';

/** A folder that was found. */
export interface FoundFolder {
  /** As it is shown; undefined for a new one that gets its name when it is claimed. */
  readonly path: string | undefined;
  /** Record of the run to continue; undefined for a new run. */
  readonly record: RunRecord | undefined;
}

/** A folder that is this process's until it is released. */
export interface ClaimedFolder {
  /** As it is shown. */
  readonly path: string;
  /** Wherever the process goes. */
  readonly absolutePath: string;
  readonly storage: Storage;
  /** The run to continue. */
  readonly kept: KeptRun | undefined;
  readonly lock: FolderLock;
}

/** @returns the names in a folder, or undefined when there is no such folder */
export async function namesIn(folder: string): Promise<string[] | undefined> {
  try {
    return await readdir(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Whether a folder holds nothing but what a run leaves that ended before it wrote its record. */
function isBarelyBegun(names: readonly string[]): boolean {
  return names.every((name) => isLock(name) || isUnfinished(name));
}

/** `20261120T091500`, in UTC. */
function timestamp(time: Date): string {
  return time.toISOString().replaceAll(/[-:]|\..*$/g, '');
}

function prefixOf({ name, seed }: Scenario): string {
  return `${name}-${seed}-`;
}

/** Puts the folder before what is wrong in one of its files. @throws what the work throws */
export async function inFolder<Result>(path: string, work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof ScenarioError)) throw error;
    const inside = (file: string): string => (isAbsolute(file) ? file : path + sep + file);
    throw new ScenarioError(
      error.problems.map((problem) => ({ ...problem, file: problem.file === undefined ? path : inside(problem.file) })),
    );
  }
}

async function findStored(path: string): Promise<FoundFolder> {
  const names = await namesIn(path);
  const record = names && (await inFolder(path, readRunRecord(createNodeStorage(path))));
  if (record || (names && isBarelyBegun(names))) return { path, record };
  throw new UsageError(`${path}: nothing to resume, there is no run.json in it`);
}

async function findLatestUnfinished(scenario: Scenario): Promise<FoundFolder> {
  const prefix = prefixOf(scenario);
  const names = ((await namesIn(RUNS)) ?? []).filter((name) => name.startsWith(prefix)).sort();
  let running: string | undefined;
  for (const name of names.reverse()) {
    const path = join(RUNS, name);
    const found = await findStored(path).catch(() => undefined);
    if (!found || found.record?.state === 'complete') continue;
    if (!(await isLocked(path))) return found;
    running ??= path;
  }
  throw new UsageError(
    running === undefined
      ? `nothing to resume: no unfinished ${join(RUNS, prefix)}… here; name the folder by --out`
      : `nothing to resume: ${running} is running, and there is no other unfinished one`,
  );
}

function assertFree(path: string, names: readonly string[]): void {
  if (isBarelyBegun(names)) return;
  const what = names.includes('run.json') ? 'holds a run' : 'is not empty';
  throw new UsageError(
    `${path}: the folder ${what}; use --resume to continue a run, or name another than ${basename(path)}`,
  );
}

/**
 * @param out the folder that was asked for
 * @throws UsageError when a new run would overwrite something, or there is nothing to resume; ScenarioError
 */
export async function findFolder(
  scenario: Scenario,
  { out, resume = false }: { readonly out?: string; readonly resume?: boolean },
): Promise<FoundFolder> {
  if (out === '') throw new UsageError('--out: the folder’s name is empty');
  if (resume) return out === undefined ? findLatestUnfinished(scenario) : findStored(out);
  if (out !== undefined) assertFree(out, (await namesIn(out)) ?? []);
  return { path: out, record: undefined };
}

/** Makes `runs/<scenario>-<seed>-<time>`, with a number behind it where somebody has that name. */
export async function freshFolder(scenario: Scenario, now: Date): Promise<string> {
  const first = join(RUNS, `${prefixOf(scenario)}${timestamp(now)}`);
  let path = first;
  for (let n = 2; !(await disk.claimFolder(resolve(path))); n++) path = `${first}-${n}`;
  return path;
}

/** What a run is that wants a folder. */
export interface RunClaim {
  readonly identity: RunIdentity;
  readonly versions: Versions;
  readonly now: Date;
}

/** @throws UsageError when the run in a folder is not the one that is asked for; ScenarioError naming what is wrong with it */
async function readKept(
  path: string,
  storage: Storage,
  { identity, versions }: RunClaim,
): Promise<KeptRun | undefined> {
  const record = await inFolder(path, readRunRecord(storage));
  if (!record) return undefined;
  const why = describeDifference(record, identity) ?? judgeVersions(record.versions, versions).refusal;
  if (why !== undefined) throw new UsageError(`${path}: cannot be resumed: ${why}`);
  return inFolder(path, readRunToContinue(storage, identity.scenario));
}

/**
 * @throws UsageError when somebody else writes into the folder, or did so since it was found, or the run in it is another;
 *   ScenarioError naming what is wrong with it; WriteError
 */
export async function claimFolder(found: FoundFolder, claim: RunClaim): Promise<ClaimedFolder> {
  const path = found.path ?? (await freshFolder(claim.identity.scenario, claim.now));
  const absolutePath = resolve(path);
  if (found.path !== undefined) await disk.makeFolder(absolutePath);
  const lock = await lockFolder(absolutePath);
  try {
    const storage = createNodeStorage(absolutePath);
    if (!found.record) assertFree(path, (await namesIn(absolutePath)) ?? []);
    await sweepUnfinished(absolutePath);
    const kept = found.record && (await readKept(path, storage, claim));
    return { path, absolutePath, storage, kept, lock };
  } catch (error) {
    await lock.release();
    throw error;
  }
}

/** @throws UsageError where the folder holds no run; ScenarioError where one of its files is broken */
export async function bundleOf(folder: string): Promise<BundleFiles> {
  if ((await namesIn(folder)) === undefined) throw new UsageError(`${folder}: there is no such folder`);
  const files = await inFolder(folder, createBundle(createNodeStorage(folder)));
  if (!files) throw new UsageError(`${folder}: not a run folder, there is no run.json in it`);
  return files;
}

/** @param given a file that `shoal bundle` wrote, or a run folder. @throws UsageError, ScenarioError, FileError */
export async function readSource(given: string): Promise<Bundle> {
  const isFolder = await stat(given).then((found) => found.isDirectory());
  if (isFolder) return inFolder(given, readBundle(await bundleOf(given), given));
  return unpackBundle(await readRegularFile(given, LARGEST_BUNDLE_BYTES), given);
}

/** @returns undefined where the folder holds no run */
async function readRunFolder(folder: string): Promise<ComparedRun | undefined> {
  const run = await readRunSummary(createNodeStorage(folder));
  if (!run) return undefined;
  return comparedRunOf(folder, run.record, run.summary);
}

async function readCaseFolder(folder: string): Promise<ComparedRun> {
  const path = resolve(folder);
  const record = await readCase(dirname(path), basename(path));
  const { scenario } = validateScenario(record.scenario, RECORD_FILE);
  const cycles = cyclesOf(scenario);
  const methods = record.methods.map(({ method, kind, members }) => ({ label: method, kind, members }));
  assertMethods(methods, scenario, RECORD_FILE);
  const { seed, versions, state, files } = record;
  return {
    name: folder,
    scenario,
    seed,
    backend: record.backend as ComparedRun['backend'],
    versions,
    state,
    cycles,
    completedCycles: state === 'complete' ? cycles : 0,
    methods,
    diverged: record.methods.flatMap(({ method, divergedAt }) =>
      divergedAt === null ? [] : [{ method, cycle: divergedAt }],
    ),
    files,
    summary: await readSummary(createNodeStorage(folder), { scenario, cycles }),
  };
}

/** @throws UsageError where a folder is given twice, by whatever name */
export async function assertDifferent(folders: readonly string[]): Promise<void> {
  const seen = new Map<string, string>();
  for (const folder of folders) {
    // What is not there is reported where it is read.
    const path = await realpath(folder).catch(() => folder);
    const before = seen.get(path);
    if (before !== undefined) {
      throw new UsageError(`${folder}: the same folder twice${before === folder ? '' : ` (it is ${before})`}`);
    }
    seen.set(path, folder);
  }
}

/** @returns the names in a folder. @throws UsageError if there is none */
export async function namesInFolder(folder: string): Promise<readonly string[]> {
  const names = await namesIn(folder);
  if (names === undefined) throw new UsageError(`${folder}: there is no such folder`);
  return names;
}

/** @param names of its files and folders. @returns the message about a folder that holds no run */
export function noRunIn(folder: string, names: readonly string[]): UsageError {
  const hint = names.includes(CASES_FOLDER)
    ? `it is a sweep’s; name folders inside its folder "${CASES_FOLDER}"`
    : 'a run folder is what "shoal run" writes';
  return new UsageError(`${folder}: not a run folder, there is no run.json in it; ${hint}`);
}

/** @throws UsageError where the folder holds neither; ScenarioError where one of its files is broken */
export async function readComparedRun(folder: string): Promise<ComparedRun> {
  const names = await namesInFolder(folder);
  if (names.includes(RECORD_FILE)) return inFolder(folder, readCaseFolder(folder));
  const run = await inFolder(folder, readRunFolder(folder));
  if (run) return run;
  throw noRunIn(folder, names);
}
