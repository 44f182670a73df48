/** The module worker that answers the papers’ live figures; `papers-state.ts` starts it, and names it for the backend. */
import '../../workers/strict-policy.ts';
import { openNamedBackend } from '../../document/compute/workers.ts';
import { servePapers } from '../../services/papers.ts';
import { portOfThisWorker } from '../../workers/worker-port.ts';

servePapers(portOfThisWorker(), openNamedBackend);
