/** The module worker that writes what a run needs to go on after its page broke down; `recovery.ts` starts it. */
import { portOfThisWorker } from '../../workers/worker-port.ts';
import { serveKeeping } from './keeping-calls.ts';

serveKeeping(portOfThisWorker());
