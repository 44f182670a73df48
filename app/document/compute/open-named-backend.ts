/** The backend of a worker of its own, beside that of the run: the worker's name says which. */
import { createReferenceBackend, createWasmBackend, createWebGpuBackend, type Backend } from '../../../engine/index.ts';
import { startKernelThread } from './workers.ts';

/** @param threads of the `wasm` backend. @throws BackendError */
export async function openNamedBackend(threads: number = navigator.hardwareConcurrency): Promise<Backend> {
  switch (self.name) {
    case 'webgpu':
      return createWebGpuBackend(navigator.gpu);
    case 'wasm':
      return createWasmBackend({ threads, startThread: startKernelThread });
    default:
      return createReferenceBackend();
  }
}
