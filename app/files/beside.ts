/**
 * The files beside a scenario, for a page that may read nothing else of the disk: those that the scenario names as it is now,
 * in its folder or below, wherever links lead.
 */
import { dirname, join } from 'node:path';
import {
  fileNameProblem,
  fileReferences,
  largestFileBytes,
  MAXIMUM_SCENARIO_BYTES,
  parseScenario,
} from '../../engine/index.ts';
import { openInside, readAndClose, readRegularFile, type RegularFile } from './regular-file.ts';

interface Permitted {
  readonly folder: string;
  readonly path: string;
  /** Bytes that it can have. */
  readonly most: number;
}

/**
 * @param scenarioFile path of a scenario
 * @param name as the scenario writes it, with forward slashes
 * @returns undefined where the scenario does not name it
 */
async function permitted(scenarioFile: string, name: string): Promise<Permitted | undefined> {
  const { scenario } = parseScenario(await readRegularFile(scenarioFile, MAXIMUM_SCENARIO_BYTES), scenarioFile);
  const reference = fileReferences(scenario).find(({ file }) => file === name);
  if (!reference || fileNameProblem(name, reference.type) !== undefined) return undefined;
  const folder = dirname(scenarioFile);
  const path = join(folder, ...name.split('/'));
  return { folder, path, most: largestFileBytes(reference, scenario) };
}

/**
 * Opens a file that a scenario names, to be read piece by piece and closed.
 *
 * @returns undefined where the scenario does not name it
 * @throws FileError where it may not be read, ScenarioError where the scenario is none, the system's error otherwise
 */
export async function openBeside(scenarioFile: string, name: string): Promise<RegularFile | undefined> {
  const found = await permitted(scenarioFile, name);
  return found && openInside(found.folder, found.path, found.most);
}

/** The same, read whole. */
export async function readBeside(scenarioFile: string, name: string): Promise<Uint8Array | undefined> {
  const found = await permitted(scenarioFile, name);
  return found && readAndClose(await openInside(found.folder, found.path, found.most), found.path, found.most);
}
