/** When something of a run is written down: rules that are plain data, so that a run elsewhere can follow them. */

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
