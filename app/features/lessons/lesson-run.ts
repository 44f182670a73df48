/** What a lesson drives of a run: its scenario, the cycle on screen and the views. */
import type { RunController } from '../../document/run/run-controller.ts';
import type { RunEdits } from '../../document/scenario/run-edits.ts';
import type { ScenarioState } from '../../document/scenario/scenario-state.ts';
import type { RunCourse } from '../../document/run/run-course.ts';
import type { ViewState } from '../../document/views/view-state.ts';
import type { ViewedXray } from '../links/link-views.ts';

export interface LessonRun {
  readonly scenario: ScenarioState;
  readonly course: RunCourse;
  readonly edits: RunEdits;
  readonly view: ViewState;
  readonly xray: ViewedXray;
  readonly controller: Pick<RunController, 'files' | 'pause' | 'play' | 'runTo' | 'scrub' | 'start'>;
}
