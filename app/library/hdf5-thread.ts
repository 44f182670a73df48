/** A thread that reads one HDF5 file; `backend.ts` starts it, and ends it where it does not come back. */
import { serveHdf5, type Hdf5HostPort } from '../../engine/index.ts';

/** What a worker of a page has of this; a thread of Node has none of it. */
interface PageThread {
  readonly importScripts?: unknown;
  postMessage?(message: unknown, transfer: readonly ArrayBuffer[]): void;
  addEventListener?(type: 'message', listener: (message: { readonly data: unknown }) => void): void;
}

type Message = Parameters<Parameters<Hdf5HostPort['listen']>[0]>[0];

const page = globalThis as PageThread;
if (page.importScripts) {
  serveHdf5({
    post: (message, transfer) => page.postMessage?.(message, transfer),
    listen: (listener) => page.addEventListener?.('message', ({ data }) => listener(data as Message)),
  });
} else {
  const { parentPort } = await import('node:worker_threads');
  serveHdf5({
    post: (message, transfer) => parentPort?.postMessage(message, [...transfer]),
    listen: (listener) => void parentPort?.on('message', listener),
  });
}
