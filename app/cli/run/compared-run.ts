/** A folder that is put beside others: a run's, or that of a case of a sweep. */
import { realpath } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';
import {
  assertMethods,
  comparedRunOf,
  cyclesOf,
  readRunSummary,
  readSummary,
  validateScenario,
} from '../../../engine/index.ts';
import type { ComparedRun } from '../../../engine/index.ts';
import { UsageError } from '../failure.ts';
import { createNodeStorage } from '../node-storage.ts';
import { CASES_FOLDER, readCase, RECORD_FILE } from '../sweep/case-folders.ts';
import { inFolder, namesIn } from './folder.ts';

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

/** @param names of what lies in it. @returns what is said of a folder that holds no run */
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
