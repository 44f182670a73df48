/** Makes `fields.nc` of the states that a run has kept: whole or not at all, with one cycle of them in memory. */
import { join } from 'node:path';
import {
  createFieldsWriter,
  DIAGNOSTICS_FILE,
  FIELDS_FILE,
  NETCDF_FILE,
  readFields,
  readFieldsGround,
  readRows,
  ScenarioError,
} from '../../../engine/index.ts';
import type { OpenHdf5, RunRecord } from '../../../engine/index.ts';
import { disk } from '../../files/disk.ts';
import type { Terminal } from '../terminal.ts';
import type { ClaimedFolder } from './folder.ts';
import { createBar } from './progress.ts';

/** @returns what the system said, out of what HDF5 says about it in many lines */
function hdfReason(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return /error message = '([^']+)'/.exec(text)?.[1] ?? text.split('\n')[0];
}

/**
 * @param record of the run as it ended
 * @param openHdf5 reads the NetCDF-4 files that its scenario names
 * @throws WriteError; ScenarioError where what was kept is broken
 */
export async function writeNetcdf(
  terminal: Terminal,
  { absolutePath, path, storage }: Pick<ClaimedFolder, 'absolutePath' | 'path' | 'storage'>,
  record: RunRecord,
  openHdf5: OpenHdf5,
): Promise<void> {
  const kept = record.files?.[FIELDS_FILE];
  if (!kept || kept.bytes === 0) return;
  const { File, ready } = await import('h5wasm/node');
  // Otherwise what goes wrong is printed, and the file is said to be written.
  (await ready).activate_throwing_error_handler();
  const ground = await readFieldsGround(storage, record, openHdf5);
  const bar = terminal.showsProgress
    ? createBar('{bar} {percentage} % | writing fields.nc | ETA {eta_formatted}')
    : undefined;
  const cycles = Math.floor(record.completedCycles / (record.fields?.every ?? 1));
  bar?.start(cycles, 0);
  try {
    await disk.makeWhole(join(absolutePath, NETCDF_FILE), async (fresh) => {
      try {
        const file = new File(fresh, 'w', { track_order: true, libver: ['v108', 'v110'] });
        const writer = createFieldsWriter(file, ground);
        for await (const snapshot of readFields(storage, kept)) {
          writer.add(snapshot);
          bar?.update(writer.count);
        }
        await readRows(storage, record.files?.[DIAGNOSTICS_FILE], record, (row) => writer.addDiagnostics(row));
        writer.finish();
        // After an error HDF5 is in no state to close it.
        file.close();
      } catch (error) {
        throw error instanceof ScenarioError ? error : new Error(hdfReason(error));
      }
    });
  } finally {
    bar?.stop();
  }
  // Nothing continues from a run that is complete, and all that was kept is in the file.
  if (record.state === 'complete') await storage.remove(FIELDS_FILE);
  terminal.note(`states: ${join(path, NETCDF_FILE)}`);
}
