/** The reference backend in a thread of its own: it can be listened to while it computes, and given up at any time. */
import { createCaller, fromPlainError, StoppedError } from '../../../engine/index.ts';
import type {
  BenchBackend,
  BenchListener,
  BenchmarkRow,
  BenchOptions,
  Caller,
  CallMessage,
  HostMessage,
  PlainError,
  StarterPort,
} from '../../../engine/index.ts';
import { startThread } from '../thread.ts';

/** What the thread does. */
// A type, not an interface: it has to be a record of functions.
export type BenchCommands = {
  /** The benchmarks of these names, one after the other, each within a budget as `measure` has it. */
  readonly measure: (asked: {
    readonly names: readonly string[];
    readonly budgetMilliseconds: number | undefined;
  }) => void;
  /** One run of a benchmark, for others to be compared with. */
  readonly result: (name: string) => Float64Array;
};

/** What it says meanwhile. */
export type BenchEvent =
  | { readonly type: 'opened'; readonly backend: BenchBackend }
  | { readonly type: 'begin'; readonly name: string }
  | { readonly type: 'row'; readonly row: BenchmarkRow }
  | { readonly type: 'failed'; readonly name: string; readonly failure: PlainError };

/** A comparison is worth waiting for this long. */
const COMPARISON_SECONDS = 5;

/**
 * Has something done in a thread that ends with it.
 *
 * @param work resolves as it is done, or rejects
 * @throws StoppedError when the signal says so
 */
async function inThread<Result>(
  bundleFolder: string,
  signal: AbortSignal,
  listener: (event: BenchEvent) => void,
  work: (caller: Caller<BenchCommands>) => Promise<Result>,
): Promise<Result> {
  if (signal.aborted) throw new StoppedError('stopped');
  const port: StarterPort<HostMessage<BenchEvent>, CallMessage<keyof BenchCommands>> = startThread(
    bundleFolder,
    'bench-worker.js',
  );
  const caller = createCaller<BenchCommands, BenchEvent>(port, listener);
  const stop = (): void => caller.close(new StoppedError('stopped'));
  signal.addEventListener('abort', stop, { once: true });
  try {
    return await work(caller);
  } finally {
    signal.removeEventListener('abort', stop);
    port.close();
  }
}

/** The benchmarks of these names on the reference backend. @throws StoppedError */
export function driveInThread(
  bundleFolder: string,
  names: readonly string[],
  listener: BenchListener,
  { budgetMilliseconds, signal }: Pick<BenchOptions, 'budgetMilliseconds' | 'signal'>,
): Promise<void> {
  const hear = (event: BenchEvent): void => {
    switch (event.type) {
      case 'opened':
        listener.opened(event.backend);
        break;
      case 'begin':
        listener.begin(event.name);
        break;
      case 'row':
        listener.row(event.row);
        break;
      case 'failed':
        listener.failed(event.name, fromPlainError(event.failure));
        break;
      default:
        event satisfies never;
    }
  };
  return inThread(bundleFolder, signal, hear, (caller) => caller.call('measure', { names, budgetMilliseconds }));
}

/** @returns what the reference backend gives, or why nobody waited for it. @throws StoppedError */
export async function expectedFromThread(
  bundleFolder: string,
  name: string,
  signal: AbortSignal,
  patienceSeconds = COMPARISON_SECONDS,
): Promise<Float64Array | string> {
  let timer: NodeJS.Timeout | undefined;
  let giveUp: ((why: string) => void) | undefined;
  const outOfPatience = new Promise<string>((resolve) => {
    giveUp = resolve;
  });
  const tooSlow = `no error: the reference needs more than ${patienceSeconds} s`;
  const hear = ({ type }: BenchEvent): void => {
    if (type === 'begin') timer = setTimeout(() => giveUp?.(tooSlow), 1000 * patienceSeconds);
  };
  try {
    return await inThread(bundleFolder, signal, hear, (caller) => {
      const result = caller.call('result', name);
      // It ends with its thread when nobody waits for it any more.
      result.catch(() => undefined);
      return Promise.race([result, outOfPatience]);
    });
  } finally {
    clearTimeout(timer);
  }
}
