/** How the lesson of the scenario on screen is written: steps recorded, changed, moved and taken away, each undone like any edit. */
import { computed, signal } from '@preact/signals';
import { ScenarioError, describeProblem, isRecord, setPath } from '../../../engine/index.ts';
import type { WrittenLessonStep } from '../../../engine/index.ts';
import type { StageState } from '../../stage/stage-state.ts';
import type { Laboratory } from '../../page/laboratory.ts';
import type { Lesson } from './lesson-state.ts';
import type { LessonRun } from './lesson-run.ts';
import { showNow } from './record-step.ts';
import type { WrittenShow } from './record-step.ts';
import type { RunView } from '../../document/run-view.ts';
import { xrayOf } from '../x-ray/xray-state.ts';
import { lessonOf } from './lesson-state.ts';
import { stageOf } from '../../stage/stage-state.ts';

/** A step that is being written: one of the lesson, or a new one that will be at that place. */
export interface EditedStep {
  /** From 0. */
  readonly index: number;
  readonly isNew: boolean;
  readonly step: WrittenLessonStep;
}

interface EditedRun extends LessonRun {
  readonly controller: LessonRun['controller'] & { apply(): Promise<void> };
  readonly stage: Pick<StageState, 'currentStage'>;
}

type Steps = readonly WrittenLessonStep[];

function createLessonEdits(
  laboratory: Pick<Laboratory, 'evidence' | 'frame' | 'notices'>,
  run: EditedRun,
  lesson: Lesson,
) {
  const { scenario, controller } = run;
  const { draft } = scenario;
  /** As the file has them. */
  const written = computed<Steps>(() => {
    const raw = draft.value;
    const found = isRecord(raw) ? raw['lesson'] : undefined;
    // The draft was validated, or its lesson is looked at by nobody.
    return Array.isArray(found) ? (found as Steps) : [];
  });
  const edited = signal<EditedStep | undefined>(undefined);
  /** What is wrong with the step that was to be kept last. */
  const problems = signal<readonly string[]>([]);

  /** Puts another lesson into the draft, as one step that can be undone. @returns whether it is one */
  function write(steps: Steps, title: string): boolean {
    try {
      scenario.editDraft(setPath(draft.peek(), 'lesson', steps, 'the lesson'), title);
    } catch (error) {
      if (!(error instanceof ScenarioError)) throw error;
      problems.value = error.problems.map(describeProblem);
      return false;
    }
    problems.value = [];
    // Words take effect at once; changed settings wait to be applied.
    if (scenario.pendingEffect.peek() === 'none') void controller.apply();
    return true;
  }

  /** What is on screen, as the step at an index shows it. */
  function showAt(index: number): WrittenShow {
    return showNow(laboratory, run, { base: lesson.base(), steps: lesson.steps.peek(), index: index - 1 });
  }

  function choose(index: number): void {
    const step = written.peek()[index];
    problems.value = [];
    edited.value = step && { index, isNew: false, step };
  }

  /** Takes what is on screen for a new step, after the current one or at the end. */
  function record(): void {
    const standing = lesson.at.peek();
    const index = standing === undefined ? written.peek().length : standing + 1;
    problems.value = [];
    edited.value = { index, isNew: true, step: { title: '', text: '', show: showAt(index) } };
  }

  /** @returns what is on screen, for the step that is being written */
  function retake(): WrittenShow {
    return showAt(edited.peek()?.index ?? written.peek().length);
  }

  /** Keeps a step as it was written, and shows it. @returns whether it could be */
  function keep(step: WrittenLessonStep): boolean {
    const now = edited.peek();
    if (!now) return false;
    const { index, isNew } = now;
    const base = lesson.base();
    const steps = written.peek().toSpliced(index, isNew ? 0 : 1, step);
    if (!write(steps, isNew ? 'record a lesson step' : `change step ${index + 1} of the lesson`)) return false;
    edited.value = { index, isNew: false, step };
    lesson.openAt(index, base);
    return true;
  }

  /** @param by −1 towards the beginning, 1 towards the end */
  function move(index: number, by: number): void {
    const steps = written.peek();
    const to = index + by;
    const step = steps[index];
    if (!step || to < 0 || to >= steps.length) return;
    if (write(steps.toSpliced(index, 1).toSpliced(to, 0, step), `move step ${index + 1} of the lesson`)) choose(to);
  }

  function remove(index: number): void {
    if (!write(written.peek().toSpliced(index, 1), `remove step ${index + 1} of the lesson`)) return;
    if (written.peek().length === 0) {
      lesson.close();
      edited.value = undefined;
    } else choose(Math.min(index, written.peek().length - 1));
  }

  return { written, edited, problems, choose, record, retake, keep, move, remove };
}

export type LessonEdits = ReturnType<typeof createLessonEdits>;

function createLessonEditsOf(run: RunView): LessonEdits {
  return createLessonEdits(run.laboratory, { ...run, stage: stageOf(run), xray: xrayOf(run) }, lessonOf(run));
}

/** @returns what is edited of the lesson of a run */
export function lessonEditsOf(run: RunView): LessonEdits {
  return run.use(createLessonEditsOf);
}
