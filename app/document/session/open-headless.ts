/** Opens a run that nobody looks at, on the backend of one that is there: its planes come as numbers in memory. */
import { createHostPlanes, openRun, openRunHere } from '../../../engine/index.ts';
import type { BackendName, Run, RunJob, RunOptions } from '../../../engine/index.ts';
import type { SessionSurroundings } from './open-session.ts';
import { pageHost } from './page-host.ts';

/** @throws BackendError where the backend is not there any more */
export type OpenHeadless = (backend: BackendName, job: RunJob, options: RunOptions) => Promise<Run>;

export function openHeadlessIn({
  openGpu,
  startWorker,
  drawThreads,
  openHdf5,
}: Omit<SessionSurroundings, 'findAdapter'>): OpenHeadless {
  return async (backend, job, options) => {
    if (backend !== 'webgpu') return openRun(startWorker(backend), job, options);
    const gpu = await openGpu();
    return openRunHere(() => pageHost(gpu, drawThreads, openHdf5, createHostPlanes), job, options);
  };
}
