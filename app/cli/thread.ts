/** Threads of this program as ports: work that is heavy continues beside signals and progress bars, and can be given up. */
import { join } from 'node:path';
import { parentPort, Worker, type ResourceLimits } from 'node:worker_threads';
import { guardHdf5, type KernelThread, type Port, type StarterPort, type OpenHdf5 } from '../../engine/index.ts';

/**
 * Starts a thread.
 *
 * @param script of the bundle, which takes its end of the line by `portOfThisThread`
 * @param data that it finds as `workerData`
 * @param resourceLimits of its own; a thread that goes beyond them ends alone
 */
export function startThread<In, Out>(
  bundleFolder: string,
  script: string,
  data?: unknown,
  resourceLimits?: ResourceLimits,
): StarterPort<In, Out> {
  const worker = new Worker(join(bundleFolder, script), {
    workerData: data,
    ...(resourceLimits && { resourceLimits }),
  });
  let closed = false;
  /** What went wrong while nobody listened. */
  let failure: Error | undefined;
  let fail = (error: Error): void => {
    failure ??= error;
  };
  worker.on('error', (error) => fail(error));
  worker.on('exit', () => {
    if (!closed) fail(new Error(`the thread of ${script} ended before its work did`));
  });
  return {
    post: (message, transfer) => worker.postMessage(message, [...transfer]),
    listen: (listener) => void worker.on('message', listener),
    onFailure(listener) {
      fail = listener;
      if (failure) listener(failure);
    },
    close() {
      closed = true;
      void worker.terminate();
    },
  };
}

/** Starts a thread of the `wasm` backend. It keeps nothing alive: what is idle when the program ends, ends with it. */
export function startKernelThread(bundleFolder: string): KernelThread {
  const worker = new Worker(join(bundleFolder, 'kernel-thread.js'));
  worker.unref();
  return { post: (start) => worker.postMessage(start, []), close: () => void worker.terminate() };
}

/** @returns the end of the line to whoever started this thread. @throws Error in the main thread */
export function portOfThisThread<In, Out>(): Port<In, Out> {
  const port = parentPort;
  if (!port) throw new Error('this module is started as a thread');
  return {
    post: (message, transfer) => port.postMessage(message, [...transfer]),
    listen: (listener) => void port.on('message', listener),
  };
}

/** The library's own memory, bytes: a few of the largest chunks, packed and unpacked. */
const MOST_BYTES = 2 ** 30;
/** Memory for anything else but the file's bytes: lists of names and labels. */
const HEAP_MEBIBYTES = 512;

/** @param bundleFolder where the scripts of threads are */
export function hdf5In(bundleFolder: string): OpenHdf5 {
  const limits = { maxOldGenerationSizeMb: HEAP_MEBIBYTES };
  return guardHdf5(() => startThread(bundleFolder, 'hdf5-worker.js', MOST_BYTES, limits));
}
