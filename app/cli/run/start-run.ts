/**
 * Where a run of the command line computes. On the GPU in this thread, since the work is elsewhere and the thread stays free;
 * on the processor in a thread of its own, so that Ctrl-C works and the progress bar moves while a cycle is being
 * computed.
 */
import { availableParallelism } from 'node:os';
import { setImmediate as turn } from 'node:timers/promises';
import { createHostPlanes, openRun, openRunHere } from '../../../engine/index.ts';
import type { Backend, BackendName, Run, RunHost, RunJob, RunOptions, RunStarterPort } from '../../../engine/index.ts';
import type { BackendPlace, Selection } from '../select-backend.ts';
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

function startEngineThread(name: BackendName, place: BackendPlace): RunStarterPort {
  const data: EngineWorkerData = { name, place };
  return startThread(place.bundleFolder, 'engine-worker.js', data);
}

/** The thread of a run that is to come. */
export interface EarlyThread {
  /** @returns it, once, if it computes on such a backend */
  take(name: BackendName): RunStarterPort | undefined;
  /** Ends it if it was not taken. */
  close(): void;
}

/** Starts the thread of a run as soon as it is known that the processor computes, while other things are done. */
export function startEarly(selecting: Promise<Selection>, place: BackendPlace): EarlyThread {
  let thread: { readonly name: BackendName; readonly port: RunStarterPort } | undefined;
  let closed = false;
  const start = (selection: Selection): void => {
    if (closed || selection.kind !== 'here' || selection.name === 'webgpu') return;
    const { name } = selection;
    thread = { name, port: startEngineThread(name, place) };
  };
  selecting.then(start, () => undefined);
  return {
    take(name) {
      if (thread?.name !== name) return undefined;
      const { port } = thread;
      thread = undefined;
      return port;
    },
    close() {
      closed = true;
      thread?.port.close();
      thread = undefined;
    },
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
