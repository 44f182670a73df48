/** The browser's module worker in which the reference backend computes a run. */
import { RunLostError } from '../../../engine/index.ts';
import type { RunStarterPort } from '../../../engine/index.ts';
import { workerPort } from '../../workers/worker-port.ts';

export function startWorker(): RunStarterPort {
  return workerPort(
    new Worker(new URL('./worker.ts', import.meta.url), { type: 'module', name: 'shoal engine' }),
    (why) => new RunLostError(`The worker that computes broke down: ${why}`),
  );
}
