/** What of a run is the same in all of its states, from its folder: for whoever writes them down. */
import { createModel } from '../../experiment/index.ts';
import type { OpenHdf5 } from '../../files/hdf5-reader.ts';
import { fileReader } from '../../run/index.ts';
import { readScenarioFiles } from '../../scenario/index.ts';
import type { RunRecord } from '../run-record.ts';
import { readScenarioCopies } from '../scenario-copies.ts';
import type { Storage } from '../storage.ts';

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
