/** Threads of the `wasm` backend, in Node and in a page: the same script, started as each starts threads. */
import type { KernelThread, ThreadStart } from '../../engine/index.ts';

/** What a page has of this; there is none in Node. */
interface PageWorker {
  postMessage(start: ThreadStart, transfer: readonly never[]): void;
  terminate(): void;
}
type PageWorkers = new (script: URL, options: { readonly type: 'module' }) => PageWorker;

/** Beside this module, once it is built. */
const SCRIPT = 'kernel-thread.js';

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

/** @returns what starts a thread */
export async function threadStarter(): Promise<() => KernelThread> {
  const script = new URL(SCRIPT, import.meta.url);
  const Page = pageWorkers();
  if (Page) {
    return () => {
      const worker = new Page(script, { type: 'module' });
      return { post: (start) => worker.postMessage(start, []), close: () => worker.terminate() };
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
