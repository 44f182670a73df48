/** The reader for a scenario that refers to no file. */
import { quote } from '../settings/index.ts';
import type { ScenarioFiles } from '../settings/index.ts';

export function unknownFile(file: string): never {
  throw new RangeError(`the scenario does not refer to a file ${quote(file)}`);
}

export const NO_FILES: ScenarioFiles = { array: unknownFile, table: unknownFile };
