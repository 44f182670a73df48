/** A thread of the `wasm` backend: with its first message it gets the memory and works from then on until the backend is disposed of. */
import { runThread, type ThreadStart } from '../../engine/index.ts';

/** What a worker of a page has of this; a thread of Node has none of it. */
interface PageThread {
  readonly importScripts?: unknown;
  addEventListener?(type: 'message', listener: (message: { readonly data: ThreadStart }) => void): void;
}

const page = globalThis as PageThread;
if (page.importScripts) {
  page.addEventListener?.('message', ({ data }) => runThread(data));
} else {
  const { parentPort } = await import('node:worker_threads');
  parentPort?.on('message', (start: ThreadStart) => runThread(start));
}
