/** The line between a page and a worker, both in this thread, with a real channel between them: everything is cloned. */
import { MessageChannel } from 'node:worker_threads';
import type { MessagePort } from 'node:worker_threads';
import type { Port, StarterPort } from '../../../engine/index.ts';

function portOf<In, Out>(port: MessagePort): Port<In, Out> {
  return {
    post: (message, transfer) => port.postMessage(message, [...transfer]),
    listen: (listener) => void port.on('message', listener),
  };
}

export interface Wires<ToWorker, FromWorker> {
  readonly page: StarterPort<FromWorker, ToWorker>;
  readonly worker: Port<ToWorker, FromWorker>;
  readonly breakDown: (message: string) => void;
  readonly isTerminated: () => boolean;
}

export function wires<ToWorker, FromWorker>(): Wires<ToWorker, FromWorker> {
  const { port1, port2 } = new MessageChannel();
  let fail: ((error: Error) => void) | undefined;
  let terminated = false;
  return {
    page: {
      ...portOf(port1),
      onFailure: (listener) => {
        fail = listener;
      },
      close() {
        terminated = true;
        port1.close();
      },
    },
    worker: portOf(port2),
    breakDown: (message) => fail?.(new Error(message)),
    isTerminated: () => terminated,
  };
}
