/** What a lesson drives of a run, and how a cycle comes on screen as a step asks for it: at once, or by playing up to it. */
import { effect } from '@preact/signals';
import type { RunController } from '../../document/run/run-controller.ts';
import type { RunEdits } from '../../document/scenario/run-edits.ts';
import type { ScenarioState } from '../../document/scenario/scenario-state.ts';
import type { RunCourse } from '../../document/run/run-course.ts';
import type { ViewState } from '../../document/views/view-state.ts';
import type { StageState } from '../../stage/stage-state.ts';
import type { ShownImpact, ViewedXray } from '../links/link.ts';

/** What a lesson drives of a run: its scenario, the cycle on screen and the views. */
export interface LessonRun {
  readonly scenario: ScenarioState;
  readonly course: RunCourse;
  readonly edits: RunEdits;
  readonly view: ViewState;
  readonly xray: ViewedXray;
  readonly impact: ShownImpact;
  readonly stage: Pick<StageState, 'currentStage'>;
  readonly controller: Pick<RunController, 'files' | 'pause' | 'play' | 'runTo' | 'scrub' | 'start'>;
}

type CycleRun = Pick<LessonRun, 'course' | 'controller'>;

/** Where a cycle is in a run: on screen at once, still to be computed, or released. */
export type Reach = 'stored' | 'ahead' | 'lost';

/** @returns `lost` where only another run from the start would come to it */
export function reachOf(
  wanted: number,
  { course: { shownCycles, newestCycle, status } }: Pick<CycleRun, 'course'>,
): Reach {
  if (status.peek() === 'opening') return 'ahead';
  if (shownCycles.peek().includes(wanted)) return 'stored';
  return wanted > newestCycle.peek() && status.peek() === 'ready' ? 'ahead' : 'lost';
}

/** Shows a cycle that is not lost; a later one is computed as fast as possible. */
export function showCycle(wanted: number, { course, controller }: CycleRun): void {
  const { shownCycles, loopRange } = course;
  if (!shownCycles.peek().includes(wanted)) {
    void controller.runTo(wanted);
    return;
  }
  controller.pause();
  loopRange.value = undefined;
  controller.scrub(wanted);
}

/**
 * Plays from the cycle on screen up to an earlier one, and stops there.
 *
 * @param isPlaying whether the run plays already, or will as soon as it is prepared
 * @returns what ends the watch over it
 */
export function playTo(wanted: number, { course, controller }: CycleRun, isPlaying: boolean): () => void {
  const { cycle, loopRange, playing, runNumber } = course;
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
