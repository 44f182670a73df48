/**
 * The tuner, which chooses among the variants of kernels (../variants.ts), and the record of what it chose. A room that offers some
 * describes them as `KernelVariants` in a file of its own (`*variants.ts`), asks its builder for one (`builder.variant`), and lists
 * `tuningTask`s at typical sizes, which `run/ceiling-measurement.ts` gathers.
 */
import { BackendError, LimitError } from '../../errors.ts';
import type { Backend, KernelSample } from '../backend.ts';
import type { BackendTuning } from '../variants.ts';
import { kernelsVersion } from './record.ts';
import type { TunedChoice, TuningRecord, TuningBench, TuningRun, TuningTask } from './record.ts';

export { mergeTuning, readTuningRecord, recallTuning, untunedTasks, kernelsVersion, tuningTask } from './record.ts';
export type { FindTuning, TunedChoice, TuningRecord, TuningStore, TuningTask } from './record.ts';

/** A variant that was tried, or why it was not. */
export interface TriedVariant {
  readonly variant: string;
  /** Least time of one run; null if it was not measured. */
  readonly milliseconds: number | null;
  /** Why the device could not prepare it; without one there was no time left to try it. */
  readonly problem?: string;
}

/** What was found for one kernel and size. */
export interface TuningFinding {
  readonly kernel: string;
  readonly sizeClass: string;
  readonly size: string;
  /** In the order in which they are offered; the first is the default. */
  readonly candidates: readonly TriedVariant[];
  readonly chosen: string;
  /** Whether there was time to choose: otherwise it is the default, and is not recorded. */
  readonly isSettled: boolean;
}

/** What is known of a task while its candidates are measured. */
export interface TuningPart {
  readonly task: TuningTask;
  readonly candidates: readonly TriedVariant[];
}

export interface TuningFindings {
  readonly record: TuningRecord;
  readonly kernels: readonly TuningFinding[];
  readonly milliseconds: number;
}

export interface TuningOptions {
  /** For all tasks together; each gets an equal share of what is left. */
  readonly budgetMilliseconds?: number;
  /** Candidates of a task that are measured at most, the first of those offered; 8 if omitted. */
  readonly mostCandidates?: number;
  readonly now?: () => number;
}

const BUDGET_MILLISECONDS = 950;
const MOST_CANDIDATES = 8;
/** Rounds after which a candidate that is so much slower than the best is not run again, unless it is the default. */
const EARLY_ROUNDS = 4;
const FAR_BEHIND = 1.5;
const MOST_ROUNDS = 16;
/** Runs are timed together until they take this long: short ones are lost in the steps of the clock. */
const BATCH_MILLISECONDS = 0.5;
const MOST_RUNS_OF_BATCH = 64;
/** A variant must gain this much over the default to be taken for it, and twice, against so many times of the default: less is noise. */
const LEAST_GAIN = 1.03;
const LEAST_TIMES = 3;
/** The share of a task's time in which candidates may be prepared, and those that are prepared in the time of one, about. */
const PREPARING_SHARE = 0.5;
const PREPARED_AT_ONCE = 4;

interface Candidate {
  readonly variant: string;
  readonly ready: TuningRun;
  /** Runs of a batch. */
  runs: number;
  /** Batches that were timed, and the two least times, milliseconds a run. */
  times: number;
  least: number;
  second: number;
}

function take(candidate: Candidate, milliseconds: number): void {
  if (!(milliseconds < Infinity)) return;
  candidate.times += 1;
  candidate.second = Math.min(candidate.second, Math.max(candidate.least, milliseconds));
  candidate.least = Math.min(candidate.least, milliseconds);
}

/** Times the runs of a batch, milliseconds a run. */
type TimeBatch = (run: () => void, runs: number) => Promise<number>;

/** @throws BackendError where the backend has no variants */
function tuningOf(backend: Backend): BackendTuning {
  if (!backend.tuning)
    throw new BackendError(`the ${backend.name} backend has one form of each kernel: nothing to tune`);
  return backend.tuning;
}

