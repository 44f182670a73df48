/** The module worker in which the reference backend computes a run; `start-worker.ts` starts it. */
import '../../workers/strict-policy.ts';
import { createCeilingMeasurement, createHostPlanes, createReferenceBackend, serveRun } from '../../../engine/index.ts';
import type { RunHostPort } from '../../../engine/index.ts';

/** The part of a dedicated worker's scope that is used; the page's types call `self` a window. */
interface WorkerScope {
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

serveRun(port, () => {
  const backend = createReferenceBackend();
  return {
    backend,
    planes: createHostPlanes(backend),
    breathe,
    measure: () => createCeilingMeasurement(() => Promise.resolve(createReferenceBackend())),
  };
});
