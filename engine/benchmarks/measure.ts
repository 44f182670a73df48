/**
 * Times a workload. A GPU that was idle runs slowly at first, so it is kept at work before the timing begins; what is quick
 * is run often and the best and the middle run count; what takes long is run less often, and that is said.
 *
 * A single operator is timed by the device where it has timestamps, each run by itself. Everything else is timed by the wall
 * clock around runs that are queued together, enough of them that waiting for the last one adds nothing.
 */
import type { Backend, BackendCounts, Cost, KernelSample, Ceilings } from '../compute/backend.ts';
import { StoppedError } from '../errors.ts';
import { occupy } from '../performance/ceilings/index.ts';
import { median } from '../statistics/index.ts';
import type { Workload } from './benchmark.ts';

export interface Measurement {
  /** Time of one run, microseconds; one entry a run, or a batch of runs divided by their number. */
  readonly microseconds: readonly number[];
  readonly clock: 'device' | 'wall';
  /** Cost of one run. */
  readonly cost: Cost;
  /** After the first run. */
  readonly result: Float64Array;
  /** Facts of a run that is timed from outside; undefined for a single operator. */
  readonly whole: WholeRun | undefined;
  /** What one run took where that was too long to have as many as wanted, milliseconds. */
  readonly tooLongMilliseconds: number | undefined;
}

/** Means over runs. */
export interface WholeRun {
  /** What the backend did in one run. */
  readonly counts: BackendCounts;
  /** What the kernels of a run took by their own clock, milliseconds. */
  readonly kernelMilliseconds: number;
  /** How much longer a run takes in which every kernel is timed, as a share of one in which none is; at least 0. */
  readonly timingShare: number;
}

/** How long a measurement may take. */
export interface TimeBudget {
  /** For the warm-up, and again for the timing where a run is quick. */
  readonly milliseconds: number;
  /** For the timing where a run is slow, at most. */
  readonly longestMilliseconds: number;
}

/**
 * @param milliseconds that a measurement may take in all
 * @returns its budget: half of that for the timing, an eighth each for what comes before
 */
export function budgetWithin(milliseconds: number): TimeBudget {
  const within = (share: number, least: number, most: number): number =>
    Math.min(most, Math.max(least, share * milliseconds));
  return {
    milliseconds: within(1 / 8, 10, USUAL_BUDGET.milliseconds),
    longestMilliseconds: within(1 / 2, 50, USUAL_BUDGET.longestMilliseconds),
  };
}

export interface MeasureOptions {
  readonly ceilings: Ceilings;
  /** Half a second, and twenty where a run is slow, if omitted. */
  readonly budget?: TimeBudget;
  readonly signal?: AbortSignal;
  /** Milliseconds. */
  readonly now?: () => number;
  /** Lets other things happen between runs. */
  readonly pause?: () => Promise<void>;
}

/** Entries of a measurement: at least, and at most. */
const LEAST_RUNS = 7;
const MOST_RUNS = 100;
/**
 * A machine that changes its pace while it is timed, as a GPU does when it wakes late, has a median far above the least. The
 * measurement is then taken again, and the steadiest counts.
 */
const STEADY = 1.2;
const ATTEMPTS = 3;
const USUAL_BUDGET: TimeBudget = { milliseconds: 500, longestMilliseconds: 20_000 };
/** A first run that takes this long, or as long as all may take together, is the only one. */
const LONGEST_RUN_MILLISECONDS = 10_000;
/** Runs are queued up to this long, so that Ctrl-C is noticed in between. */
const QUEUE_MILLISECONDS = 50;
/** Batches of a whole in which every kernel is timed, at most. */
const LISTENED_BATCHES = 5;
/** No batch has more runs than this, or twice it, however quick one is. */
const MOST_QUEUED = 2 ** 15;
/** A wall clock sees a batch of this length to a few per cent, waiting included. */
const BATCH_MILLISECONDS = 20;

/** A forecast that continued for ever would break; putting it back this rarely takes negligible time. */
const RUNS_PER_RESET = 16;

/** Runs one after the other and waits for the last; returns milliseconds. */
type Runs = (count: number) => Promise<number>;

