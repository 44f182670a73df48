/** Starts the worker that checks a backend beside the page. */
import type { BackendName } from '../../../engine/index.ts';
import type { CheckStarterPort } from '../../check/check-calls.ts';
import { workerPort } from '../../workers/worker-port.ts';

/** @param backend that the worker opens; it is the worker's name */
export function startCheckWorker(backend: BackendName): CheckStarterPort {
  return workerPort(
    new Worker(new URL('./check-worker.ts', import.meta.url), { type: 'module', name: backend }),
    (why) => new Error(`The worker that checks the installation broke down: ${why}`),
  );
}
