/** The wire between a page and a worker, both in this thread, with a real channel between them: everything is cloned. */
import { MessageChannel } from 'node:worker_threads';
import type { MessagePort, TransferListItem } from 'node:worker_threads';
import type { Wire, WorkerWire } from '../../../app/workers/job.ts';

function wireOf(port: MessagePort): Wire {
  return {
    post: (message, transfer) => port.postMessage(message, transfer as readonly TransferListItem[]),
    listen: (listener) => void port.on('message', listener),
  };
}

export interface Wires {
  readonly page: WorkerWire;
  readonly worker: Wire;
  readonly breakDown: (message: string) => void;
  readonly isTerminated: () => boolean;
}

export function wires(): Wires {
  const { port1, port2 } = new MessageChannel();
  let fail: ((message: string) => void) | undefined;
  let terminated = false;
  return {
    page: {
      ...wireOf(port1),
      onFailure: (listener) => {
        fail = listener;
      },
      terminate() {
        terminated = true;
        port1.close();
      },
    },
    worker: wireOf(port2),
    breakDown: (message) => fail?.(message),
    isTerminated: () => terminated,
  };
}
