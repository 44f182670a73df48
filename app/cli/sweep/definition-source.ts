/** The definition of a sweep as the command line gets at it: by path, with the scenario that it names. */
import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { MAXIMUM_SCENARIO_BYTES, ScenarioError, readSweepDefinition } from '../../../engine/index.ts';
import type { ReadSweep, SweepScenario } from '../../../engine/index.ts';
import { FileError, readRegularFile } from '../../files/regular-file.ts';
import { isSystemError, systemReason } from '../failure.ts';
import { loadScenario, readBeside, shippedPath } from '../scenario-source.ts';

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

/** The scenario's file: beside the definition, or one that ships, by its name. */
async function scenarioFileOf(root: string, { definition: { scenario }, file }: ReadSweep): Promise<string> {
  const beside = join(dirname(file), scenario);
  return /^[\w-]+$/.test(scenario) && !existsSync(beside) ? shippedPath(root, scenario) : beside;
}

/** @throws ScenarioError, UsageError */
export async function loadSweep(root: string, path: string): Promise<LoadedSweep> {
  const sweep = await readDefinition(path);
  const file = await scenarioFileOf(root, sweep);
  const { raw } = await loadScenario(file);
  const folder = dirname(resolve(file));
  return { sweep, base: { raw, file, readFile: (name, most) => readBeside(join(folder, name), most) } };
}