/** By the backend's own clock, what runs one after the other take together; Infinity where it has lost one. */
function batchTimer(backend: Backend, samples: KernelSample[]): TimeBatch {
  return async (run, runs) => {
    samples.length = 0;
    for (let n = 0; n < runs; n++) run();
    await backend.settle();
    if (samples.length === 0 || samples.length % runs !== 0) return Infinity;
    return samples.reduce((sum, { microseconds }) => sum + microseconds, 0) / 1000 / runs;
  };
}

/**
 * Picks among the variants of kernels by measuring them, for one device and size after another, within a time that is given. The
 * candidates of a kernel are run in turn, again and again, so that a machine that is busy with other things delays all alike, and
 * the least time of each counts; what is far behind drops out early. What is not reached keeps its default.
 *
 * The work comes in parts of some hundredths of a second, so that other work comes in between. Each part gives what is known by then
 * of the kernel at hand. The backend must have nothing else to do meanwhile; its choices are those that were found when the last part
 * is done.
 *
 * @throws BackendError where the backend has no variants
 */
export async function* tuneByParts(
  backend: Backend,
  tasks: readonly TuningTask[],
  {
    budgetMilliseconds = BUDGET_MILLISECONDS,
    mostCandidates = MOST_CANDIDATES,
    now = () => performance.now(),
  }: TuningOptions = {},
): AsyncGenerator<TuningPart, TuningFindings, void> {
  const { device, choices } = tuningOf(backend);
  const begin = now();
  const samples: KernelSample[] = [];
  const stop = backend.onKernel((sample) => samples.push(sample));
  const time = batchTimer(backend, samples);
  const kernels: TuningFinding[] = [];
  const chosen: TunedChoice[] = [];
  try {
    for (const [index, task] of tasks.entries()) {
      const left = begin + budgetMilliseconds - now();
      const deadline = now() + Math.max(0, left) / (tasks.length - index);
      const before = choices.of(task.kernel, task.sizeClass);
      let finding: TuningFinding | undefined;
      try {
        finding = yield* tuneTask(backend, task, { time, deadline, now, mostCandidates });
      } finally {
        choices.choose(task.kernel, task.sizeClass, finding?.chosen ?? before);
      }
      kernels.push(finding);
      const { kernel, sizeClass } = task;
      const found = finding.candidates.find(({ variant }) => variant === finding.chosen);
      if (finding.isSettled && found && found.milliseconds !== null && found.milliseconds > 0) {
        chosen.push({ kernel, sizeClass, variant: found.variant, milliseconds: found.milliseconds });
      }
    }
  } finally {
    stop();
  }
  return { record: { device, version: kernelsVersion(), choices: chosen }, kernels, milliseconds: now() - begin };
}

/** All parts of the tuning, one after the other. @throws BackendError as `tuneByParts` */
export async function tune(
  backend: Backend,
  tasks: readonly TuningTask[],
  options?: TuningOptions,
): Promise<TuningFindings> {
  const parts = tuneByParts(backend, tasks, options);
  for (;;) {
    const part = await parts.next();
    if (part.done) return part.value;
  }
}

/** How the candidates of a task are timed, and until when. */
interface Timing {
  readonly time: TimeBatch;
  readonly deadline: number;
  readonly now: () => number;
  readonly mostCandidates: number;
}

