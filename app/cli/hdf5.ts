/** HDF5 files on the command line: each in a thread of its own, which is ended where it does not come back. */
import { guardHdf5 } from '../../engine/index.ts';
import type { OpenHdf5 } from '../../engine/index.ts';
import { startThread } from './thread.ts';

/** The library's own memory, bytes: a few of the largest chunks, packed and unpacked. */
const MOST_BYTES = 2 ** 30;
/** Memory for anything else but the file's bytes: lists of names and labels. */
const HEAP_MEBIBYTES = 512;

/** @param bundleFolder where the scripts of threads are */
export function hdf5In(bundleFolder: string): OpenHdf5 {
  const limits = { maxOldGenerationSizeMb: HEAP_MEBIBYTES };
  return guardHdf5(() => startThread(bundleFolder, 'hdf5-worker.js', MOST_BYTES, limits));
}
