/** A thread that reads one HDF5 file; `thread.ts` starts it, and ends it where it does not come back. */
import { workerData } from 'node:worker_threads';
import { serveHdf5 } from '../../engine/index.ts';
import { portOfThisThread } from './thread.ts';

/** The most memory that the library may have, bytes. */
const mostBytes = workerData as number;
serveHdf5(portOfThisThread(), mostBytes);
