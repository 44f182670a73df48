/**
 * Checkpoints of the run on screen, to go back to: within a stated bound of memory. When it is full they thin out as the
 * stored cycles do; the first and the newest stay. Between two of them the run is computed again, to the same bits.
 */
import type { Checkpoint } from '../experiment/index.ts';
import { LARGEST_RETURN_BYTES } from './schedule.ts';
import { leastMissed } from './thinning.ts';

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
