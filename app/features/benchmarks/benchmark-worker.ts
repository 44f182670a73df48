/** The module worker in which benchmarks are timed; `benchmarks-state.ts` starts it, and names it for the backend. */
import '../../workers/strict-policy.ts';
import { portOfThisWorker } from '../../workers/worker-port.ts';
import { openNamedBackend } from '../../document/compute/workers.ts';
import { serveBenchmarks } from '../../services/benchmarks.ts';

serveBenchmarks(
  portOfThisWorker(),
  openNamedBackend,
  () =>
    new Promise((resolve) => {
      setTimeout(resolve, 0);
    }),
);
