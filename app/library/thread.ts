/** Threads of this library, in Node and in a page: the same scripts, started as each starts threads. */
import type { KernelThread, StarterPort, ThreadStart } from '../../engine/index.ts';

/** What a page has of this; there is none in Node. */
interface PageWorker {
  postMessage(message: unknown, transfer: readonly ArrayBuffer[]): void;
  addEventListener(type: 'message', listener: (event: { readonly data: unknown }) => void): void;
  addEventListener(type: 'error' | 'messageerror', listener: (event: { readonly message?: string }) => void): void;
  terminate(): void;
}
type PageWorkers = new (script: URL, options: { readonly type: 'module' }) => PageWorker;

/** Beside this module, once it is built. */
const KERNEL_SCRIPT = 'kernel-thread.js';
const HDF5_SCRIPT = 'hdf5-thread.js';

function pageWorkers(): PageWorkers | undefined {
  return (globalThis as { readonly Worker?: PageWorkers }).Worker;
}

/**
 * Threads share memory, which a page may do where it is isolated from other origins; and the one that owns them waits for the
 * others, which a window may not, but a worker of its own may.
 */
export function hasThreads(): boolean {
  const { crossOriginIsolated = true, document } = globalThis as {
    readonly crossOriginIsolated?: boolean;
    readonly document?: unknown;
  };
  return crossOriginIsolated && document === undefined && typeof SharedArrayBuffer === 'function';
}

/** @returns how many threads this machine has */
export async function availableThreads(): Promise<number> {
  if (pageWorkers()) {
    const { navigator } = globalThis as { readonly navigator?: { readonly hardwareConcurrency?: number } };
    return navigator?.hardwareConcurrency ?? 1;
  }
  const { availableParallelism } = await import('node:os');
  return availableParallelism();
}

/** @returns what starts a thread of kernels */
export async function threadStarter(): Promise<() => KernelThread> {
  const script = new URL(KERNEL_SCRIPT, import.meta.url);
  const Page = pageWorkers();
  if (Page) {
    return () => {
      const worker = new Page(script, { type: 'module' });
      return { post: (start: ThreadStart) => worker.postMessage(start, []), close: () => worker.terminate() };
    };
  }
  const { Worker } = await import('node:worker_threads');
  return () => {
    const worker = new Worker(script);
    // What is idle when the program ends, ends with it.
    worker.unref();
    return { post: (start) => worker.postMessage(start, []), close: () => void worker.terminate() };
  };
}

/** @returns what starts a thread that reads an HDF5 file. @param heapMebibytes that its lists may take, in Node */
export async function hdf5ThreadStarter<In, Out>(heapMebibytes: number): Promise<() => StarterPort<In, Out>> {
  const script = new URL(HDF5_SCRIPT, import.meta.url);
  const Page = pageWorkers();
  if (Page) {
    return () => {
      const worker = new Page(script, { type: 'module' });
      return {
        post: (message, transfer) => worker.postMessage(message, [...transfer]),
        listen: (listener) => worker.addEventListener('message', ({ data }) => listener(data as In)),
        onFailure(listener) {
          const tell = ({ message }: { readonly message?: string }): void =>
            listener(new Error(message ?? 'its script could not be loaded'));
          worker.addEventListener('error', tell);
          worker.addEventListener('messageerror', tell);
        },
        close: () => worker.terminate(),
      };
    };
  }
  const { Worker } = await import('node:worker_threads');
  return () => {
    const worker = new Worker(script, { resourceLimits: { maxOldGenerationSizeMb: heapMebibytes } });
    return {
      post: (message, transfer) => worker.postMessage(message, [...transfer]),
      listen: (listener) => void worker.on('message', listener),
      onFailure: (listener) => void worker.on('error', listener),
      close: () => void worker.terminate(),
    };
  };
}
