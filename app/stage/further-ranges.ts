/**
 * Ranges and wave heights learn from all cycles that were read of an opened run, not only from those that were on screen: then
 * colours mean the same over all of them. One cycle is learned in a task of its own.
 */
import type { Snapshot } from '../../engine/index.ts';

export interface FurtherRanges {
  /**
   * @param views what is shown: of other views all cycles are learned again
   * @param snapshots that are in memory
   */
  update(views: string, snapshots: readonly Snapshot[]): void;
  dispose(): void;
}

/**
 * @param learn takes one cycle in
 * @param onLearned all that is known was taken in
 */
export function createFurtherRanges(learn: (snapshot: Snapshot) => void, onLearned: () => void): FurtherRanges {
  let of = '';
  let learned = new WeakSet<Snapshot>();
  let waiting: Snapshot[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;

  function next(): void {
    timer = undefined;
    const snapshot = waiting.shift();
    if (!snapshot) return;
    learned.add(snapshot);
    learn(snapshot);
    if (waiting.length > 0) timer = setTimeout(next, 0);
    else onLearned();
  }

  return {
    update(views, snapshots) {
      if (views !== of) learned = new WeakSet();
      of = views;
      waiting = snapshots.filter((snapshot) => !learned.has(snapshot));
      if (waiting.length > 0) timer ??= setTimeout(next, 0);
    },
    dispose() {
      clearTimeout(timer);
      waiting = [];
    },
  };
}
