/** The module worker in which a backend is checked; `index.tsx` starts it, and names it for the backend. */
import '../../workers/strict-policy.ts';
import { serveCheck } from '../../services/check.ts';
import { portOfThisWorker } from '../../workers/worker-port.ts';
import { openNamedBackend } from '../../document/compute/workers.ts';

serveCheck(
  portOfThisWorker(),
  openNamedBackend,
  () =>
    new Promise((resolve) => {
      setTimeout(resolve, 0);
    }),
);
