/** The module worker that writes what a run needs to continue after its page broke down; `recovery.ts` starts it. */
import '../../workers/strict-policy.ts';
import { portOfThisWorker } from '../../workers/worker-port.ts';
import { serveKeeping } from './recovery-store.ts';

serveKeeping(portOfThisWorker());
