/** Threads of this program as ports: work that is heavy goes on beside signals and progress bars, and can be given up. */
import { join } from 'node:path';
import { parentPort, Worker } from 'node:worker_threads';
import type { Port, StarterPort } from '../../engine/index.ts';

/**
 * Starts a thread.
 *
 * @param script of the bundle, which takes its end of the line by `portOfThisThread`
 */
export function startThread<In, Out>(bundleFolder: string, script: string): StarterPort<In, Out> {
  const worker = new Worker(join(bundleFolder, script));
  let closed = false;
  return {
    post: (message, transfer) => worker.postMessage(message, [...transfer]),
    listen: (listener) => void worker.on('message', listener),
    onFailure(listener) {
      worker.on('error', listener);
      worker.on('exit', () => {
        if (!closed) listener(new Error(`the thread of ${script} ended before its work did`));
      });
    },
    close() {
      closed = true;
      void worker.terminate();
    },
  };
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
