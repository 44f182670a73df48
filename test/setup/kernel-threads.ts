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
const script = `${code.replaceAll(/^export /gm, '')}
require('node:worker_threads').parentPort.once('message', (start) => runThread(start));`;

export function startKernelThread(): KernelThread {
  const worker = new Worker(script, { eval: true });
  worker.unref();
  return { post: (start) => worker.postMessage(start, []), close: () => void worker.terminate() };
}