async function* tuneTask(
  backend: Backend,
  task: TuningTask,
  timing: Timing,
): AsyncGenerator<TuningPart, TuningFinding, void> {
  const { time, deadline, now, mostCandidates } = timing;
  const { kernel, sizeClass, size } = task;
  const offered = task.candidates(tuningOf(backend).traits);
  const unsettled = { chosen: offered[0], isSettled: false };
  if (now() >= deadline) return { kernel, sizeClass, size, candidates: offered.map(untried), ...unsettled };
  const bench = task.open(backend);
  const candidates: Candidate[] = [];
  const problems = new Map<string, string>();
  const prepare = async (variants: readonly string[]): Promise<void> => {
    const outcomes = await prepareAll(backend, task, bench, variants);
    for (const outcome of outcomes) {
      if ('ready' in outcome) candidates.push({ ...outcome, runs: 1, times: 0, least: Infinity, second: Infinity });
    }
    for (const outcome of outcomes) {
      if (!('error' in outcome)) continue;
      // A driver may refuse a kernel that others take; without the default there is nothing to compare with.
      const { variant, error } = outcome;
      const isRefused = error instanceof BackendError || error instanceof LimitError;
      if (!isRefused || variant === offered[0]) throw error;
      problems.set(variant, error.message);
    }
  };
  try {
    const awake: Candidate[] = [];
    const part = (): TuningPart => ({
      task,
      candidates: offered.map((variant): TriedVariant => {
        const { least = Infinity } = awake.find((candidate) => candidate.variant === variant) ?? {};
        const problem = problems.get(variant);
        return { ...untried(variant), ...(least < Infinity && { milliseconds: least }), ...(problem && { problem }) };
      }),
    });
    const begin = now();
    await prepare(offered.slice(0, 1));
    const affordable = Math.floor((PREPARING_SHARE * (deadline - now())) / Math.max(now() - begin, 1e-3));
    yield part();
    await prepare(offered.slice(1, 1 + Math.min(mostCandidates - 1, Math.max(0, affordable) * PREPARED_AT_ONCE)));
    for (const candidate of candidates) {
      if (awake.length > 0 && now() > deadline) break;
      // The first run finds cold caches and a device that slept: where it was short, it says little.
      const first = await time(candidate.ready.run, 1);
      candidate.runs = runsOfBatch(first);
      if (candidate.runs > 1) candidate.runs = runsOfBatch(await time(candidate.ready.run, 1));
      else take(candidate, first);
      awake.push(candidate);
      yield part();
    }
    yield* measureInTurn(awake, timing, part);
    const best = bestOf(awake);
    const choice = best === undefined ? unsettled : { chosen: best, isSettled: true };
    return { kernel, sizeClass, size, candidates: part().candidates, ...choice };
  } finally {
    for (const { ready } of candidates) ready.dispose();
    bench.dispose();
  }
}

function untried(variant: string): TriedVariant {
  return { variant, milliseconds: null };
}

type Outcome = { readonly variant: string } & ({ readonly ready: TuningRun } | { readonly error: unknown });

/** Prepares variants beside each other: drivers compile on threads of their own. */
function prepareAll(
  backend: Backend,
  { kernel, sizeClass }: TuningTask,
  bench: TuningBench,
  variants: readonly string[],
): Promise<Outcome[]> {
  const { choices } = tuningOf(backend);
  return Promise.all(
    variants.map((variant): Promise<Outcome> => {
      choices.choose(kernel, sizeClass, variant);
      return bench.prepare().then(
        (ready) => ({ variant, ready }),
        (error: unknown) => ({ variant, error }),
      );
    }),
  );
}

function runsOfBatch(milliseconds: number): number {
  return Math.min(MOST_RUNS_OF_BATCH, Math.max(1, Math.ceil(BATCH_MILLISECONDS / Math.max(milliseconds, 1e-6))));
}

/** Runs batches of all candidates in turn until the deadline. */
async function* measureInTurn(
  candidates: readonly Candidate[],
  { time, deadline, now }: Timing,
  part: () => TuningPart,
): AsyncGenerator<TuningPart, void, void> {
  let running = candidates;
  for (let round = 0; round < MOST_ROUNDS; round++) {
    for (const candidate of running) {
      if (candidate.least < Infinity && now() > deadline) return;
      take(candidate, await time(candidate.ready.run, candidate.runs));
      yield part();
    }
    const best = Math.min(...running.map(({ least }) => least));
    if (round + 1 < EARLY_ROUNDS) continue;
    running = running.filter((candidate) => candidate === candidates[0] || candidate.least <= FAR_BEHIND * best);
  }
}

/**
 * @returns the variant with the least time, or the default where that is about as quick, or another was quicker once by chance;
 *   undefined where the default was not run often enough to say
 */
function bestOf([first, ...others]: readonly Candidate[]): string | undefined {
  if (first.times < LEAST_TIMES) return undefined;
  let best = first;
  for (const candidate of others) {
    if (candidate.least < best.least && candidate.second * LEAST_GAIN < first.least) best = candidate;
  }
  return best.variant;
}
