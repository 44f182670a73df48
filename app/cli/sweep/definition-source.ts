/** The definition of a sweep as the command line gets at it: by path, with the scenario that it names. */
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import {
  MAXIMUM_SCENARIO_BYTES,
  ScenarioError,
  nearest,
  readSweepDefinition,
  shown,
  groupCases,
} from '../../../engine/index.ts';
import type { ReadSweep, SweepScenario, BackendChoice, SweepPlan } from '../../../engine/index.ts';
import { FileError, readRegularFile } from '../../files/regular-file.ts';
import { type Installation, type CommonOptions, UsageError, isSystemError, systemReason } from '../context.ts';
import { hdf5In } from '../thread.ts';
import { loadScenario, readBeside, shippedPath } from '../scenario-source.ts';

/** The I-th of N parts. */
export interface Chunk {
  /** From 1. */
  readonly part: number;
  readonly of: number;
}

/** @returns groups of indices of cases, by which a plan is divided */
export function groupsOf(plan: SweepPlan): readonly (readonly number[])[] {
  return groupCases(plan, Array(plan.count).keys());
}

/** @returns indices of the cases of a part, ascending. @param groups of the whole plan. @throws UsageError */
export function casesOfChunk(groups: readonly (readonly number[])[], { part, of }: Chunk): readonly number[] {
  if (part > of) throw new UsageError(`--chunk ${part}/${of}: allowed: parts from 1 to ${of}`);
  const first = Math.floor(((part - 1) * groups.length) / of);
  const last = Math.floor((part * groups.length) / of);
  return groups
    .slice(first, last)
    .flat()
    .sort((a, b) => a - b);
}

export interface SweepOptions extends CommonOptions {
  readonly backend: BackendChoice;
  readonly out?: string;
  /** Processes; as many as the machine has cores if omitted. */
  readonly workers?: number;
  readonly resume?: boolean;
  /** Runs failed cases again. */
  readonly retry?: boolean;
  readonly dryRun?: boolean;
  /** The I-th of N parts of the plan. */
  readonly chunk?: Chunk;
  /** Writes the tables from the cases that are there. */
  readonly collect?: boolean;
  /** Through a cluster's Slurm. */
  readonly slurm?: boolean;
  /** Options of a job, each `name=value`. */
  readonly slurmOption?: readonly string[];
  /** Cases of a task. */
  readonly chunkSize?: number;
  /** Tasks that run at once, at most. */
  readonly atOnce?: number;
}

const SWEEPS = join('scenarios', 'sweeps');

export interface LoadedSweep {
  readonly sweep: ReadSweep;
  readonly base: SweepScenario;
}

/** @throws ScenarioError naming the file */
async function readDefinition(path: string): Promise<ReadSweep> {
  try {
    return readSweepDefinition(await readRegularFile(path, MAXIMUM_SCENARIO_BYTES), path);
  } catch (error) {
    const reason = error instanceof FileError ? error.reason : isSystemError(error) ? systemReason(error) : undefined;
    if (reason === undefined) throw error;
    throw new ScenarioError([{ file: path, path: [], message: reason }]);
  }
}

/** @returns names of the sweeps that ship, without `.json`, sorted */
export async function shippedSweeps(root: string): Promise<string[]> {
  const names = await readdir(join(root, SWEEPS));
  return names
    .filter((name) => name.endsWith('.json') && !name.endsWith('.schema.json'))
    .map((name) => basename(name, '.json'))
    .sort();
}

/**
 * @param given on the command line: a file, or the name of a sweep that ships
 * @returns the file's path
 * @throws UsageError for a name that is neither
 */
async function sweepPath(root: string, given: string): Promise<string> {
  if (!/^[\w-]+$/.test(given) || existsSync(given)) return given;
  const names = await shippedSweeps(root);
  if (names.includes(given)) return join(root, SWEEPS, `${given}.json`);
  const near = nearest(given, names);
  const suggestion = near === undefined ? `there are ${names.join(', ')}` : `did you mean ${near}?`;
  throw new UsageError(`no sweep '${shown(given)}' ships with this program, and there is no such file; ${suggestion}`);
}

/** The scenario's file: beside the definition, or one that ships, by its name. */
async function scenarioFileOf(root: string, { definition: { scenario }, file }: ReadSweep): Promise<string> {
  const beside = join(dirname(file), scenario);
  return /^[\w-]+$/.test(scenario) && !existsSync(beside) ? shippedPath(root, scenario) : beside;
}

/**
 * @param given on the command line: a file, or the name of a sweep that ships
 * @throws ScenarioError, UsageError
 */
export async function loadSweep({ root, bundleFolder }: Installation, given: string): Promise<LoadedSweep> {
  const sweep = await readDefinition(await sweepPath(root, given));
  const file = await scenarioFileOf(root, sweep);
  const { raw } = await loadScenario(file);
  const folder = dirname(resolve(file));
  const readFile: SweepScenario['readFile'] = (name, most) => readBeside(join(folder, name), most);
  return { sweep, base: { raw, file, readFile, openHdf5: hdf5In(bundleFolder) } };
}
