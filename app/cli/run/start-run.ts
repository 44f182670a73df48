/**
 * Where a run of the command line computes. On the GPU in this thread, since the work is elsewhere and the thread stays free;
 * on the reference backend in a thread of its own, so that Ctrl-C is heard and the progress bar moves while a cycle is being
 * computed.
 */
import { availableParallelism } from 'node:os';
import { setImmediate as turn } from 'node:timers/promises';
import { createHostPlanes, openRun, openRunHere } from '../../../engine/index.ts';
import type { Backend, Run, RunHost, RunJob, RunOptions } from '../../../engine/index.ts';
import { startThread } from '../thread.ts';

/**
 * What the machine has room for was checked before the run got its folder.
 *
 * @param bundleFolder where the scripts of threads are
 */
export function hostOn(backend: Backend, bundleFolder: string): RunHost {
  return {
    backend,
    planes: createHostPlanes(backend),
    breathe: () => turn(),
    memoryLimitBytes: Infinity,
    drawThreads: { most: availableParallelism(), start: () => startThread(bundleFolder, 'draw-worker.js') },
  };
}

export function startRun(bundleFolder: string, backend: Backend, job: RunJob, options: RunOptions): Run {
  return backend.name === 'reference'
    ? openRun(startThread(bundleFolder, 'engine-worker.js'), job, options)
    : openRunHere(() => hostOn(backend, bundleFolder), job, options);
}
