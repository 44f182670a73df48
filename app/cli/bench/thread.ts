/** The reference backend in a thread of its own: it can be listened to while it computes, and given up at any time. */
import { startService, StoppedError } from '../../../engine/index.ts';
import type { BenchListener, BenchOptions, Service } from '../../../engine/index.ts';
import { hearBenchmarks } from '../../services/benchmarks.ts';
import type { BenchmarkCommands, BenchmarkEvent } from '../../services/benchmarks.ts';
import { startThread } from '../thread.ts';

function startBenchThread(bundleFolder: string, listener: (event: BenchmarkEvent) => void): Service<BenchmarkCommands> {
  return startService<BenchmarkCommands, BenchmarkEvent>(startThread(bundleFolder, 'bench-worker.js'), listener);
}

/** The benchmarks of these names on the reference backend. @throws StoppedError */
export async function driveInThread(
  bundleFolder: string,
  names: readonly string[],
  listener: BenchListener,
  { budget, signal }: Pick<BenchOptions, 'budget' | 'signal'>,
): Promise<void> {
  if (signal.aborted) throw new StoppedError('stopped');
  const thread = startBenchThread(bundleFolder, (event) => hearBenchmarks(event, listener));
  const stop = (): void => thread.end(new StoppedError('stopped'));
  signal.addEventListener('abort', stop, { once: true });
  try {
    await thread.call('measure', { names, budget });
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
  let thread: Service<BenchmarkCommands> | undefined;
  let begun: (() => void) | undefined;
  const close = (): void => {
    thread?.end(new StoppedError('stopped'));
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
      const result = thread.call('result', name);
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
