/** The module worker that runs a scenario with several seeds; `seeds-state.ts` starts it, and names it for the backend. */
import '../../workers/strict-policy.ts';
import { portOfThisWorker, createYielding } from '../../workers/worker-port.ts';
import { openHdf5 } from '../../workers/hdf5.ts';
import { openNamedBackend } from '../../document/compute/workers.ts';
import { serveSeeds } from './seeds-service.ts';

// Several of these workers compute beside each other, so that each has one thread.
serveSeeds(portOfThisWorker(), () => openNamedBackend(1), createYielding(), openHdf5);
