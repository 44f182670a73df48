/** The module worker in which a backend is checked; `start-check.ts` starts it, and names it for the backend. */
import '../../workers/strict-policy.ts';
import { serveCheck } from '../../check/check-calls.ts';
import { portOfThisWorker } from '../../workers/worker-port.ts';
import { openNamedBackend } from '../../document/session/open-named-backend.ts';

serveCheck(
  portOfThisWorker(),
  openNamedBackend,
  () =>
    new Promise((resolve) => {
      setTimeout(resolve, 0);
    }),
);