/** @throws StoppedError, and whatever the workload throws */
export async function measure(backend: Backend, workload: Workload, options: MeasureOptions): Promise<Measurement> {
  const { milliseconds: budget, longestMilliseconds } = options.budget ?? USUAL_BUDGET;
  const samples: KernelSample[] = [];
  const takeSamples = (): KernelSample[] => samples.splice(0);
  const listen = (): (() => void) => backend.onKernel((sample) => samples.push(sample));
  const tally = createTally(backend);
  const takeCounts = (): BackendCounts => tally.take();
  const runs = runsOf(backend, workload, options, tally);

  // Timing each kernel takes time itself: a whole is listened to in its first run, and in some after those that are timed.
  const isWhole = workload.kind === 'whole';
  const stopListening = isWhole ? listen() : undefined;
  try {
    const first = await runs(1);
    const firstSamples = takeSamples();
    const firstCounts = takeCounts();
    const result = await workload.result();
    stopListening?.();
    if (first >= Math.min(LONGEST_RUN_MILLISECONDS, longestMilliseconds)) {
      await workload.verify();
      return {
        microseconds: [first * 1000],
        clock: 'wall',
        cost: workload.cost ?? meanCost(firstSamples, 1),
        whole: isWhole
          ? { counts: firstCounts, kernelMilliseconds: meanMilliseconds(firstSamples, 1), timingShare: 0 }
          : undefined,
        result,
        tooLongMilliseconds: first,
      };
    }

    // On the host there is nothing to wake, and a whole cycle alone leaves a GPU idle for most of the time.
    if (backend.name !== 'reference') await occupy(backend, budget, options.now);
    takeSamples();
    const one = await warmUp(runs, first, budget);
    const wanted = Math.min(MOST_RUNS, Math.max(LEAST_RUNS, Math.floor(budget / one)));
    const count = Math.min(wanted, Math.max(1, Math.floor(longestMilliseconds / one)));
    const tooLongMilliseconds = count < LEAST_RUNS ? one : undefined;
    const plan: Plan = { runs, one, count, budget };
    takeSamples();
    const batch = Math.max(1, Math.ceil(BATCH_MILLISECONDS / one));
    if (isWhole) {
      takeCounts();
      const microseconds = await steadiest(() => timeByWallClock(plan, batch), plan);
      const counts = takeCounts();
      const stop = listen();
      const listenedTimes = await timeByWallClock({ ...plan, count: Math.min(count, LISTENED_BATCHES) }, batch).finally(
        stop,
      );
      const seen = takeSamples();
      const listened = listenedTimes.length * batch;
      await workload.verify();
      return {
        microseconds,
        clock: 'wall',
        cost: workload.cost ?? meanCost(seen, listened),
        whole: {
          counts,
          kernelMilliseconds: meanMilliseconds(seen, listened),
          timingShare: Math.max(0, median(listenedTimes) / median(microseconds) - 1),
        },
        result,
        tooLongMilliseconds,
      };
    }
    const cost = workload.cost ?? NO_COST;
    const listening = { listen, takeSamples };
    const onDevice =
      options.ceilings.clock === 'device' ? await steadiest(() => timeOnDevice(plan, listening), plan) : undefined;
    const microseconds = onDevice ?? (await steadiest(() => timeByWallClock(plan, batch), plan));
    await workload.verify();
    const clock = onDevice ? 'device' : 'wall';
    return { microseconds, clock, cost, whole: undefined, result, tooLongMilliseconds };
  } finally {
    stopListening?.();
  }
}

/** What the backend did in runs, without what waits for them to be timed. */
interface Tally {
  begin(): void;
  end(runs: number): void;
  /** @returns the means since it was asked last */
  take(): BackendCounts;
}

function createTally(backend: Backend): Tally {
  let first = backend.counts;
  let sum = { runs: 0, waits: 0, submissions: 0, dispatches: 0 };
  return {
    begin() {
      first = { ...backend.counts };
    },
    end(runs) {
      const { waits, submissions, dispatches } = backend.counts;
      sum = {
        runs: sum.runs + runs,
        waits: sum.waits + waits - first.waits,
        submissions: sum.submissions + submissions - first.submissions,
        dispatches: sum.dispatches + dispatches - first.dispatches,
      };
    },
    take() {
      const { runs, waits, submissions, dispatches } = sum;
      sum = { runs: 0, waits: 0, submissions: 0, dispatches: 0 };
      return { waits: waits / runs, submissions: submissions / runs, dispatches: dispatches / runs };
    },
  };
}

