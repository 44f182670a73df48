/** The reference backend in a thread of its own: it can be listened to while it computes, and given up at any time. */
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { StoppedError } from '../../../engine/index.ts';
import type { BenchmarkRow } from '../../../engine/index.ts';
import { fromPlainError } from '../run/engine-host.ts';
import type { PlainError } from '../run/engine-host.ts';
import type { BenchBackend, BenchListener } from './drive.ts';

/** What the worker is given. */
export type BenchJob =
  | { readonly task: 'measure'; readonly names: readonly string[] }
  /** One run, for others to be compared with. */
  | { readonly task: 'result'; readonly name: string };

/** What the worker says. */
export type BenchMessage =
  | { readonly type: 'opened'; readonly backend: BenchBackend }
  | { readonly type: 'begin'; readonly name: string }
  | { readonly type: 'row'; readonly row: BenchmarkRow }
  | { readonly type: 'failed'; readonly name: string; readonly failure: PlainError }
  | { readonly type: 'result'; readonly values: Float64Array }
  | { readonly type: 'done' }
  | { readonly type: 'broken'; readonly failure: PlainError };

/** A comparison is worth waiting for this long. */
const COMPARISON_SECONDS = 5;

/** Starts the worker and hears it to its end. @throws StoppedError when the signal says so */
function listenTo(
  bundleFolder: string,
  job: BenchJob,
  signal: AbortSignal,
  hear: (message: BenchMessage, giveUp: () => void) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) {
      reject(new StoppedError('stopped'));
      return;
    }
    const worker = new Worker(join(bundleFolder, 'bench-worker.js'), { workerData: job });
    const stop = (): void => {
      reject(new StoppedError('stopped'));
      void worker.terminate();
    };
    const giveUp = (): void => {
      resolve();
      void worker.terminate();
    };
    signal.addEventListener('abort', stop, { once: true });
    worker.on('message', (message: BenchMessage) => {
      if (message.type === 'done') resolve();
      else if (message.type === 'broken') reject(fromPlainError(message.failure));
      else hear(message, giveUp);
    });
    worker.on('error', reject);
    worker.on('exit', () => {
      signal.removeEventListener('abort', stop);
      reject(new Error('the reference backend ended before its benchmarks did'));
    });
  });
}

/** The benchmarks of these names on the reference backend. @throws StoppedError */
export function driveInThread(
  bundleFolder: string,
  names: readonly string[],
  listener: BenchListener,
  signal: AbortSignal,
): Promise<void> {
  return listenTo(bundleFolder, { task: 'measure', names }, signal, (message) => {
    switch (message.type) {
      case 'opened':
        listener.opened(message.backend);
        break;
      case 'begin':
        listener.begin(message.name);
        break;
      case 'row':
        listener.row(message.row);
        break;
      case 'failed':
        listener.failed(message.name, fromPlainError(message.failure));
        break;
      case 'result':
      case 'done':
      case 'broken':
        break;
      default:
        message satisfies never;
    }
  });
}

/** @returns what the reference backend gives, or why nobody waited for it. @throws StoppedError */
export async function expectedFromThread(
  bundleFolder: string,
  name: string,
  signal: AbortSignal,
  patienceSeconds = COMPARISON_SECONDS,
): Promise<Float64Array | string> {
  let timer: NodeJS.Timeout | undefined;
  let result: Float64Array | string = `no error: the reference needs more than ${patienceSeconds} s`;
  try {
    await listenTo(bundleFolder, { task: 'result', name }, signal, (message, giveUp) => {
      if (message.type === 'begin') timer = setTimeout(giveUp, 1000 * patienceSeconds);
      if (message.type === 'result') result = message.values;
    });
    return result;
  } finally {
    clearTimeout(timer);
  }
}
