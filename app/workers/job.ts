/**
 * A piece of work in a worker of its own, so that the page stays free for the person; the worker ends with the work. While it
 * lasts the worker may ask the page for what only the page can get, such as a file.
 */
import { ScenarioError } from '../../engine/index.ts';
import type { Problem } from '../../engine/index.ts';

/** What was thrown, as it crosses: the problems of a scenario stay apart. */
type Failure = { readonly problems: readonly Problem[] } | { readonly message: string };

type ToWorker =
  | { readonly type: 'work'; readonly input: unknown }
  | { readonly type: 'answer'; readonly question: number; readonly answer: unknown }
  | { readonly type: 'no answer'; readonly question: number; readonly failure: Failure };

type FromWorker =
  | { readonly type: 'done'; readonly output: unknown }
  | { readonly type: 'failed'; readonly failure: Failure }
  | { readonly type: 'ask'; readonly question: number; readonly about: unknown };

/** One end of the wire between page and worker. */
export interface Wire {
  post(message: unknown, transfer: Transferable[]): void;
  listen(listener: (message: unknown) => void): void;
}

/** The page's end; `onFailure` hears when the worker breaks down without saying why itself. */
export interface WorkerWire extends Wire {
  onFailure(listener: (message: string) => void): void;
  terminate(): void;
}

/** What crosses is given away where it can be: arrays whose memory nobody else has. */
export interface Crossing<Value> {
  readonly value: Value;
  readonly transfer: Transferable[];
}

/** Answers what a worker asks in the middle of its work. */
export type Answering = (about: unknown) => Promise<Crossing<unknown>>;

function failureOf(error: unknown): Failure {
  if (error instanceof ScenarioError) return { problems: error.problems };
  return { message: error instanceof Error ? error.message : String(error) };
}

function errorOf(failure: Failure): Error {
  return 'problems' in failure ? new ScenarioError(failure.problems) : new Error(failure.message);
}

/** @returns the memory of arrays, each once, to be given away with them */
export function memoryOf(arrays: readonly ArrayBufferView[]): Transferable[] {
  return [...new Set(arrays.map(({ buffer }) => buffer))].filter((buffer) => buffer instanceof ArrayBuffer);
}

/**
 * The worker's side, for one piece of work.
 * @param work `ask` resolves to what the page answers
 */
export function serveJob(
  wire: Wire,
  work: (input: unknown, ask: (about: unknown) => Promise<unknown>) => Promise<Crossing<unknown>>,
): void {
  const waiting: { readonly resolve: (answer: unknown) => void; readonly reject: (error: Error) => void }[] = [];
  const ask = (about: unknown): Promise<unknown> =>
    new Promise((resolve, reject) => {
      const question = waiting.push({ resolve, reject }) - 1;
      wire.post({ type: 'ask', question, about } satisfies FromWorker, []);
    });
  wire.listen((given) => {
    const message = given as ToWorker;
    switch (message.type) {
      case 'work':
        work(message.input, ask).then(
          ({ value, transfer }) => wire.post({ type: 'done', output: value } satisfies FromWorker, transfer),
          (error: unknown) => wire.post({ type: 'failed', failure: failureOf(error) } satisfies FromWorker, []),
        );
        break;
      case 'answer':
        waiting[message.question].resolve(message.answer);
        break;
      case 'no answer':
        waiting[message.question].reject(errorOf(message.failure));
        break;
      default:
        message satisfies never;
    }
  });
}

function refuseToAnswer(): never {
  throw new RangeError('this work asks for nothing');
}

/**
 * The page's side: does a piece of work in a worker, which ends with it.
 * @throws ScenarioError or Error as the work does, Error when the worker breaks down
 */
export async function runJob<Output>(
  wire: WorkerWire,
  { value: input, transfer }: Crossing<unknown>,
  answering: Answering = refuseToAnswer,
): Promise<Output> {
  const answer = async (question: number, about: unknown): Promise<void> => {
    try {
      const { value, transfer: given } = await answering(about);
      wire.post({ type: 'answer', question, answer: value } satisfies ToWorker, given);
    } catch (error) {
      wire.post({ type: 'no answer', question, failure: failureOf(error) } satisfies ToWorker, []);
    }
  };
  try {
    return await new Promise<Output>((resolve, reject) => {
      wire.onFailure((message) => reject(new Error(`the worker broke down: ${message}`)));
      wire.listen((given) => {
        const message = given as FromWorker;
        switch (message.type) {
          case 'done':
            resolve(message.output as Output);
            break;
          case 'failed':
            reject(errorOf(message.failure));
            break;
          case 'ask':
            void answer(message.question, message.about);
            break;
          default:
            message satisfies never;
        }
      });
      wire.post({ type: 'work', input } satisfies ToWorker, transfer);
    });
  } finally {
    wire.terminate();
  }
}

/** The wire to a browser's worker. */
export function wireTo(worker: Worker): WorkerWire {
  return {
    post: (message, transfer) => worker.postMessage(message, transfer),
    listen: (listener) => worker.addEventListener('message', ({ data }) => listener(data)),
    onFailure: (listener) => {
      worker.addEventListener('error', ({ message }) => listener(message || 'its script could not be loaded'));
      worker.addEventListener('messageerror', () => listener('a message could not be read'));
    },
    terminate: () => worker.terminate(),
  };
}

/** The part of a dedicated worker's scope that is used; the page's types call `self` a window. */
interface WorkerScope {
  postMessage(message: unknown, transfer: Transferable[]): void;
  addEventListener(type: 'message', listener: (event: MessageEvent) => void): void;
}

/** The wire to the page, in a worker. */
export function wireToPage(): Wire {
  const scope = self as unknown as WorkerScope;
  return {
    post: (message, transfer) => scope.postMessage(message, transfer),
    listen: (listener) => scope.addEventListener('message', ({ data }) => listener(data)),
  };
}
