/** Checksums of the series in a group of a `fields.nc`: for each stretch, what shows whether it is as written. */
import type { File as HdfFile, Group } from 'h5wasm';
import { CHECKSUMS, numbersChecksum } from '../../files/plane-checksums.ts';
import { STRETCH } from '../../files/series-checksums.ts';
import { createWhole, describe, METHOD, scaleOf } from './netcdf-parts.ts';

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
export interface SeriesChecksums {
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
