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
  TimeBudget,
} from '../../../engine/index.ts';
import { startThread } from '../thread.ts';

/** What the thread does. */
// A type, not an interface: it has to be a record of functions.
export type BenchCommands = {
  /** The benchmarks of these names, one after the other, each within a budget. */
  readonly measure: (asked: { readonly names: readonly string[]; readonly budget: TimeBudget | undefined }) => void;
  /** One run of a benchmark, for others to be compared with. */
  readonly result: (name: string) => Float64Array;
};

/** What it says meanwhile. */
export type BenchEvent =
  | { readonly type: 'opened'; readonly backend: BenchBackend }
  | { readonly type: 'begin'; readonly name: string }
  | { readonly type: 'row'; readonly row: BenchmarkRow }
  | { readonly type: 'failed'; readonly name: string; readonly failure: PlainError };

interface BenchThread {
  readonly caller: Caller<BenchCommands>;
  /** Ends it; whoever waits for it gets the error. */
  close(error: Error): void;
}

function startBenchThread(bundleFolder: string, listener: (event: BenchEvent) => void): BenchThread {
  const port: StarterPort<HostMessage<BenchEvent>, CallMessage<keyof BenchCommands>> = startThread(
    bundleFolder,
    'bench-worker.js',
  );
  const caller = createCaller<BenchCommands, BenchEvent>(port, listener);
  return {
    caller,
    close(error) {
      caller.close(error);
      port.close();
    },
  };
}

/** The benchmarks of these names on the reference backend. @throws StoppedError */
export async function driveInThread(
  bundleFolder: string,
  names: readonly string[],
  listener: BenchListener,
  { budget, signal }: Pick<BenchOptions, 'budget' | 'signal'>,
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
  if (signal.aborted) throw new StoppedError('stopped');
  const thread = startBenchThread(bundleFolder, hear);
  const stop = (): void => thread.close(new StoppedError('stopped'));
  signal.addEventListener('abort', stop, { once: true });
  try {
    await thread.caller.call('measure', { names, budget });
  } finally {
    signal.removeEventListener('abort', stop);
    stop();
  }
}

/** What the reference backend gives of benchmarks, from a thread that lives until it is closed, or too slow. */
export interface Expectations {
  /** @returns the values, or why nobody waited for them. @throws StoppedError */
  of(name: string): Promise<Float64Array | string>;
  close(): void;
}

export function createExpectations(bundleFolder: string, signal: AbortSignal, patienceSeconds: number): Expectations {
  let thread: BenchThread | undefined;
  let begun: (() => void) | undefined;
  const close = (): void => {
    thread?.close(new StoppedError('stopped'));
    thread = undefined;
  };
  signal.addEventListener('abort', close, { once: true });
  return {
    async of(name) {
      if (signal.aborted) throw new StoppedError('stopped');
      thread ??= startBenchThread(bundleFolder, ({ type }) => type === 'begin' && begun?.());
      let timer: NodeJS.Timeout | undefined;
      const outOfPatience = new Promise<string>((resolve) => {
        begun = () => {
          timer = setTimeout(
            () => resolve(`no error: the reference needs more than ${patienceSeconds} s`),
            1000 * patienceSeconds,
          );
        };
      });
      const result = thread.caller.call('result', name);
      // It ends with its thread when nobody waits for it any more.
      result.catch(() => undefined);
      try {
        const found = await Promise.race([result, outOfPatience]);
        if (typeof found === 'string') close();
        return found;
      } catch (error) {
        // The next one gets a thread that nothing has happened to.
        close();
        throw error;
      } finally {
        clearTimeout(timer);
      }
    },
    close: () => {
      signal.removeEventListener('abort', close);
      close();
    },
  };
}
