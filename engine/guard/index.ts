/** Files that somebody else may have made, read where it can be stopped. */
export { guardHdf5, HDF5_PATIENCE, hdf5Seconds } from './guarded-hdf5.ts';
export type { Hdf5Patience } from './guarded-hdf5.ts';
export { serveHdf5 } from './hdf5-calls.ts';
export type { Hdf5HostPort, Hdf5StarterPort } from './hdf5-calls.ts';
export { createWatch } from './watch.ts';
export type { Watch } from './watch.ts';
