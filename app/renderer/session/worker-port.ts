/** The end of a worker's line to whoever started it. */
import type { Port } from '../../../engine/index.ts';

/** The part of a dedicated worker's scope that is used; the page's types call `self` a window. */
interface WorkerScope {
  postMessage(message: unknown, transfer: readonly Transferable[]): void;
  addEventListener(type: 'message', listener: (event: MessageEvent) => void): void;
}

/** @returns the end of this worker */
export function portOfThisWorker<In, Out>(): Port<In, Out> {
  const scope = self as unknown as WorkerScope;
  return {
    post: (message, transfer) => scope.postMessage(message, transfer),
    listen: (listener) => scope.addEventListener('message', ({ data }) => listener(data as In)),
  };
}
