/** A module worker that draws the states that a run begins with; `workers.ts` starts it. */
import '../../workers/strict-policy.ts';
import { serveDraws } from '../../../engine/index.ts';
import { openHdf5 } from '../../workers/hdf5.ts';
import { portOfThisWorker } from '../../workers/worker-port.ts';

serveDraws(portOfThisWorker(), openHdf5);
