/** The module worker that reads one HDF5 file; `hdf5.ts` starts it, and ends it where it does not come back. */
import './strict-policy.ts';
import { serveHdf5 } from '../../engine/index.ts';
import { portOfThisWorker } from './worker-port.ts';

serveHdf5(portOfThisWorker());
