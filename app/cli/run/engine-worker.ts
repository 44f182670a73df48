/** The thread in which a backend of the processor computes a run; `early-thread.ts` starts it. */
import { workerData } from 'node:worker_threads';
import { serveRun } from '../../../engine/index.ts';
import { openBackend } from '../open-backend.ts';
import { portOfThisThread } from '../thread.ts';
import type { EngineWorkerData } from './early-thread.ts';
import { hostOn } from './start-run.ts';

const { name, place } = workerData as EngineWorkerData;
serveRun(portOfThisThread(), async () => {
  const backend = await openBackend(name, place);
  return { ...hostOn(backend, place.bundleFolder), free: () => backend.dispose() };
});
