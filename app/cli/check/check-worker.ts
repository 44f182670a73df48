/** The thread in which a backend of the processor is checked, so that Ctrl-C is noticed; `execute.ts` starts it. */
import { setImmediate as turn } from 'node:timers/promises';
import { workerData } from 'node:worker_threads';
import { serveCheck } from '../../services/check.ts';
import type { EngineWorkerData } from '../run/early-thread.ts';
import { openBackend } from '../open-backend.ts';
import { portOfThisThread } from '../thread.ts';

const { name, place } = workerData as EngineWorkerData;
serveCheck(
  portOfThisThread(),
  () => openBackend(name, place),
  () => turn(),
);
