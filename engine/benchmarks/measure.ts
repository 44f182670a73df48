/**
 * Times a workload. A GPU that was idle runs slowly at first, so it is kept at work before the timing begins; what is quick
 * is run often and the best and the middle run count; what takes long is run less often, and that is said.
 *
 * A single operator is timed by the device where it has timestamps, each run by itself. Everything else is timed by the wall
 * clock around runs that are queued together, enough of them that waiting for the last one adds nothing.
 */
import type { Backend, Cost, KernelSample } from '../compute/backend.ts';
import type { Ceilings } from '../compute/ceilings.ts';
import type { Workload } from './benchmark.ts';

export interface Measurement {
  /** Time of one run, microseconds; one entry a run, or a batch of runs divided by their number. */
  readonly microseconds: readonly number[];
  readonly clock: 'device' | 'wall';
  /** Of one run. */
  readonly cost: Cost;
  /** After the first run. */
  readonly result: Float64Array;
  /** What one run took where that was too long to have as many as wanted, milliseconds. */
  readonly tooLongMilliseconds: number | undefined;
}

export interface MeasureOptions {
  readonly ceilings: Ceilings;
  readonly signal?: AbortSignal;
  /** Milliseconds. */
  readonly now?: () => number;
  /** Lets other things happen between runs. */
  readonly pause?: () => Promise<void>;
}

/** Entries of a measurement: at least, and at most. */
export const LEAST_RUNS = 7;
const MOST_RUNS = 100;
const WARM_UP_MILLISECONDS = 300;
/** Timed runs take about this long together where one is quick, and not much longer than that where one is slow. */
const TIMED_MILLISECONDS = 500;
const LONGEST_MILLISECONDS = 10_000;
/** Runs are queued up to this long, so that Ctrl-C is heard in between. */
const QUEUE_MILLISECONDS = 50;
/** A wall clock sees a batch of this length to a few per cent, waiting included. */
const BATCH_MILLISECONDS = 20;

/** A forecast that went on for ever would break; putting it back this rarely takes no time to speak of. */
const RUNS_PER_RESET = 16;

/** Thrown where a measurement was given up because its signal said so. */
export class StoppedError extends Error {
  override readonly name = 'StoppedError';
}

/** @throws StoppedError, and whatever the workload throws */
export async function measure(backend: Backend, workload: Workload, options: MeasureOptions): Promise<Measurement> {
  const { ceilings, signal, now = () => performance.now(), pause = () => Promise.resolve() } = options;
  const proceed = async (): Promise<void> => {
    await pause();
    if (signal?.aborted) throw new StoppedError('the measurement was stopped');
  };
  /** Runs one after the other and waits for them; returns milliseconds. */
  const runs = async (count: number): Promise<number> => {
    await proceed();
    workload.reset();
    await backend.settle();
    const begin = now();
    for (let n = 0; n < count; n++) {
      if (n > 0 && n % RUNS_PER_RESET === 0) workload.reset();
      // Awaiting what is only queued would hand the time of this thread to others.
      const done = workload.run();
      if (done) await done;
    }
    await backend.settle();
    return now() - begin;
  };

  const samples: KernelSample[] = [];
  const listening = (): (() => void) => backend.onKernel((sample) => samples.push(sample));
  const takeSamples = (): KernelSample[] => samples.splice(0);

  const stopCounting = workload.cost === undefined ? listening() : undefined;
  const first = await runs(1);
  stopCounting?.();
  const cost = workload.cost ?? costOf(takeSamples());
  const result = await workload.result();

  const one = await warmUp(runs, first);
  const wanted = Math.min(MOST_RUNS, Math.max(LEAST_RUNS, Math.floor(TIMED_MILLISECONDS / one)));
  const affordable = Math.max(1, Math.floor(LONGEST_MILLISECONDS / one));
  const count = Math.min(wanted, affordable);
  const tooLongMilliseconds = count < LEAST_RUNS ? one : undefined;
  const timed = { cost, result, tooLongMilliseconds };
  if (first >= LONGEST_MILLISECONDS) {
    await workload.verify();
    return { ...timed, microseconds: [first * 1000], clock: 'wall' };
  }

  if (workload.kind === 'operator' && ceilings.clock === 'device') {
    const stop = listening();
    const microseconds: number[] = [];
    try {
      while (microseconds.length < count) {
        const queued = Math.min(count - microseconds.length, Math.max(1, Math.floor(QUEUE_MILLISECONDS / one)));
        await runs(queued);
        const seen = inGroups(takeSamples(), queued);
        if (!seen) break;
        microseconds.push(...seen);
      }
    } finally {
      stop();
    }
    if (microseconds.length >= count) {
      await workload.verify();
      return { ...timed, microseconds, clock: 'device' };
    }
  }
  const batch = workload.kind === 'operator' ? Math.ceil(BATCH_MILLISECONDS / Math.max(one, 1e-3)) : 1;
  const batches = Math.min(count, Math.max(LEAST_RUNS, Math.floor(TIMED_MILLISECONDS / (batch * one))));
  const microseconds: number[] = [];
  while (microseconds.length < batches) microseconds.push(((await runs(batch)) * 1000) / batch);
  await workload.verify();
  return { ...timed, microseconds, clock: 'wall' };
}

/** Keeps the machine at work; returns what one run takes of the last batch, milliseconds. */
async function warmUp(runs: (count: number) => Promise<number>, first: number): Promise<number> {
  if (first >= LONGEST_MILLISECONDS) return first;
  let one = first;
  let spent = 0;
  for (let count = 1; spent < WARM_UP_MILLISECONDS;) {
    const time = await runs(count);
    spent += time;
    one = time / count;
    // Twice as many until a batch is long enough; a clock that stood still tells nothing yet.
    if (time < QUEUE_MILLISECONDS / 2) count *= 2;
    if (count > 2 ** 20) break;
  }
  return Math.max(one, 1e-4);
}

/** What the passes of each run took together; undefined where the clock lost one, or does not tell device time. */
function inGroups(samples: readonly KernelSample[], runs: number): number[] | undefined {
  const passes = samples.length / runs;
  if (passes < 1 || !Number.isInteger(passes) || samples.some(({ clock }) => clock !== 'device')) return undefined;
  return Array.from({ length: runs }, (_, run) =>
    samples.slice(run * passes, (run + 1) * passes).reduce((sum, { microseconds }) => sum + microseconds, 0),
  );
}

function costOf(samples: readonly KernelSample[]): Cost {
  return {
    bytes: samples.reduce((sum, { bytes }) => sum + bytes, 0),
    flops: samples.reduce((sum, { flops }) => sum + flops, 0),
  };
}
