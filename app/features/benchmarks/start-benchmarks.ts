/** Starts the worker that times benchmarks beside the page. */
import type { BackendName } from '../../../engine/index.ts';
import { workerPort } from '../../workers/worker-port.ts';
import type { BenchmarkStarterPort } from './benchmark-calls.ts';

/** @param backend that the worker opens; it is the worker's name */
export function startBenchmarkWorker(backend: BackendName): BenchmarkStarterPort {
  return workerPort(
    new Worker(new URL('./benchmark-worker.ts', import.meta.url), { type: 'module', name: backend }),
    (why) => new Error(`The worker that times the benchmarks broke down: ${why}`),
  );
}
