/** The module worker in which a method is tuned; `tuning-state.ts` starts it, and names it for the backend. */
import '../../workers/strict-policy.ts';
import { portOfThisWorker, createYielding } from '../../workers/worker-port.ts';
import { openHdf5 } from '../../workers/hdf5.ts';
import { openNamedBackend } from '../../document/compute/workers.ts';
import { serveTuning } from './tuning-service.ts';

serveTuning(portOfThisWorker(), openNamedBackend, createYielding(), openHdf5);
