/** What all variables of a `fields.nc` are made with. */
import type { Dataset, File as HdfFile, Group } from 'h5wasm';

/** The file that the states become when a run is complete. */
export const NETCDF_FILE = 'fields.nc';
/** NetCDF's own fill value of floats and doubles: nothing is known there. */
export const FILL = 9.969_209_968_386_869e36;
/** The dimension of methods; not `method`: xarray's `sel(method=…)` means something else, and would silently select nothing. */
export const METHOD = 'assimilation';
/** The dimension of members that are kept. */
export const MEMBER = 'member';
/** Numbers of a chunk of what has one number a cycle, or an observation. */
export const SERIES_CHUNK = 1024;

export type Attributes = Readonly<Record<string, string>>;

export function describe(of: Dataset | Group | HdfFile, attributes: Attributes): void {
  for (const [name, value] of Object.entries(attributes)) of.create_attribute(name, value);
}

/** @returns a variable of one number a cycle, or an observation, that grows */
export function createSeries(group: Group, name: string, dtype: string): Dataset {
  return group.create_dataset({ name, data: [], dtype, shape: [0], maxshape: [null], chunks: [SERIES_CHUNK] });
}
