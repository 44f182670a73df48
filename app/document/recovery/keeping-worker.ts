/** The module worker that writes what a run needs to continue after its page broke down; `recovery.ts` starts it. */
import { portOfThisWorker } from '../../workers/worker-port.ts';
import { serveKeeping } from './keeping.ts';

serveKeeping(portOfThisWorker());
