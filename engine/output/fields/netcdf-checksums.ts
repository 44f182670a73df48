/** The group `checksums` of a `fields.nc`: for every plane, what shows whether it is as written. */
import type { File as HdfFile, Group } from 'h5wasm';
import { CHECKSUMS, numbersChecksum, STRETCH } from '../../files/checksums.ts';
import { at, DEFLATE_LEVEL, describe, createWhole, METHOD, scaleOf } from './netcdf-parts.ts';
import type { Dimension, Range } from './netcdf-parts.ts';

/** Those of one row of numbers that grows. */
interface Running {
  add(values: Float64Array | Int32Array): void;
  readonly checksums: readonly number[];
}

/** @param width numbers of a place along the series */
function createRunning(width: number): Running {
  const complete: number[] = [];
  let [checksum, places] = [0, 0];
  return {
    add(values) {
      for (let from = 0; from < values.length;) {
        const part = values.subarray(from, from + (STRETCH - places) * width);
        checksum = numbersChecksum(part, checksum);
        places += part.length / width;
        from += part.length;
        if (places < STRETCH) continue;
        complete.push(checksum);
        [checksum, places] = [0, 0];
      }
    },
    get checksums() {
      return places > 0 ? [...complete, checksum] : complete;
    },
  };
}

/** A variable whose numbers grow. */
interface Series {
  readonly name: string;
  /** The dimension along which they do. */
  readonly along: string;
  /** Numbers of a place along it; one if omitted. */
  readonly width?: number;
  /** Which of the methods they are of; undefined of what has none. */
  readonly method?: number;
}

/** Those of a group's series. */
interface SeriesChecksums {
  /** Takes what is written behind what was written before. */
  note(series: Series, values: Float64Array | Int32Array): void;
  /** Writes all of them; the series are complete. */
  write(): void;
}

interface Noted extends Series {
  /** By method, or one. */
  readonly rows: Map<number, Running>;
}

/** Makes the dimension of a series' stretches. */
function stretchScale(group: Group, along: string, count: number): string {
  const name = `stretch_of_${along}`;
  const data = Int32Array.from({ length: count }, (_, stretch) => stretch * STRETCH);
  scaleOf(name, createWhole(group, { name, data, shape: [count], dtype: '<i' }), {
    long_name: `first place along ${along} of each ${STRETCH}`,
  });
  return name;
}

/** @param file which has the group of checksums. @param groupName of the series */
export function createSeriesChecksums(file: HdfFile, groupName: string): SeriesChecksums {
  const noted = new Map<string, Noted>();
  return {
    note(series, values) {
      const { name, width = 1, method = 0 } = series;
      const known = noted.get(name) ?? { ...series, rows: new Map<number, Running>() };
      noted.set(name, known);
      const row = known.rows.get(method) ?? createRunning(width);
      known.rows.set(method, row);
      row.add(values);
    },
    write() {
      const all = file.get(CHECKSUMS) as Group;
      const group = all.create_group(groupName, true);
      const scales = new Map<string, string>();
      for (const { name, along, method, rows } of noted.values()) {
        const ordered = [...rows].sort(([a], [b]) => a - b).map(([, { checksums }]) => checksums);
        const count = ordered[0].length;
        if (count === 0) continue;
        const scale = scales.get(along) ?? stretchScale(group, along, count);
        scales.set(along, scale);
        const shape = method === undefined ? [count] : [ordered.length, count];
        const made = createWhole(group, { name, data: Int32Array.from(ordered.flat()), shape, dtype: '<i' });
        describe(made, { long_name: `checksum of each stretch of ${groupName}/${name}` });
        const paths = [...(method === undefined ? [] : [`/${METHOD}`]), `/${CHECKSUMS}/${groupName}/${scale}`];
        paths.forEach((path, i) => made.attach_scale(i, path));
      }
    },
  };
}

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
