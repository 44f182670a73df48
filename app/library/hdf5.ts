/** HDF5 files in a program: each in a thread of its own, which is ended where it does not come back. */
import { guardHdf5 } from '../../engine/index.ts';
import type { OpenHdf5 } from '../../engine/index.ts';
import { hdf5ThreadStarter } from './thread.ts';

/** Memory for what is neither the library's own nor the file's bytes: lists of names and labels. */
const HEAP_MEBIBYTES = 512;

export const openHdf5: OpenHdf5 = async (content, name) => {
  const open = guardHdf5(await hdf5ThreadStarter(HEAP_MEBIBYTES));
  return open(content, name);
};
