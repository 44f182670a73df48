/**
 * Checkpoints of the run on screen, to go back to: within a stated bound of memory. When it is full they thin out as the
 * stored cycles do; the first and the newest stay. Between two of them the run is computed again, to the same bits.
 */
import type { Checkpoint } from '../experiment/index.ts';
import { interventionsBefore, mainLine, validateScenario } from '../scenario/index.ts';
import type { Intervention, Scenario } from '../scenario/index.ts';

/**
 * `cycles`: every so many cycles after the last time.
 * `multiples`: after every so many cycles of the run, wherever it was continued.
 * `return`: so that there is always one to go back to that is near, while that costs little. Of a run whose checkpoints are larger
 * than anybody keeps there is none: it goes back to its start.
 * `safety`: so that little is lost when the machine goes down, and saving takes a small share of a run's time.
 */
export type Schedule =
  | { readonly kind: 'cycles'; readonly every: number }
  | { readonly kind: 'multiples'; readonly of: number }
  | { readonly kind: 'return' }
  | { readonly kind: 'safety' };

/** Where a run is between two cycles. Times are ms of one clock. */
export interface Moment {
  readonly now: number;
  /** The cycle that comes next. */
  readonly cycle: number;
  /** What the cycle took that was run last, ms. */
  readonly cycleMilliseconds: number;
  /** That the run was estimated to need. */
  readonly memoryBytes: number;
  /** That a checkpoint takes on the host. */
  readonly checkpointBytes: number;
}

/** What was written last; before that, where the run began. */
export interface LastWritten {
  readonly at: number;
  readonly cycle: number;
  /** What writing took, ms; 0 before the first. */
  readonly milliseconds: number;
}

/** Whatever is written takes at most a twentieth of the time. */
const LEAST_TIME_IN_WRITINGS = 20;

/** To go back to: every so many cycles, while that is cheap; in any case after this time, of a large run after a multiple of it. */
const RETURN_CYCLES = 4;
const RETURN_MILLISECONDS = 10_000;
const LARGE_RUN_BYTES = 256 * 2 ** 20;
const LARGE_RUN_FACTOR = 6;
/** No larger checkpoint is kept to go back to: 256 MiB. */
export const LARGEST_RETURN_BYTES = 256 * 2 ** 20;

/** For safety: at least this often; in the beginning more often, so that it is never more than half of what was done. */
const SAFETY_MILLISECONDS = 10_000;
const FIRST_SAFETY_MILLISECONDS = 1000;
/** A cycle that takes this long is worth writing by itself: stopping in the next one then loses nothing complete. */
const LONG_CYCLE_MILLISECONDS = 300;
/** However long writing took last: a disk may have been busy with something else. */
const LONGEST_INTERVAL_MILLISECONDS = 300_000;

/** @returns whether something is due when a cycle comes next */
export function isMultiple({ of }: Extract<Schedule, { kind: 'multiples' }>, cycle: number): boolean {
  return cycle % of === 0;
}

/** @param begun when the run began */
export function isDue(schedule: Schedule, moment: Moment, last: LastWritten, begun: number): boolean {
  const { now, cycle, cycleMilliseconds, memoryBytes, checkpointBytes } = moment;
  const since = now - last.at;
  const cheapAfter = LEAST_TIME_IN_WRITINGS * last.milliseconds;
  switch (schedule.kind) {
    case 'cycles':
      return cycle - last.cycle >= schedule.every;
    case 'multiples':
      return isMultiple(schedule, cycle) && cycle !== last.cycle;
    case 'return': {
      if (checkpointBytes > LARGEST_RETURN_BYTES) return false;
      const longest = RETURN_MILLISECONDS * (memoryBytes > LARGE_RUN_BYTES ? LARGE_RUN_FACTOR : 1);
      return (cycle - last.cycle >= RETURN_CYCLES && since > cheapAfter) || since > longest;
    }
    case 'safety': {
      const interval = Math.min(SAFETY_MILLISECONDS, Math.max(FIRST_SAFETY_MILLISECONDS, last.at - begun));
      const isWanted = cycleMilliseconds > LONG_CYCLE_MILLISECONDS || since > interval;
      return isWanted && since > Math.min(LONGEST_INTERVAL_MILLISECONDS, cheapAfter);
    }
    default:
      return schedule satisfies never;
  }
}

