/** Brings a cycle on screen as a step of a lesson asks for it: at once, or by playing up to it. */
import { effect } from '@preact/signals';
import type { LessonRun } from './lesson-run.ts';

type CycleRun = Pick<LessonRun, 'session' | 'controller'>;

/** Where a run stands towards a cycle: on screen at once, still to be computed, or let go of. */
export type Reach = 'stored' | 'ahead' | 'lost';

/** @returns `lost` where only another run from the start would come to it */
export function reachOf(
  wanted: number,
  { session: { shownCycles, newestCycle, status } }: Pick<CycleRun, 'session'>,
): Reach {
  if (status.peek() === 'opening') return 'ahead';
  if (shownCycles.peek().includes(wanted)) return 'stored';
  return wanted > newestCycle.peek() && status.peek() === 'ready' ? 'ahead' : 'lost';
}

/** Shows a cycle that is not lost; what lies ahead is computed as fast as it can be. */
export function showCycle(wanted: number, { session, controller }: CycleRun): void {
  const { shownCycles, loopRange } = session;
  if (!shownCycles.peek().includes(wanted)) {
    void controller.runTo(wanted);
    return;
  }
  controller.pause();
  loopRange.value = undefined;
  controller.scrub(wanted);
}

/**
 * Plays from the cycle on screen up to one that lies behind it, and stops there.
 *
 * @param isPlaying whether the run plays already, or will as soon as it is prepared
 * @returns what ends the watch over it
 */
export function playTo(wanted: number, { session, controller }: CycleRun, isPlaying: boolean): () => void {
  const { cycle, loopRange, playing, runNumber } = session;
  const run = runNumber.peek();
  loopRange.value = undefined;
  if (!isPlaying) controller.play();
  let isOver = false;
  const end = effect(() => {
    const isThere = cycle.value >= wanted;
    const isOurs = runNumber.value === run && playing.value;
    if (isOver || (isOurs && !isThere)) return;
    isOver = true;
    // Not while the player is at work, and not before `end` is there.
    queueMicrotask(() => {
      end();
      if (isOurs && isThere) controller.pause();
    });
  });
  return end;
}
