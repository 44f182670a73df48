/** The thread in which a backend of the processor computes a run; `start-run.ts` starts it. */
import { workerData } from 'node:worker_threads';
import { serveRun } from '../../../engine/index.ts';
import { openBackend } from '../select-backend.ts';
import { portOfThisThread } from '../thread.ts';
import { hostOn, type EngineWorkerData } from './start-run.ts';

const { name, place } = workerData as EngineWorkerData;
serveRun(portOfThisThread(), async () => {
  const backend = await openBackend(name, place);
  return { ...hostOn(backend, place.bundleFolder), free: () => backend.dispose() };
});
