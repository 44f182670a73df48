/** The module worker in which the reference backend computes a run; `start-worker.ts` starts it. */
import '../../workers/strict-policy.ts';
import { createCeilingMeasurement, createHostPlanes, createReferenceBackend, serveRun } from '../../../engine/index.ts';
import { portOfThisWorker } from '../../workers/worker-port.ts';
import { drawThreads } from './start-worker.ts';

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
