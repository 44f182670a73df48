/**
 * Where a run of the command line computes. On the GPU in this thread, since the work is elsewhere and the thread stays free;
 * on the processor in a thread of its own, so that Ctrl-C works and the progress bar moves while a cycle is being
 * computed.
 */
import { availableParallelism } from 'node:os';
import { setImmediate as turn } from 'node:timers/promises';
import { createHostPlanes, openRun, openRunHere } from '../../../engine/index.ts';
import type { Backend, Run, RunHost, RunJob, RunOptions } from '../../../engine/index.ts';
import type { BackendPlace } from '../open-backend.ts';
import { hdf5In, startThread } from '../thread.ts';
import { startEngineThread, type EarlyThread } from './early-thread.ts';

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

/**
 * @param backend of this thread; where the run has one of its own, that is of the same kind
 * @param early a thread of that kind at such a place, if one was started before
 */
export function startRun(
  place: BackendPlace,
  backend: Backend,
  job: RunJob,
  options: RunOptions,
  early?: EarlyThread,
): Run {
  if (backend.name === 'webgpu') return openRunHere(() => hostOn(backend, place.bundleFolder), job, options);
  return openRun(early?.take(backend.name) ?? startEngineThread(backend.name, place), job, options);
}
