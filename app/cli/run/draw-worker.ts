/** A thread that draws the states that a run begins with; `start-run.ts` says where it is. */
import { workerData } from 'node:worker_threads';
import { serveDraws } from '../../../engine/index.ts';
import { hdf5In, portOfThisThread } from '../thread.ts';

/** Where the scripts of threads are. */
const bundleFolder = workerData as string;
serveDraws(portOfThisThread(), hdf5In(bundleFolder));
