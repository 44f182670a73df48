/** The module worker in which a method is tuned; `start-tuning.ts` starts it, and names it for the backend. */
import '../../workers/strict-policy.ts';
import { portOfThisWorker } from '../../workers/worker-port.ts';
import { createBreath } from '../../workers/breath.ts';
import { openHdf5 } from '../../workers/hdf5.ts';
import { openNamedBackend } from '../../document/session/open-named-backend.ts';
import { serveTuning } from './serve-tuning.ts';

serveTuning(portOfThisWorker(), openNamedBackend, createBreath(), openHdf5);
