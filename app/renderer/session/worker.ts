/** The module worker in which a backend of the processor computes a run; `start-worker.ts` starts it, and names it for the backend. */
import '../../workers/strict-policy.ts';
import {
  createCeilingMeasurement,
  createHostPlanes,
  createReferenceBackend,
  createWasmBackend,
  serveRun,
} from '../../../engine/index.ts';
import type { Backend, KernelThread, RunHostPort } from '../../../engine/index.ts';

/** The part of a dedicated worker's scope that is used; the page's types call `self` a window. */
interface WorkerScope {
  readonly name: string;
  postMessage(message: unknown, transfer: readonly Transferable[]): void;
  addEventListener(type: 'message', listener: (event: MessageEvent) => void): void;
}

const scope = self as unknown as WorkerScope;
const port: RunHostPort = {
  post: (message, transfer) => scope.postMessage(message, transfer),
  listen: (listener) => scope.addEventListener('message', ({ data }) => listener(data)),
};

/** A message to itself: what was sent before it is taken first. Quicker than a timer, which waits at least 4 ms. */
const channel = new MessageChannel();
let awaited: (() => void) | undefined;
channel.port1.addEventListener('message', () => awaited?.());
channel.port1.start();

function breathe(): Promise<void> {
  return new Promise((resolve) => {
    awaited = resolve;
    channel.port2.postMessage(undefined);
  });
}

function startKernelThread(): KernelThread {
  const worker = new Worker(new URL('./kernel-thread.ts', import.meta.url), { type: 'module', name: 'shoal kernels' });
  return { post: (start) => worker.postMessage(start, []), close: () => worker.terminate() };
}

async function openBackend(): Promise<Backend> {
  if (scope.name !== 'wasm') return createReferenceBackend();
  return createWasmBackend({ threads: navigator.hardwareConcurrency, startThread: startKernelThread });
}

serveRun(port, async () => {
  const backend = await openBackend();
  return {
    backend,
    planes: createHostPlanes(backend),
    breathe,
    measure: () => createCeilingMeasurement(openBackend),
    free: () => backend.dispose(),
  };
});
