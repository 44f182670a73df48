/** The line between a page and a worker, both in this thread, with a real channel between them: everything is cloned. */
import { MessageChannel } from 'node:worker_threads';
import type { MessagePort } from 'node:worker_threads';
import type { HostPort, Port, ServicePort } from '../../../engine/index.ts';

function portOf<In, Out>(port: MessagePort): Port<In, Out> {
  return {
    post: (message, transfer) => port.postMessage(message, [...transfer]),
    listen: (listener) => void port.on('message', listener),
  };
}

export interface Wires<Called, Event> {
  readonly page: ServicePort<Called, Event>;
  readonly worker: HostPort<Called, Event>;
  readonly breakDown: (message: string) => void;
  readonly isTerminated: () => boolean;
}

export function wires<Called, Event = never>(): Wires<Called, Event> {
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
