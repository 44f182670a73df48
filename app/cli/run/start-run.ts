/**
 * Where a run of the command line computes. On the GPU in this thread, since the work is elsewhere and the thread stays free;
 * on the processor in a thread of its own, so that Ctrl-C works and the progress bar moves while a cycle is being
 * computed.
 */
import { availableParallelism } from 'node:os';
import { setImmediate as turn } from 'node:timers/promises';
import { createHostPlanes, openRun, openRunHere } from '../../../engine/index.ts';
import type { Backend, BackendName, Run, RunHost, RunJob, RunOptions } from '../../../engine/index.ts';
import type { BackendPlace } from '../select-backend.ts';
import { hdf5In, startThread } from '../thread.ts';

/**
 * What the machine has room for was checked before the run got its folder.
 *
 * @param bundleFolder where the scripts of threads are
 */
export function hostOn(backend: Backend, bundleFolder: string): RunHost {
  return {
    backend,
    planes: createHostPlanes(backend),
    yieldToEventLoop: () => turn(),
    memoryLimitBytes: Infinity,
    drawThreads: {
      most: availableParallelism(),
      start: () => startThread(bundleFolder, 'draw-worker.js', bundleFolder),
    },
    openHdf5: hdf5In(bundleFolder),
  };
}

/** What `engine-worker.ts` is started with. */
export interface EngineWorkerData {
  readonly name: BackendName;
  readonly place: BackendPlace;
}

/** @param backend of this thread; where the run has one of its own, that is of the same kind */
export function startRun(place: BackendPlace, backend: Backend, job: RunJob, options: RunOptions): Run {
  if (backend.name === 'webgpu') return openRunHere(() => hostOn(backend, place.bundleFolder), job, options);
  const data: EngineWorkerData = { name: backend.name, place };
  return openRun(startThread(place.bundleFolder, 'engine-worker.js', data), job, options);
}
