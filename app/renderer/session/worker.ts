/** The module worker in which the reference backend computes a run; `start-worker.ts` starts it. */
import '../../workers/strict-policy.ts';
import { createCeilingMeasurement, createHostPlanes, createReferenceBackend, serveRun } from '../../../engine/index.ts';
import { drawThreads } from './start-worker.ts';
import { portOfThisWorker } from './worker-port.ts';

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

serveRun(portOfThisWorker(), () => {
  const backend = createReferenceBackend();
  return {
    backend,
    planes: createHostPlanes(backend),
    breathe,
    drawThreads,
    measure: () => createCeilingMeasurement(() => Promise.resolve(createReferenceBackend())),
  };
});