function runsOf(
  backend: Backend,
  workload: Workload,
  { signal, now = () => performance.now(), pause = () => Promise.resolve() }: MeasureOptions,
  tally: Tally,
): Runs {
  return async (count) => {
    await pause();
    if (signal?.aborted) throw new StoppedError('the measurement was stopped');
    workload.reset();
    await backend.settle();
    tally.begin();
    const begin = now();
    for (let n = 0; n < count; n++) {
      if (n > 0 && n % RUNS_PER_RESET === 0) workload.reset();
      // Awaiting what is only queued would hand the time of this thread to others.
      const done = workload.run();
      if (done) await done;
    }
    tally.end(count);
    await backend.settle();
    return now() - begin;
  };
}

interface Plan {
  readonly runs: Runs;
  /** About what one run takes, milliseconds. */
  readonly one: number;
  /** Entries that are wanted. */
  readonly count: number;
  /** What timing takes together where one run is quick, milliseconds. */
  readonly budget: number;
}

/** @returns the attempt with the lowest median: the first where that one is steady, or too long to be repeated */
async function steadiest<Times extends readonly number[] | undefined>(
  attempt: () => Promise<Times>,
  { one, count, budget }: Plan,
): Promise<Times> {
  let best = await attempt();
  for (let n = 1; n < ATTEMPTS; n++) {
    if (!best || one * count > 2 * budget || unsteadiness(best) <= STEADY) break;
    const next = await attempt();
    if (!next) break;
    if (median(next) < median(best)) best = next;
  }
  return best;
}

/** How far the median is above the least: 1 where all times are the same. */
export function unsteadiness(microseconds: readonly number[]): number {
  return median(microseconds) / microseconds.reduce((a, b) => Math.min(a, b));
}

interface Listening {
  readonly listen: () => () => void;
  readonly takeSamples: () => KernelSample[];
}

/** @returns one time a run, microseconds; undefined where the device's clock cannot be used after all */
async function timeOnDevice({ runs, one, count }: Plan, { listen, takeSamples }: Listening) {
  const microseconds: number[] = [];
  const stop = listen();
  try {
    while (microseconds.length < count) {
      const queued = Math.min(count - microseconds.length, Math.max(1, Math.floor(QUEUE_MILLISECONDS / one)));
      await runs(queued);
      const seen = inGroups(takeSamples(), queued);
      if (!seen) return undefined;
      microseconds.push(...seen);
    }
    return microseconds;
  } finally {
    stop();
  }
}

/** @returns one time a batch, divided by its runs, microseconds */
async function timeByWallClock({ runs, one, count, budget }: Plan, batch: number): Promise<number[]> {
  const least = Math.min(count, LEAST_RUNS);
  const batches = Math.min(count, Math.max(least, Math.floor(budget / (batch * one))));
  const microseconds: number[] = [];
  while (microseconds.length < batches) microseconds.push(((await runs(batch)) * 1000) / batch);
  return microseconds;
}

/** Keeps the machine at work; returns what one run takes of the last batch, milliseconds. */
async function warmUp(runs: Runs, first: number, budget: number): Promise<number> {
  let one = first;
  let spent = 0;
  for (let count = 1; spent < budget;) {
    const time = await runs(count);
    spent += time;
    one = time / count;
    // Twice as many until a batch is long enough; a clock that did not advance says nothing yet.
    if (time < QUEUE_MILLISECONDS / 2) count *= 2;
    if (count > MOST_QUEUED) break;
  }
  return Math.max(one, 1e-4);
}

/** What the passes of each run took together; undefined where the clock lost one, or does not give device time. */
function inGroups(samples: readonly KernelSample[], runs: number): number[] | undefined {
  const passes = samples.length / runs;
  if (passes < 1 || !Number.isInteger(passes) || samples.some(({ clock }) => clock !== 'device')) return undefined;
  return Array.from({ length: runs }, (_, run) =>
    samples.slice(run * passes, (run + 1) * passes).reduce((sum, { microseconds }) => sum + microseconds, 0),
  );
}

const NO_COST: Cost = { bytes: 0, flops: 0 };

function meanCost(samples: readonly KernelSample[], runs: number): Cost {
  return {
    bytes: samples.reduce((sum, { bytes }) => sum + bytes, 0) / runs,
    flops: samples.reduce((sum, { flops }) => sum + flops, 0) / runs,
  };
}

function meanMilliseconds(samples: readonly KernelSample[], runs: number): number {
  return samples.reduce((sum, { microseconds }) => sum + microseconds, 0) / 1000 / runs;
}
