/**
 * The states of a run as its folder keeps them, written in one go: `fields.nc`, and `fields.bin` beside it for a run that can continue.
 * Neither is ever in memory as a whole.
 */
import type { CycleDiagnostics } from '../../experiment/index.ts';
import { createHdf5In } from '../../files/hdf5-target.ts';
import type { RandomAccessFile } from '../../files/hdf5-target.ts';
import type { Snapshot } from '../../run/index.ts';
import { createRunningChecksum } from '../checksum.ts';
import type { Extent } from '../checksum.ts';
import type { FieldsGround } from './ground.ts';
import { createFieldsWriter } from './netcdf.ts';
import { encodeSnapshot } from './snapshot-record.ts';

/** Where the states are written. */
export interface StateFiles {
  /** `fields.nc`. */
  readonly netcdf: RandomAccessFile;
  /** `fields.bin`; not written if omitted. */
  readonly records?: RandomAccessFile | undefined;
}

/** Each of them throws what could not be written; then neither file is of any use. */
export interface StatesWriter {
  /** Adds one cycle, with planes in memory; cycles come in ascending order. */
  add(snapshot: Snapshot): void;
  /** Adds what was measured of methods in cycles; cycles come in ascending order. */
  addDiagnostics(rows: readonly CycleDiagnostics[]): void;
  /** @returns the extent of `fields.bin`; undefined where it is not written */
  finish(): Extent | undefined;
}

/** @param files empty */
export async function createStatesWriter({ netcdf, records }: StateFiles, ground: FieldsGround): Promise<StatesWriter> {
  const target = await createHdf5In(netcdf);
  const writer = target.write((file) => createFieldsWriter(file, ground));
  const checksum = createRunningChecksum();
  return {
    add(snapshot) {
      target.write(() => writer.add(snapshot));
      if (!records) return;
      const record = encodeSnapshot(snapshot);
      records.write(record, records.size);
      checksum.add(record);
    },
    addDiagnostics(rows) {
      target.write(() => {
        for (const row of rows) writer.addDiagnostics(row);
      });
    },
    finish() {
      target.write(() => writer.finish());
      target.close();
      return records && checksum.extent;
    },
  };
}
