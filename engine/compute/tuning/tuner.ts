/**
 * Picks among the variants of kernels by measuring them, for one device and size after another, within a time that is given. The
 * candidates of a kernel are run in turn, again and again, so that a machine that is busy with other things delays all alike, and
 * the least time of each counts; what is far behind drops out early. What is not reached keeps its default.
 */
import { BackendError, LimitError } from '../../errors.ts';
import type { Backend, KernelSample } from '../backend.ts';
import { kernelsVersion } from './kernels-version.ts';
import type { TunedChoice, TuningRecord } from './record.ts';
import type { TuningRun, TuningTask } from './task.ts';
import type { BackendTuning } from '../variants.ts';

/** A variant that was tried, or why it was not. */
export interface TriedVariant {
  readonly variant: string;
  /** Of one run, the least; null where it was not measured. */
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
}

export interface TuningFindings {
  readonly record: TuningRecord;
  readonly kernels: readonly TuningFinding[];
  readonly milliseconds: number;
}

export interface TuningOptions {
  /** For all tasks together; each gets an equal share of what is left. */
  readonly budgetMilliseconds?: number;
  readonly now?: () => number;
}

const BUDGET_MILLISECONDS = 950;
/** Candidates of a task that are measured at most, the first of those offered. */
const MOST_CANDIDATES = 8;
/** Rounds after which a candidate that is so much slower than the best is not run again. */
const EARLY_ROUNDS = 2;
const FAR_BEHIND = 1.25;
const MOST_ROUNDS = 16;
/** Runs are timed together until they take this long: short ones are lost in the steps of the clock. */
const BATCH_MILLISECONDS = 0.5;
const MOST_RUNS_OF_BATCH = 64;
/** A variant must gain this much over the default to be taken for it: less is noise. */
const LEAST_GAIN = 1.03;
/** The share of a task's time in which candidates may be prepared. */
const PREPARING_SHARE = 0.5;

interface Candidate {
  readonly variant: string;
  readonly ready: TuningRun;
  /** Of a batch. */
  runs: number;
  least: number;
}

/** Times the runs of a batch, milliseconds a run. */
type TimeBatch = (run: () => void, runs: number) => Promise<number>;

/** @throws BackendError where the backend has no variants */
function tuningOf(backend: Backend): BackendTuning {
  if (!backend.tuning)
    throw new BackendError(`the ${backend.name} backend has one form of each kernel: nothing to tune`);
  return backend.tuning;
}

/** By the backend's own clock, what runs one after the other take together. */
function batchTimer(backend: Backend, samples: KernelSample[]): TimeBatch {
  return async (run, runs) => {
    samples.length = 0;
    for (let n = 0; n < runs; n++) run();
    await backend.settle();
    return samples.reduce((sum, { microseconds }) => sum + microseconds, 0) / 1000 / runs;
  };
}

/**
 * The tuning in parts of some hundredths of a second, so that other work comes in between. The backend must have nothing else to
 * do meanwhile; its choices are those that were found when the last part is done.
 *
 * @throws BackendError where the backend has no variants
 */
export async function* tuneByParts(
  backend: Backend,
  tasks: readonly TuningTask[],
  { budgetMilliseconds = BUDGET_MILLISECONDS, now = () => performance.now() }: TuningOptions = {},
): AsyncGenerator<void, TuningFindings, void> {
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
        finding = yield* tuneTask(backend, task, time, deadline, now);
      } finally {
        choices.choose(task.kernel, task.sizeClass, finding?.chosen ?? before);
      }
      kernels.push(finding);
      const { kernel, sizeClass } = task;
      const found = finding.candidates.find(({ variant }) => variant === finding.chosen);
      if (found && found.milliseconds !== null && found.milliseconds > 0) {
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

async function* tuneTask(
  backend: Backend,
  task: TuningTask,
  time: TimeBatch,
  deadline: number,
  now: () => number,
): AsyncGenerator<void, TuningFinding, void> {
  const { kernel, sizeClass, size } = task;
  const { traits, choices } = tuningOf(backend);
  const offered = task.candidates(traits);
  const candidates: Candidate[] = [];
  const problems = new Map<string, string>();
  const bench = task.open(backend);
  try {
    const prepareUntil = now() + PREPARING_SHARE * (deadline - now());
    for (const variant of offered.slice(0, MOST_CANDIDATES)) {
      // The default at least, so that its time is known.
      if (candidates.length > 0 && now() > prepareUntil) break;
      choices.choose(kernel, sizeClass, variant);
      const ready = await bench.prepare().catch((error: unknown) => {
        // A driver may refuse a kernel that others take; without the default there is nothing to compare with.
        const isRefused = error instanceof BackendError || error instanceof LimitError;
        if (!isRefused || variant === offered[0]) throw error;
        problems.set(variant, error.message);
      });
      if (!ready) continue;
      const candidate = { variant, ready, runs: 1, least: Infinity };
      candidates.push(candidate);
      // The first run finds cold caches and a device that slept: where it was short, it says little.
      const first = runsOfBatch(await time(ready.run, 1));
      candidate.runs = first > 1 ? runsOfBatch(await time(ready.run, 1)) : 1;
      yield;
    }
    yield* measureInTurn(candidates, time, deadline, now);
    const timed = offered.map((variant) => {
      const found = candidates.find((candidate) => candidate.variant === variant);
      const problem = problems.get(variant);
      return { variant, milliseconds: found?.least ?? null, ...(problem !== undefined && { problem }) };
    });
    return { kernel, sizeClass, size, candidates: timed, chosen: bestOf(candidates) };
  } finally {
    for (const { ready } of candidates) ready.dispose();
    bench.dispose();
  }
}

function runsOfBatch(milliseconds: number): number {
  return Math.min(MOST_RUNS_OF_BATCH, Math.max(1, Math.ceil(BATCH_MILLISECONDS / Math.max(milliseconds, 1e-6))));
}

/** Runs batches of all candidates in turn until the deadline, one round at least. */
async function* measureInTurn(
  candidates: readonly Candidate[],
  time: TimeBatch,
  deadline: number,
  now: () => number,
): AsyncGenerator<void, void, void> {
  let running = candidates;
  for (let round = 0; round < MOST_ROUNDS; round++) {
    for (const candidate of running) {
      if (round > 0 && now() > deadline) return;
      candidate.least = Math.min(candidate.least, await time(candidate.ready.run, candidate.runs));
      yield;
    }
    const best = Math.min(...running.map(({ least }) => least));
    if (round + 1 >= EARLY_ROUNDS) running = running.filter(({ least }) => least <= FAR_BEHIND * best);
  }
}

/** @returns the variant with the least time, or the default where that is about as quick */
function bestOf([first, ...others]: readonly Candidate[]): string {
  let best = first;
  for (const candidate of others) {
    if (candidate.least < best.least && candidate.least * LEAST_GAIN < first.least) best = candidate;
  }
  return best.variant;
}
