/** Where the numbers are computed, for programs in Node and for pages. */
import { ArgumentError, assertOptions, having, oneOf, wholeBetween } from './scenario.ts';
import { createReferenceBackend, createWasmBackend, createWebGpuBackend, guardHdf5 } from '../../engine/index.ts';
import type { Backend, KernelThread, StarterPort, ThreadStart, OpenHdf5 } from '../../engine/index.ts';

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
function hasThreads(): boolean {
  const { crossOriginIsolated = true, document } = globalThis as {
    readonly crossOriginIsolated?: boolean;
    readonly document?: unknown;
  };
  return crossOriginIsolated && document === undefined && typeof SharedArrayBuffer === 'function';
}

/** @returns how many threads this machine has */
async function availableThreads(): Promise<number> {
  if (pageWorkers()) {
    const { navigator } = globalThis as { readonly navigator?: { readonly hardwareConcurrency?: number } };
    return navigator?.hardwareConcurrency ?? 1;
  }
  const { availableParallelism } = await import('node:os');
  return availableParallelism();
}

/** @returns what starts a thread of kernels */
async function threadStarter(): Promise<() => KernelThread> {
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
async function hdf5ThreadStarter<In, Out>(heapMebibytes: number): Promise<() => StarterPort<In, Out>> {
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

/** What a backend is opened with. */
export interface BackendOptions {
  /**
   * `reference`: plain float64, what the others are held to. `wasm`: float32 in SIMD on the processor. `webgpu`: float32 on a
   * GPU. `wasm` if omitted.
   */
  readonly name?: Backend['name'];
  /**
   * Threads that compute on `wasm`, by default as many as the machine has; one in a window and in a page that is not
   * isolated from other origins, so that long runs are for a worker. Their number changes no result.
   */
  readonly threads?: number;
  /** The GPU of `webgpu`: the browser's `navigator.gpu`, or what a package like `webgpu` gives under Node. */
  readonly gpu?: GPU;
}

const NAMES = ['reference', 'wasm', 'webgpu'] as const satisfies readonly Backend['name'][];
const OPTIONS = {
  name: oneOf(NAMES),
  threads: wholeBetween(1, 1024),
  gpu: having(['requestAdapter'], 'a GPU, as the browser has in navigator.gpu'),
};

/**
 * Opens a backend. Whoever opens it disposes it, after all that was made on it.
 *
 * @throws BackendError if this machine cannot have it, with what is missing
 * @throws ArgumentError for an option that is not known or has a value that is not allowed, and for `webgpu` without a `gpu`
 */
export async function openBackend(options: BackendOptions = {}): Promise<Backend> {
  assertOptions('openBackend', options, OPTIONS);
  const { name = 'wasm', threads, gpu } = options;
  switch (name) {
    case 'reference':
      return createReferenceBackend();
    case 'wasm': {
      const wanted = hasThreads() ? (threads ?? (await availableThreads())) : 1;
      if (wanted <= 1) return createWasmBackend();
      return createWasmBackend({ threads: wanted, startThread: await threadStarter() });
    }
    case 'webgpu':
      if (gpu === undefined)
        throw new ArgumentError('openBackend: webgpu needs a gpu, as the browser has in navigator.gpu');
      return createWebGpuBackend(gpu);
    default:
      return name satisfies never;
  }
}

/** Memory for what is neither the library's own nor the file's bytes: lists of names and labels. */
const HEAP_MEBIBYTES = 512;

/** HDF5 files in a program: each in a thread of its own, which is ended where it does not come back. */
export const openHdf5: OpenHdf5 = async (content, name) => {
  const open = guardHdf5(await hdf5ThreadStarter(HEAP_MEBIBYTES));
  return open(content, name);
};
