/** Web workers as ports: work that is heavy continues beside the page, which stays free for the person. */
import { startService, type Port, type Service, type ServicePort, type StarterPort } from '../../engine/index.ts';

const CANCELLED = new Error('cancelled');

/** Work in workers that can be stopped. @param onFailure receives the reason of work that failed, unless it was stopped */
export function createStoppable(onFailure: (reason: string) => void) {
  let stop: (() => void) | undefined;
  return {
    /** @param end ends the workers: for an error with what waits for them, and in any case when the work is over */
    run: async (end: (error?: Error) => void, work: () => Promise<void>): Promise<void> => {
      stop = () => end(CANCELLED);
      try {
        await work();
      } catch (error) {
        if (error !== CANCELLED) onFailure(error instanceof Error ? error.message : String(error));
      } finally {
        stop = undefined;
        end();
      }
    },
    /** What was found so far stays. */
    cancel: (): void => stop?.(),
  };
}

/** @returns waits for a message to itself: what was sent before it is taken first. Quicker than a timer, which waits at least 4 ms. */
export function createYielding(): () => Promise<void> {
  const channel = new MessageChannel();
  const waiting: (() => void)[] = [];
  channel.port1.addEventListener('message', () => waiting.shift()?.());
  channel.port1.start();
  return () =>
    new Promise((resolve) => {
      waiting.push(resolve);
      channel.port2.postMessage(undefined);
    });
}

function brokenDown(why: string): Error {
  return new Error(`the worker broke down: ${why}`);
}

/**
 * The page's end of a worker.
 *
 * @param errorFor the error of a worker that fails without a reason of its own, from the browser's error event
 */
export function workerPort<In, Out>(
  worker: Worker,
  errorFor: (why: string) => Error = brokenDown,
): StarterPort<In, Out> {
  return {
    post: (message, transfer) => worker.postMessage(message, [...transfer]),
    listen: (listener) => worker.addEventListener('message', ({ data }) => listener(data)),
    onFailure(listener) {
      worker.addEventListener('error', ({ message }) =>
        listener(errorFor(message || 'its script could not be loaded')),
      );
      worker.addEventListener('messageerror', () => listener(errorFor('a message could not be read')));
    },
    close: () => worker.terminate(),
  };
}

/** The part of a dedicated worker's scope that is used; the page's types call `self` a window. */
interface WorkerScope {
  postMessage(message: unknown, transfer: readonly Transferable[]): void;
  addEventListener(type: 'message', listener: (event: MessageEvent) => void): void;
}

/** @returns the end of the line to the page, in a worker */
export function portOfThisWorker<In, Out>(): Port<In, Out> {
  const scope = self as unknown as WorkerScope;
  return {
    post: (message, transfer) => scope.postMessage(message, transfer),
    listen: (listener) => scope.addEventListener('message', ({ data }) => listener(data)),
  };
}

/**
 * Has something done in a worker that ends with it.
 *
 * @param work resolves as it is done, or rejects
 * @param listener receives messages that are not answers to a call
 * @throws whatever the work does, Error when the worker breaks down
 */
export async function inWorker<
  Called extends Readonly<Record<keyof Called & string, (argument: never) => unknown>>,
  Event,
  Result,
>(
  port: ServicePort<Called, Event>,
  work: (service: Service<Called>) => Promise<Result>,
  listener: (event: Event, service: Service<Called>) => void = () => undefined,
): Promise<Result> {
  const service: Service<Called> = startService<Called, Event>(port, (event) => listener(event, service));
  try {
    return await work(service);
  } finally {
    service.end();
  }
}
