/** The module worker in which a backend of the processor computes a run; `start-worker.ts` starts it, and names it for the backend. */
import '../../workers/strict-policy.ts';
import {
  createCeilingMeasurement,
  createHostPlanes,
  createReferenceBackend,
  createWasmBackend,
  serveRun,
} from '../../../engine/index.ts';
import type { Backend } from '../../../engine/index.ts';
import { portOfThisWorker } from '../../workers/worker-port.ts';
import { createKeptTuning } from './kept-tuning.ts';
import { drawThreads, startKernelThread } from './start-worker.ts';

/** Waits for a message to itself: what was sent before it is taken first. Quicker than a timer, which waits at least 4 ms. */
function createBreath(): () => Promise<void> {
  const channel = new MessageChannel();
  let awaited: (() => void) | undefined;
  channel.port1.addEventListener('message', () => awaited?.());
  channel.port1.start();
  return () =>
    new Promise((resolve) => {
      awaited = resolve;
      channel.port2.postMessage(undefined);
    });
}

const breathe = createBreath();

const tuning = createKeptTuning();

/** The backend that the worker is named for. */
async function openBackend(): Promise<Backend> {
  if (self.name !== 'wasm') return createReferenceBackend();
  return createWasmBackend({
    threads: navigator.hardwareConcurrency,
    startThread: startKernelThread,
    findTuning: tuning.find,
  });
}

serveRun(portOfThisWorker(), async () => {
  const backend = await openBackend();
  return {
    backend,
    planes: createHostPlanes(backend),
    breathe,
    drawThreads,
    measure: () => createCeilingMeasurement(openBackend, tuning),
    free: () => backend.dispose(),
  };
});
