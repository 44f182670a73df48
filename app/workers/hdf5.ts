/** HDF5 files in a page and its workers: each in a worker of its own, which is ended where it does not come back. */
import { guardHdf5 } from '../../engine/index.ts';
import { workerPort } from './worker-port.ts';

export const openHdf5 = guardHdf5(() =>
  workerPort(new Worker(new URL('./hdf5-worker.ts', import.meta.url), { type: 'module', name: 'shoal HDF5' })),
);
