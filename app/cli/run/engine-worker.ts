/** The thread in which a backend of the processor computes a run; `early-thread.ts` starts it. */
import { workerData } from 'node:worker_threads';
import { serveRun } from '../../../engine/index.ts';
import { openBackend } from '../open-backend.ts';
import { portOfThisThread } from '../thread.ts';
import type { EngineWorkerData } from './early-thread.ts';
import { hostOn } from './start-run.ts';

const { name, place } = workerData as EngineWorkerData;
/** Begun before a run is opened, which is when the scenario was read in the thread that started this one. */
const opening = openBackend(name, place);
// The run that is opened reports it.
opening.catch(() => undefined);
serveRun(portOfThisThread(), async () => {
  const backend = await opening;
  return { ...hostOn(backend, place.bundleFolder), free: () => backend.dispose() };
});
