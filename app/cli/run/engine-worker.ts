/** The thread in which the reference backend computes a run; `start-run.ts` starts it. */
import { createReferenceBackend, serveRun } from '../../../engine/index.ts';
import { portOfThisThread } from '../thread.ts';
import { hostOn } from './start-run.ts';

serveRun(portOfThisThread(), () => hostOn(createReferenceBackend(), import.meta.dirname));
