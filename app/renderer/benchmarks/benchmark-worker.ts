/** The module worker in which benchmarks are timed; `start-benchmarks.ts` starts it, and names it for the backend. */
import '../../workers/strict-policy.ts';
import { createReferenceBackend, createWasmBackend, createWebGpuBackend } from '../../../engine/index.ts';
import type { Backend } from '../../../engine/index.ts';
import { portOfThisWorker } from '../../workers/worker-port.ts';
import { startKernelThread } from '../session/start-worker.ts';
import { serveBenchmarks } from './serve-benchmarks.ts';

/** The backend that the worker is named for. @throws BackendError */
async function openBackend(): Promise<Backend> {
  switch (self.name) {
    case 'webgpu':
      return createWebGpuBackend(navigator.gpu);
    case 'wasm':
      return createWasmBackend({ threads: navigator.hardwareConcurrency, startThread: startKernelThread });
    default:
      return createReferenceBackend();
  }
}

serveBenchmarks(
  portOfThisWorker(),
  openBackend,
  () =>
    new Promise((resolve) => {
      setTimeout(resolve, 0);
    }),
);
