/** Scenario files as the command line gets at them: by path, or by the name of one that ships; with changes from options. */
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import {
  MAXIMUM_SCENARIO_BYTES,
  ScenarioError,
  fileReferences,
  largestFileBytes,
  nearest,
  parseScenario,
  readScenarioFiles as readFilesOf,
  setPath,
  shown,
  validateScenario,
} from '../../engine/index.ts';
import type { OpenHdf5, ParsedScenario, Scenario, ScenarioFiles } from '../../engine/index.ts';
import { isBundleName } from '../bundle/bundle-name.ts';
import { FileError, readRegularFile } from '../files/regular-file.ts';
import { STANDARD_INPUT, UsageError, isSystemError, systemReason } from './context.ts';

export interface LoadedScenario extends ParsedScenario {
  /** The file's path. */
  readonly path: string;
}

export interface ScenarioChanges {
  /** `path=value`, in order. */
  readonly set?: readonly string[];
  readonly seed?: number;
}

/** @returns names of the scenarios that ship, without `.json`, sorted */
export async function shippedScenarios(root: string): Promise<string[]> {
  const names = await readdir(join(root, 'scenarios'));
  return names
    .filter((name) => name.endsWith('.json') && !name.endsWith('.schema.json'))
    .map((name) => basename(name, '.json'))
    .sort();
}

/** @throws UsageError naming the nearest shipped scenario */
export async function shippedPath(root: string, name: string): Promise<string> {
  const names = await shippedScenarios(root);
  if (names.includes(name)) return join(root, 'scenarios', `${name}.json`);
  const near = nearest(name, names);
  const suggestion = near === undefined ? `there are ${names.join(', ')}` : `did you mean ${near}?`;
  throw new UsageError(`no scenario '${shown(name)}' ships with this program; ${suggestion}`);
}

/**
 * @param given on the command line: a file, the name of a scenario that ships, or `-` for standard input
 * @returns the file's path, or `-`
 * @throws UsageError for a name that is none of these, and for a bundle
 */
export async function scenarioPath(root: string, given: string): Promise<string> {
  if (given === STANDARD_INPUT) return given;
  if (isBundleName(given)) {
    throw new UsageError(
      `${shown(given)}: this is a bundle, a run with its expected numbers; shoal reproduce runs it again`,
    );
  }
  const isName = /^[\w-]+$/.test(given);
  return isName && !existsSync(given) ? shippedPath(root, given) : given;
}

/** Reads to the end, or a little further than a scenario may have. */
async function readStandardInput(): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of process.stdin as AsyncIterable<Uint8Array>) {
    pieces.push(piece);
    bytes += piece.byteLength;
    if (bytes > MAXIMUM_SCENARIO_BYTES) break;
  }
  return Buffer.concat(pieces);
}

/** Reads no more than a scenario may have, whatever the file is. @throws ScenarioError naming the file */
async function readScenarioText(path: string): Promise<Uint8Array> {
  try {
    if (path === STANDARD_INPUT) return await readStandardInput();
    return await readRegularFile(path, MAXIMUM_SCENARIO_BYTES);
  } catch (error) {
    if (error instanceof FileError) {
      const remedy = error.tooLarge ? ' (4 MiB); put arrays into .npy or .csv files beside it' : '';
      throw new ScenarioError([{ file: path, path: [], message: error.reason + remedy }]);
    }
    if (isSystemError(error)) throw new ScenarioError([{ file: path, path: [], message: systemReason(error) }]);
    throw error;
  }
}

function applyChanges(parsed: ParsedScenario, path: string, { set = [], seed }: ScenarioChanges): ParsedScenario {
  if (set.length === 0 && seed === undefined) return parsed;
  let { raw } = parsed;
  for (const assignment of set) {
    const equals = assignment.indexOf('=');
    if (equals < 1) throw new UsageError(`--set ${shown(assignment)}: write path=value, for example grid.nx=128`);
    raw = setPath(raw, assignment.slice(0, equals), assignment.slice(equals + 1));
  }
  if (seed !== undefined) raw = setPath(raw, 'seed', String(seed));
  const changed = validateScenario(raw, `${path} as changed by ${set.length > 0 ? '--set' : '--seed'}`);
  return { ...changed, notes: parsed.notes };
}

/**
 * @param path of a scenario file
 * @throws ScenarioError, UsageError
 */
export async function loadScenario(path: string, changes: ScenarioChanges = {}): Promise<LoadedScenario> {
  const name = path === STANDARD_INPUT ? 'standard input' : path;
  const parsed = parseScenario(await readScenarioText(path), name);
  return { ...applyChanges(parsed, name, changes), path };
}

/** Reads a whole file, unless it has more bytes than it can have. */
export async function readBeside(path: string, most: number): Promise<Uint8Array> {
  try {
    return await readRegularFile(path, most);
  } catch (error) {
    if (error instanceof FileError) throw new Error(error.reason, { cause: error });
    if (!isSystemError(error) || error.code === 'ENOENT') throw error;
    throw new Error(systemReason(error), { cause: error });
  }
}

/**
 * @param path of the scenario file, beside which its files are
 * @param openHdf5 reads those that are NetCDF-4 where it can be stopped
 * @throws ScenarioError
 */
export function readScenarioFiles(scenario: Scenario, path: string, openHdf5: OpenHdf5): Promise<ScenarioFiles> {
  const folder = dirname(resolve(path));
  return readFilesOf(scenario, (name, most) => readBeside(join(folder, name), most), path, openHdf5);
}

/** @returns reads a file that the scenario names, by that name; fails where it is missing or larger than it can be */
export function scenarioFileReader(scenario: Scenario, path: string): (name: string) => Promise<Uint8Array> {
  const folder = dirname(resolve(path));
  const references = fileReferences(scenario);
  return (name) => {
    const sizes = references.filter(({ file }) => file === name).map((each) => largestFileBytes(each, scenario));
    return readBeside(join(folder, name), Math.max(0, ...sizes));
  };
}
