/** What all variables of a `fields.nc` are made with. */
import type { Dataset, File as HdfFile, Group } from 'h5wasm';
import { STRETCH, CHECKSUMS, numbersChecksum } from '../../files/checksums.ts';

/** The file that the states become when a run is complete. */
export const NETCDF_FILE = 'fields.nc';
/** NetCDF's own fill value of floats and doubles: nothing is known there. */
export const FILL = 9.969_209_968_386_869e36;
/** The dimension of methods; not `method`: xarray's `sel(method=…)` means something else, and would silently select nothing. */
export const METHOD = 'assimilation';
/** The dimension of members that are kept. */
export const MEMBER = 'member';
/** Numbers of a chunk of what has one number a cycle, or an observation. */
const SERIES_CHUNK = STRETCH;
/**
 * Deflate level of every variable. A deflated chunk has its size and a checksum of its contents, so damaged numbers are detected.
 */
export const DEFLATE_LEVEL = 4;

export type Attributes = Readonly<Record<string, string>>;

/** What times are counted in, and from when. */
export const TIME_UNITS: Attributes = { units: 'seconds since 2000-01-01 00:00:00', calendar: 'standard' };

const SUPERSCRIPTS = '²³⁴⁵';

/** @param unit as this program writes it, such as m²/s. @returns it as UDUNITS does: m2 s-1, and 1 for what has none */
export function cfUnits(unit: string): string {
  const plain = unit.replaceAll(/[²³⁴⁵]/g, (sign) => String(2 + SUPERSCRIPTS.indexOf(sign)));
  const [over, under] = plain.split('/');
  if (under === undefined) return over === '' ? '1' : over;
  const power = /\d$/.test(under) ? under.replace(/\d$/, '-$&') : `${under}-1`;
  return over === '1' ? power : `${over} ${power}`;
}

/** A dimension of a variable, and how long it is at first; `time` grows. */
export interface Dimension {
  readonly name: string;
  readonly length: number;
}

/** A range of one dimension: from, and before which. */
export type Range = [number, number];

export const at = (index: number): Range => [index, index + 1];

export function describe(of: Dataset | Group | HdfFile, attributes: Attributes): void {
  for (const [name, value] of Object.entries(attributes)) of.create_attribute(name, value);
}

/** Says what the numbers 0, 1, 2, … of a variable mean: words, without blanks as CF has them. */
export function flag(dataset: Dataset, words: readonly string[]): void {
  const meanings = words.map((word) => word.replaceAll(/[^\w.+@-]+/g, '_')).join(' ');
  dataset.create_attribute('flag_meanings', meanings);
  dataset.create_attribute('flag_values', Int32Array.from(words.keys()), [words.length], '<i');
}

/** Says which numbers mean a missing value. */
export function fillWith(dataset: Dataset, dtype: '<f' | '<d'): void {
  const value = dtype === '<f' ? Float32Array.of(FILL) : Float64Array.of(FILL);
  dataset.create_attribute('_FillValue', value, [1], dtype);
}

/** Makes a variable a dimension scale: HDF5's word for a coordinate variable. */
export function scaleOf(name: string, dataset: Dataset, attributes: Attributes): Dataset {
  describe(dataset, attributes);
  dataset.make_scale(name);
  return dataset;
}

/** @returns a variable of one number a method, and a cycle or an observation, that grows */
export function createSeriesByMethod(group: Group, name: string, dtype: string, methods: number): Dataset {
  const chunks = [1, SERIES_CHUNK];
  const shape = [methods, 0];
  const maxshape = [methods, null];
  return group.create_dataset({ name, data: [], dtype, shape, maxshape, chunks, compression: DEFLATE_LEVEL });
}

/** @returns a variable of a list of numbers a method and cycle, that grows */
export function createListsByMethod(
  group: Group,
  name: string,
  dtype: string,
  methods: number,
  length: number,
): Dataset {
  const chunks = [1, Math.max(1, Math.floor(SERIES_CHUNK / length)), length];
  const [shape, maxshape] = [
    [methods, 0, length],
    [methods, null, length],
  ];
  return group.create_dataset({ name, data: [], dtype, shape, maxshape, chunks });
}

/** @returns a variable of one number a cycle, or an observation, that grows */
export function createSeries(group: Group, name: string, dtype: string): Dataset {
  const chunks = [SERIES_CHUNK];
  const compression = DEFLATE_LEVEL;
  return group.create_dataset({ name, data: [], dtype, shape: [0], maxshape: [null], chunks, compression });
}

/** @returns a variable whose numbers are all known as it is made; texts cannot be packed */
export function createWhole(
  group: Group,
  of: {
    readonly name: string;
    readonly data: Parameters<Group['create_dataset']>[0]['data'];
    readonly shape: number[];
    readonly dtype?: string;
  },
): Dataset {
  const { dtype, ...rest } = of;
  const packing = { chunks: of.shape, compression: DEFLATE_LEVEL };
  return group.create_dataset({ ...rest, ...packing, ...(dtype !== undefined && { dtype }) });
}

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
interface PlaneChecksums {
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
