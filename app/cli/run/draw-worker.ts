/** A thread that draws the states that a run begins with; `start-run.ts` says where it is. */
import { serveDraws } from '../../../engine/index.ts';
import { portOfThisThread } from '../thread.ts';

serveDraws(portOfThisThread());
