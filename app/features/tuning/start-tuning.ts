/** Starts the worker that tunes a method beside the page. */
import type { BackendName } from '../../../engine/index.ts';
import { workerPort } from '../../workers/worker-port.ts';
import type { TuningStarterPort } from './tuning-calls.ts';

/** @param backend that the worker opens; it is the worker's name */
export function startTuningWorker(backend: BackendName): TuningStarterPort {
  return workerPort(
    new Worker(new URL('./tuning-worker.ts', import.meta.url), { type: 'module', name: backend }),
    (why) => new Error(`The worker that tunes the method broke down: ${why}`),
  );
}
