/** What all variables of a `fields.nc` are made with. */
import type { Dataset, File as HdfFile, Group } from 'h5wasm';
import { STRETCH } from '../../files/checksums.ts';

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