/** A continuation from a cycle of a run with other settings: what another run needs for it, as plain data. */
export interface Branch {
  /** With what was changed before the cycle, and the edits from it on. */
  readonly scenario: Scenario;
  /** The cycle that the branch begins with: what lies between the checkpoint and it is computed again, to the same bits. */
  readonly cycle: number;
  /** Where to continue; undefined: from the start of the run. */
  readonly checkpoint: Checkpoint | undefined;
}

/**
 * @param cycle that comes next where the branch begins
 * @param edits of this cycle or later ones, in ascending order
 * @throws ScenarioError where an edit cannot be made
 */
export function branchOf(
  scenario: Scenario,
  cycle: number,
  edits: readonly Intervention[],
  ring: Pick<CheckpointRing, 'before'> | undefined,
): Branch {
  const kept = interventionsBefore(scenario.interventions, cycle);
  const branched = validateScenario(
    { ...mainLine(scenario), interventions: [...kept, ...edits] },
    'the branch',
  ).scenario;
  return { scenario: branched, cycle, checkpoint: ring?.before(cycle) };
}

/**
 * @param cycles ascending, three or more; the first and the last are never chosen
 * @returns position of the one in the older half whose absence leaves the smallest gap; the oldest of several
 */
export function leastMissed(cycles: readonly number[]): number {
  const last = Math.max(1, Math.floor(cycles.length / 2));
  let found = 1;
  let smallest = Infinity;
  for (let i = 1; i <= last && i < cycles.length - 1; i++) {
    const gap = cycles[i + 1] - cycles[i - 1];
    if (gap < smallest) [found, smallest] = [i, gap];
  }
  return found;
}

export interface CheckpointRing {
  readonly limitBytes: number;
  readonly bytes: number;
  /** Cycles that come next, ascending. */
  readonly cycles: readonly number[];
  /** Keeps a checkpoint, in place of one of the same cycle. One that is larger than the bound by itself is not kept. */
  add(checkpoint: Checkpoint): void;
  /** The latest from which a cycle can be reached; undefined where that takes the start of the run. */
  before(cycle: number): Checkpoint | undefined;
  /** Drops those after a cycle, whose states no longer belong to the run. */
  dropAfter(cycle: number): void;
  clear(): void;
}

function bytesOf({ arrays }: Checkpoint): number {
  return Object.values(arrays).reduce((sum, { byteLength }) => sum + byteLength, 0);
}

export function createCheckpointRing(limitBytes = LARGEST_RETURN_BYTES): CheckpointRing {
  /** Ascending by cycle. */
  let kept: Checkpoint[] = [];
  const total = (): number => kept.reduce((sum, each) => sum + bytesOf(each), 0);
  return {
    limitBytes,
    get bytes() {
      return total();
    },
    get cycles() {
      return kept.map(({ cycle }) => cycle);
    },
    add(checkpoint) {
      if (bytesOf(checkpoint) > limitBytes) return;
      kept = [...kept.filter(({ cycle }) => cycle !== checkpoint.cycle), checkpoint].sort((a, b) => a.cycle - b.cycle);
      while (kept.length > 1 && total() > limitBytes) {
        const position = kept.length > 2 ? leastMissed(kept.map(({ cycle }) => cycle)) : 0;
        kept = kept.toSpliced(position, 1);
      }
    },
    before: (wanted) => kept.findLast(({ cycle }) => cycle <= wanted),
    dropAfter(last) {
      kept = kept.filter(({ cycle }) => cycle <= last);
    },
    clear() {
      kept = [];
    },
  };
}
