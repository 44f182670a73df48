/** A thread that reads one HDF5 file; `hdf5.ts` starts it, and ends it where it does not come back. */
import { serveHdf5 } from '../../engine/index.ts';
import { portOfThisThread } from './thread.ts';

serveHdf5(portOfThisThread());
