/** The module worker in which the reference backend runs; `worker-session.ts` starts it. */
import '../../workers/strict-policy.ts';
import { serveSession } from './worker-server.ts';
import type { ToWorker } from './worker-protocol.ts';

/** The part of a dedicated worker's scope that is used; the page's types call `self` a window. */
interface WorkerScope {
  postMessage(message: unknown, transfer: readonly Transferable[]): void;
  addEventListener(type: 'message', listener: (event: MessageEvent<ToWorker>) => void): void;
}

const scope = self as unknown as WorkerScope;

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

serveSession(
  {
    post: (message, transfer) => scope.postMessage(message, transfer),
    listen: (listener) => scope.addEventListener('message', ({ data }) => listener(data)),
  },
  breathe,
);
