/** The files that a scenario names (.npy, .csv), kept in its run folder under `scenario-files`, so that it is whole by itself. */
import { ScenarioError } from '../errors.ts';
import { fileReferences, readScenarioFiles, type Scenario } from '../scenario/index.ts';
import { fileNameProblem, scenarioError } from '../settings/index.ts';
import { extentOf, extentProblem, type Extent, type Storage } from './storage.ts';
import type { RunRecord } from './run-record.ts';
import { createModel } from '../experiment/index.ts';
import type { OpenHdf5 } from '../files/hdf5-reader.ts';
import { fileReader } from '../run/index.ts';

export const SCENARIO_FILES_FOLDER = 'scenario-files';

/** Gives a file that the scenario names; fails in any way if there is none. */
export type ReadNamedFile = (name: string) => Promise<Uint8Array>;

function pathOf(name: string): string {
  return `${SCENARIO_FILES_FOLDER}/${name}`;
}

/** @returns names of the files that a scenario refers to, each once. @throws ScenarioError for one that leaves the folder */
export function filesNamedBy(scenario: Scenario): readonly string[] {
  const references = fileReferences(scenario);
  const problems = references.flatMap(({ file, path, type }) => {
    const message = fileNameProblem(file, type);
    return message === undefined ? [] : [{ path, message }];
  });
  if (problems.length > 0) throw scenarioError(problems, scenario.name);
  return [...new Set(references.map(({ file }) => file))];
}

/** Copies the scenario's files into the run folder. @returns their extents by name; undefined for a scenario without files */
export async function copyScenarioFiles(
  storage: Storage,
  scenario: Scenario,
  read: ReadNamedFile,
): Promise<Readonly<Record<string, Extent>> | undefined> {
  const extents: Record<string, Extent> = {};
  for (const name of filesNamedBy(scenario)) {
    const bytes = await read(name);
    await storage.writeWhole(pathOf(name), bytes);
    extents[name] = await extentOf(bytes);
  }
  return Object.keys(extents).length > 0 ? extents : undefined;
}

/**
 * Reads the copies of a run folder: those that its scenario names and no other, since anybody may have written the record.
 *
 * @throws ScenarioError naming the file that is missing or another
 */
export async function readScenarioCopies(
  storage: Storage,
  { scenario, scenarioFiles = {} }: Pick<RunRecord, 'scenario' | 'scenarioFiles'>,
): Promise<Readonly<Record<string, Uint8Array>>> {
  const files: Record<string, Uint8Array> = {};
  for (const name of filesNamedBy(scenario)) {
    const written = Object.hasOwn(scenarioFiles, name) ? scenarioFiles[name] : undefined;
    const bytes = written && (await storage.read(pathOf(name)));
    if (!written || !bytes)
      throw new ScenarioError([{ file: pathOf(name), path: [], message: 'the run folder has no copy of this file' }]);
    const problem = extentProblem(await extentOf(bytes), written);
    if (problem !== undefined) throw new ScenarioError([{ file: pathOf(name), path: [], message: problem }]);
    files[name] = bytes;
  }
  return files;
}

/** What is the same for a whole run. */
export interface FieldsGround {
  readonly record: RunRecord;
  /** Elevation of the bed, m above the water at rest, [y][x]. */
  readonly bed: Float32Array;
}

/**
 * @param openHdf5 reads the NetCDF-4 files that a scenario names where it can be stopped
 * @throws ScenarioError where a file that the scenario names is missing in the folder, or another
 */
export async function readFieldsGround(storage: Storage, record: RunRecord, openHdf5: OpenHdf5): Promise<FieldsGround> {
  const { scenario } = record;
  const copies = await readScenarioCopies(storage, record);
  const files = await readScenarioFiles(scenario, fileReader(copies), scenario.name, openHdf5);
  const { bed, grid } = createModel(scenario, files);
  return { record, bed: bed ? Float32Array.from(bed) : new Float32Array(grid.nx * grid.ny) };
}
