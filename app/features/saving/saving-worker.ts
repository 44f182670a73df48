/** The module worker that writes the states of a run; `save-states.ts` starts it, and ends it. */
import '../../workers/strict-policy.ts';
import { portOfThisWorker } from '../../workers/worker-port.ts';
import { serveSaving } from './saving-service.ts';

serveSaving(portOfThisWorker());
