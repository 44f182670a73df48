/**
 * Threads of the `wasm` backend for tests that run from the sources: the thread's own module, with its types taken out, started
 * in a worker of Node.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { transformWithOxc } from 'vite';
import type { KernelThread } from '../../engine/index.ts';

const path = fileURLToPath(new URL('../../engine/compute/wasm/thread-loop.ts', import.meta.url));
const { code } = await transformWithOxc(readFileSync(path, 'utf8'), path, { sourcemap: false });
const loop = code.replaceAll(/^export /gm, '');
const script = `${loop}
require('node:worker_threads').parentPort.once('message', (start) => runThread(start));`;

export function startKernelThread(): KernelThread {
  const worker = new Worker(script, { eval: true });
  worker.unref();
  return { post: (start) => worker.postMessage(start, []), close: () => void worker.terminate() };
}

/** How far a late thread is. */
const POSTED = 1;
const RECEIVING = 2;
const RECEIVED = 3;

const lateScript = `${loop}
const { parentPort, receiveMessageOnPort, workerData } = require('node:worker_threads');
const { state, milliseconds } = workerData;
const reach = (step) => {
  Atomics.store(state, 0, step);
  Atomics.notify(state, 0);
};
Atomics.wait(state, 0, 0);
Atomics.wait(state, 0, ${POSTED}, milliseconds);
reach(${RECEIVING});
const { message: [, start] } = receiveMessageOnPort(parentPort);
reach(${RECEIVED});
runThread(start);`;

export interface LateThread extends KernelThread {
  /** Waits until it has begun to receive what was posted to it. */
  waitUntilReceiving(): void;
  /** @returns whether it has that whole */
  hasReceived(): boolean;
}

/**
 * A thread as on a busy machine.
 *
 * @param milliseconds that it sleeps before it receives what was posted to it
 * @param ballast objects that it receives before that, to be long about it: of a million it has for half a second
 */
export function startLateThread(milliseconds: number, ballast = 0): LateThread {
  const state = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(lateScript, { eval: true, workerData: { state, milliseconds } });
  worker.unref();
  const objects = Array.from({ length: ballast }, (_, index) => ({ index }));
  return {
    post(start) {
      worker.postMessage([objects, start], []);
      Atomics.store(state, 0, POSTED);
      Atomics.notify(state, 0);
    },
    close: () => void worker.terminate(),
    waitUntilReceiving() {
      while (Atomics.load(state, 0) < RECEIVING) Atomics.wait(state, 0, POSTED);
    },
    hasReceived: () => Atomics.load(state, 0) === RECEIVED,
  };
}
