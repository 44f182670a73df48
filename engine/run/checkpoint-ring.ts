/**
 * Checkpoints of the run on screen, to go back to: within a stated bound of memory. When it is full they thin out as the
 * stored cycles do; the first and the newest stay. Between two of them the run is computed again, to the same bits.
 */
import type { Checkpoint } from '../experiment/index.ts';
import { LARGEST_RETURN_BYTES } from './schedule.ts';
import { interventionsBefore, mainLine, validateScenario } from '../scenario/index.ts';
import type { Intervention, Scenario } from '../scenario/index.ts';

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
