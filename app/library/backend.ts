/** Where the numbers are computed, for programs in Node and for pages. */
import { ArgumentError, assertOptions, having, oneOf, wholeBetween } from './arguments.ts';
import { availableThreads, hasThreads, threadStarter } from './thread.ts';
import { createReferenceBackend, createWasmBackend, createWebGpuBackend } from '../../engine/index.ts';
import type { Backend } from '../../engine/index.ts';

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
