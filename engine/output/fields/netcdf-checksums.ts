/** The group `checksums` of a `fields.nc`: for every plane, what shows whether it is as written. */
import type { File as HdfFile } from 'h5wasm';
import { CHECKSUMS, numbersChecksum } from '../../files/plane-checksums.ts';
import { at, DEFLATE_LEVEL, describe } from './netcdf-parts.ts';
import type { Dimension, Range } from './netcdf-parts.ts';

/** Numbers of a chunk, which is read and packed again with each cycle. */
const CHUNK_NUMBERS = 2 ** 12;

/** Those of a variable's planes. */
export interface PlaneChecksums {
  /** @param places along the dimensions before the plane's own */
  note(places: readonly number[], values: Float32Array): void;
  /** Writes those of a cycle, the next one. */
  write(cycle: number): void;
}

/** @returns makes those of a variable, with its dimensions but the last two */
export function createChecksums(file: HdfFile): (name: string, dimensions: readonly Dimension[]) => PlaneChecksums {
  const group = file.create_group(CHECKSUMS, true);
  describe(group, {
    comment:
      'CRC-32 (ISO 3309) of each plane as float32, little-endian, and of each stretch of a series as it is stored, read as a number with a sign',
  });
  return (name, dimensions) => {
    const isTime = dimensions.map((dimension) => dimension.name === 'time');
    const lengths = dimensions.map(({ length }, i) => (isTime[i] ? 1 : length));
    const sums = new Int32Array(lengths.reduce((product, length) => product * length, 1));
    const made = group.create_dataset({
      name,
      data: [],
      dtype: '<i',
      shape: dimensions.map(({ length }) => length),
      maxshape: dimensions.map(({ length }, i) => (isTime[i] ? null : length)),
      chunks: lengths.map((length, i) => (isTime[i] ? Math.max(1, Math.floor(CHUNK_NUMBERS / sums.length)) : length)),
      compression: DEFLATE_LEVEL,
    });
    describe(made, { long_name: `checksum of each plane of ${name}` });
    dimensions.forEach((dimension, i) => made.attach_scale(i, `/${dimension.name}`));
    return {
      note(places, values) {
        const index = places.reduce((sum, place, i) => sum * lengths[i] + (isTime[i] ? 0 : place), 0);
        sums[index] = numbersChecksum(values);
      },
      write(cycle) {
        made.resize(dimensions.map(({ length }, i) => (isTime[i] ? cycle + 1 : length)));
        made.write_slice(
          lengths.map((length, i): Range => (isTime[i] ? at(cycle) : [0, length])),
          sums,
        );
      },
    };
  };
}
