/** Checksums of series: written stretch by stretch, and held against what is read of them. */
import { File, ready } from 'h5wasm';
import { beforeAll, describe, expect, it } from 'vitest';
import { CaseError, openFields, readHdf5Here } from '../../../engine/index.ts';
import type { Hdf5Reader } from '../../../engine/index.ts';
import { readSeries, STRETCH } from '../../../engine/files/checksums.ts';
import type { Range } from '../../../engine/files/hdf5-reader.ts';
import {
  createChecksums,
  createSeriesChecksums,
  METHOD,
  NETCDF_FILE,
  scaleOf,
} from '../../../engine/output/fields/netcdf-parts.ts';
import { CYCLES, storedRun } from '../../setup/stored-run.ts';

const COUNT = 2 * STRETCH + 500;
const numbers = (method: number): Float64Array => Float64Array.from({ length: COUNT }, (_, i) => Math.sin(i + method));

/** @param changed places of the series `of` that have another number than its checksums are of */
async function written(changed: readonly number[] = []): Promise<Hdf5Reader> {
  const { FS } = await ready;
  const file = new File('/series.nc', 'w', { track_order: true, libver: ['v108', 'v110'] });
  scaleOf(METHOD, file.create_dataset({ name: METHOD, data: ['a', 'b'], dtype: 'S' }), {});
  createChecksums(file);
  const group = file.create_group('observations', true);
  const sums = createSeriesChecksums(file, 'observations');
  const both = new Float64Array(2 * COUNT);
  for (const method of [0, 1]) {
    const own = numbers(method);
    for (let from = 0; from < COUNT; from += 7) {
      sums.note({ name: 'of', along: 'observation', method }, own.subarray(from, from + 7));
    }
    both.set(own, method * COUNT);
  }
  for (const place of changed) both[place] += 1;
  const shape = [2, COUNT];
  group.create_dataset({ name: 'of', data: both, shape, chunks: [1, STRETCH], compression: 4 });
  group.create_dataset({ name: 'without', data: both, shape, chunks: [1, STRETCH], compression: 4 });
  sums.write();
  file.close();
  return readHdf5Here(FS.readFile('/series.nc'), 'series.nc');
}

function read(file: Hdf5Reader, method: number, range: Range, variable = 'observations/of') {
  const at: Range = [method, method + 1];
  const part = { variable, shape: [2, COUNT], ranges: [at, range], where: `series.nc: ${variable}` };
  return readSeries(file, part, (along) => file.numbers(variable, [at, along]));
}

describe('a series', () => {
  const RANGES: readonly Range[] = [
    [0, COUNT],
    [3, 9],
    [STRETCH - 1, STRETCH + 1],
    [STRETCH, 2 * STRETCH],
    [COUNT - 1, COUNT],
  ];
  let whole: Hdf5Reader;
  let damaged: Hdf5Reader;
  beforeAll(async () => {
    whole = await written();
    damaged = await written([COUNT + STRETCH + 5]);
  });

  it.each(RANGES)('has the numbers that were written, from %i to %i', async (...range) => {
    for (const method of [0, 1]) expect(await read(whole, method, range)).toEqual(numbers(method).slice(...range));
  });

  it('is refused in the stretch that is another, and nowhere else', async () => {
    const told = await Promise.all(RANGES.map((range) => read(damaged, 1, range).then(() => 'read', String)));
    expect(told.map((text) => text.replace(/; the file.*/, ''))).toEqual(
      [true, false, true, true, false].map((isRefused) =>
        isRefused
          ? 'CaseError: series.nc: observations/of: the numbers are not those that were written (checksum)'
          : 'read',
      ),
    );
    expect(await read(damaged, 0, [0, COUNT])).toEqual(numbers(0));
  });

  it('without checksums is read as it is', async () => {
    const found = await read(damaged, 1, [STRETCH, STRETCH + 9], 'observations/without');
    expect(found).toHaveLength(9);
  });
});

async function opened(change: (file: File) => void) {
  const { FS } = await ready;
  const storage = await storedRun('netcdf');
  FS.writeFile('/observed.nc', (await storage.read(NETCDF_FILE)) ?? new Uint8Array());
  const file = new File('/observed.nc', 'a');
  change(file);
  file.close();
  await storage.writeWhole(NETCDF_FILE, FS.readFile('/observed.nc'));
  return openFields(storage, readHdf5Here);
}

function overwrite(file: File, path: string, values: Float64Array | Int32Array, ranges: Range[]): void {
  const found = file.get(path);
  if (!found || !('write_slice' in found)) throw new Error(`there is no ${path}`);
  found.write_slice(ranges, values);
}

const otherCount = (file: File): void => overwrite(file, 'observations/count', Int32Array.of(2), [[0, 1]]);

describe('observations of stored states', () => {
  it.each([
    ['observations/x', Float64Array.of(9), [[0, 1]]],
    [
      'observations/innovation',
      Float64Array.of(9),
      [
        [1, 2],
        [4, 5],
      ],
    ],
  ] as const)('that are others are refused: %s', async (path, values, ranges) => {
    const fields = await opened((file) =>
      overwrite(
        file,
        path,
        values,
        ranges.map(([from, to]): Range => [from, to]),
      ),
    );
    await expect(fields?.observationsAt(CYCLES[0])).rejects.toEqual(
      new CaseError(
        `fields.nc: ${path}: the numbers are not those that were written (checksum); the file is damaged: take a copy of it that is whole, or write it again`,
      ),
    );
  });

  it('of other counts are refused as the file is opened', async () => {
    await expect(opened(otherCount)).rejects.toThrow('fields.nc: observations/count: the numbers are not those');
  });
});
