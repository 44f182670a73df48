/**
 * The states of a run's cycles, read from its folder: from `fields.bin` while it runs or where it was left, from `fields.nc` when it
 * is complete. One plane is read at a time; neither file is ever in memory as a whole.
 */
import type { OpenHdf5 } from '../../files/hdf5-reader.ts';
import { readCheckpointGround } from '../checkpoint-files.ts';
import { validateScenario } from '../../scenario/index.ts';
import { furthest } from '../extents.ts';
import { readRunRecord } from '../run-record.ts';
import type { Storage } from '../storage.ts';
import { FIELDS_FILE } from './fields-file.ts';
import { openNetcdf } from './netcdf-reader.ts';
import { openRecords } from './records-reader.ts';
import type { FieldsReader } from './stored-plane.ts';

/**
 * Opens the states of a run folder.
 *
 * @param openHdf5 reads `fields.nc` where it can be stopped
 * @returns undefined where the folder has no run, or none that kept states
 * @throws ScenarioError, CaseError naming the file that is broken, and what is wrong with it
 */
export async function openFields(storage: Storage, openHdf5: OpenHdf5): Promise<FieldsReader | undefined> {
  const found = await readRunRecord(storage);
  if (!found?.fields) return undefined;
  const record = { ...found, scenario: validateScenario(found.scenario, 'run.json').scenario };
  const { grid } = record.scenario;
  const committed = furthest(record, await readCheckpointGround(storage), FIELDS_FILE);
  const hasRecords = (await storage.read(FIELDS_FILE, { from: 0, bytes: 1 })) !== undefined;
  const source = hasRecords
    ? await openRecords(storage, record, committed)
    : await openNetcdf(storage, record, openHdf5);
  return source && { ...source, grid, variables: ['eta', 'hu', 'hv'] };
}
