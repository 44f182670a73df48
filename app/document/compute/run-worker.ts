/** The module worker in which a backend of the processor computes a run; `workers.ts` starts it, and names it for the backend. */
import '../../workers/strict-policy.ts';
import {
  compileKernels,
  createCeilingMeasurement,
  createHostPlanes,
  createReferenceBackend,
  createWasmBackend,
  serveRun,
} from '../../../engine/index.ts';
import type { Backend } from '../../../engine/index.ts';
import { createYielding, portOfThisWorker } from '../../workers/worker-port.ts';
import { openHdf5 } from '../../workers/hdf5.ts';
import { createKeptTuning } from './kept-tuning.ts';
import { drawThreads, startKernelThread } from './workers.ts';

const yieldToEventLoop = createYielding();

const tuning = createKeptTuning();

// The first worker is started before it is known what it will compute.
if (self.name === 'wasm') compileKernels();

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
    yieldToEventLoop,
    drawThreads,
    openHdf5,
    measure: () => createCeilingMeasurement(openBackend, tuning),
    free: () => backend.dispose(),
  };
});
