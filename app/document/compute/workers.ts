/**
 * The browser's module workers: the one in which a backend of the processor computes a run, its kernel threads, and those that draw
 * states; and the backend of a worker beside that of the run.
 */
import { RunLostError, createReferenceBackend, createWasmBackend, createWebGpuBackend } from '../../../engine/index.ts';
import type {
  BackendName,
  DrawThreads,
  KernelThread,
  RunStarterPort,
  StarterPort,
  ThreadStart,
  Backend,
} from '../../../engine/index.ts';
import { portOfThisWorker, workerPort } from '../../workers/worker-port.ts';

/** A backend that is not of the page's GPU. */
export type ProcessorBackend = Exclude<BackendName, 'webgpu'>;

/** What a worker that computes asks of the page: a kernel thread. */
interface ThreadRequest {
  readonly kernelThread: ThreadStart;
}

/**
 * Starts a thread of the `wasm` backend, from the worker that owns it: it has the page start one, since in a worker of Firefox
 * `new Worker` sometimes never returns. The thread takes part once it is there, and ends when the backend is disposed of.
 */
export function startKernelThread(): KernelThread {
  const page = portOfThisWorker<never, ThreadRequest>();
  return { post: (kernelThread) => page.post({ kernelThread }, []), close: () => undefined };
}

function isThreadRequest(message: unknown): message is ThreadRequest {
  return typeof message === 'object' && message !== null && 'kernelThread' in message;
}

/**
 * The page's end of a worker that computes. The page starts the kernel threads that the worker asks for, and ends them with it.
 *
 * @param errorFor the error of a worker that fails without a reason of its own, from the browser's error event
 */
export function computingPort<In, Out>(worker: Worker, errorFor: (why: string) => Error): StarterPort<In, Out> {
  const port = workerPort<In | ThreadRequest, Out>(worker, errorFor);
  const threads: Worker[] = [];
  let isClosed = false;
  port.listen((message) => {
    // What was asked for before the end may arrive after it.
    if (isClosed || !isThreadRequest(message)) return;
    const thread = new Worker(new URL('./kernel-thread.ts', import.meta.url), {
      type: 'module',
      name: 'shoal kernels',
    });
    thread.postMessage(message.kernelThread, []);
    threads.push(thread);
  });
  return {
    ...port,
    listen: (listener) =>
      port.listen((message) => {
        if (!isThreadRequest(message)) listener(message);
      }),
    close() {
      isClosed = true;
      port.close();
      for (const thread of threads) thread.terminate();
    },
  };
}

/** @param worker in which a run is to be computed */
export function runPort(worker: Worker): RunStarterPort {
  return computingPort(worker, (why) => new RunLostError(`The worker that computes broke down: ${why}`));
}

/** Workers that draw states, started by a page or by one of its workers: in Firefox by the page alone. */
export const drawThreads: DrawThreads = {
  get most() {
    if (typeof document === 'undefined' && navigator.userAgent.includes('Firefox/')) return 0;
    // One core is left to the page.
    return Math.max(1, navigator.hardwareConcurrency - 1);
  },
  start: () =>
    workerPort(
      new Worker(new URL('./draw-worker.ts', import.meta.url), { type: 'module', name: 'shoal draw' }),
      (why) => new Error(`A worker that draws the initial states broke down: ${why}`),
    ),
};

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
