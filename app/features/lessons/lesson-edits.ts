/**
 * How the lesson of the scenario on screen is written: steps recorded as what is on screen (cycle, views, part of the evidence,
 * what was changed), changed, moved and taken away, each undone like any edit; and the commands of lessons.
 */
import { computed, signal } from '@preact/signals';
import {
  ScenarioError,
  describeProblem,
  isRecord,
  setPath,
  MOST_SETTINGS_OF_A_STEP,
  changesBetween,
  scenarioAt,
  scenarioAtStep,
  validateScenario,
  MOST_STEPS_OF_A_LESSON,
} from '../../../engine/index.ts';
import type { WrittenLessonStep, LessonSetting, LessonStep, Scenario, XraySubject } from '../../../engine/index.ts';
import { type Laboratory, slot } from '../../page/laboratory.ts';
import type { LessonRun } from './lesson-run.ts';
import type { RunView } from '../../document/run-view.ts';
import { impactOf } from '../impact/impact-state.ts';
import { xrayOf } from '../x-ray/xray-state.ts';
import { lessonOf, type Lesson } from './lesson-state.ts';
import { stageOf } from '../../stage/stage-state.ts';
import { viewsNow } from '../links/link.ts';
import { fieldOf } from '../../fields/fields.ts';
import type { Command } from '../../page/commands.ts';

/** As a file writes it. */
type WrittenShow = NonNullable<WrittenLessonStep['show']>;

/** @returns the settings that another scenario has, in its order; what was done to the water while it ran is no setting */
export function changedSettings(before: Scenario, after: Scenario): readonly LessonSetting[] {
  return changesBetween(before, after)
    .filter(({ path, effect, after: value }) => effect !== 'label' && value !== undefined && isSetting(path))
    .slice(0, MOST_SETTINGS_OF_A_STEP)
    .map(({ path, after: value }) => ({ path, value: value ?? null }));
}

function isSetting(path: string): boolean {
  return !/^interventions\b/.test(path);
}

/** What a step is recorded against. */
interface StepBefore {
  /** The scenario that the lesson begins with, as a file would hold it. */
  readonly base: unknown;
  readonly steps: readonly LessonStep[];
  /** The step that the new one follows, from 0; −1 before all. */
  readonly index: number;
}

/** @returns what is on screen now. @throws ScenarioError where the steps before do not fit the scenario */
function showNow(
  laboratory: Pick<Laboratory, 'evidence' | 'frame'>,
  run: LessonRun,
  { base, steps, index }: StepBefore,
): WrittenShow {
  const { info, cycle } = run.course;
  const running = info.peek()?.scenario;
  const before = validateScenario(scenarioAtStep(base, steps, index), 'the lesson').scenario;
  const settings = running ? changedSettings(before, scenarioAt(running, cycle.peek())) : [];
  const views = {
    ...viewsNow(laboratory, run),
    // A panel that is closed is no part of what is seen.
    evidence: laboratory.frame.isPanelShown('evidence') ? laboratory.evidence.evidenceTab.peek() : undefined,
  };
  const { evidence, ...others } = views;
  const seen = { ...others, ...(evidence !== undefined && { evidence }) };
  return {
    cycle: cycle.peek(),
    ...(Object.keys(seen).length > 0 && { views: seen }),
    ...(settings.length > 0 && { settings: [...settings] }),
  };
}

function xrayWords(xray: XraySubject): string {
  return xray.kind === 'point'
    ? `X-ray of ${xray.variable} at ${xray.x}, ${xray.y}`
    : `X-ray of observation ${xray.index}`;
}

const LONGEST_VALUE = 40;

/** @returns a setting in a few words: a section or list, such as an added method, is named by its kind or its size */
function settingWords({ path, value }: Pick<LessonSetting, 'path'> & { readonly value: unknown }): string {
  if (Array.isArray(value)) return `${path}: ${value.length} ${value.length === 1 ? 'entry' : 'entries'}`;
  if (isRecord(value)) return typeof value['kind'] === 'string' ? `${path}: ${value['kind']}` : `${path} changed`;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return `${path} = ${text.length > LONGEST_VALUE ? `${text.slice(0, LONGEST_VALUE - 1)}…` : text}`;
}

/** @returns what a step shows, in a few words: `cycle 5 · Surface, Error · background.members = 8` */
export function shownInWords({ cycle, playTo, views = {}, settings = [] }: WrittenShow): string {
  const when = playTo === undefined ? (cycle === undefined ? [] : [`cycle ${cycle}`]) : [`plays to cycle ${playTo}`];
  const fields = (views.fields ?? ['surface']).map((id) => fieldOf(id).title).join(', ');
  const changed = settings.map(settingWords);
  const asked = views.xray === undefined ? [] : [xrayWords(views.xray)];
  return [
    ...when,
    fields,
    ...asked,
    ...(views.impact === undefined ? [] : ['impact of the observations']),
    ...(views.evidence === undefined ? [] : [`evidence: ${views.evidence}`]),
    ...changed,
  ].join(' · ');
}

/** A step that is being written: one of the lesson, or a new one that will be at that place. */
export interface EditedStep {
  /** From 0. */
  readonly index: number;
  readonly isNew: boolean;
  readonly step: WrittenLessonStep;
}

interface EditedRun extends LessonRun {
  readonly controller: LessonRun['controller'] & { apply(): Promise<void> };
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

/** @returns what is edited of the lesson of a run */
export const lessonEditsOf = slot<RunView, LessonEdits>((run) =>
  createLessonEdits(
    run.laboratory,
    { ...run, stage: stageOf(run), xray: xrayOf(run), impact: impactOf(run) },
    lessonOf(run),
  ),
);

/** What can be done with the lesson of the scenario on screen: taken, gone through, recorded. */
export function lessonCommands({ overlays }: Pick<Laboratory, 'overlays'>, run: RunView): readonly Command[] {
  const {
    course: { info },
    scenario: { draftScenario },
  } = run;
  const { at, steps, isOnTheWay, isTrying, open, next, back, close, skip, tryIt, goOn } = lessonOf(run);
  const { record } = lessonEditsOf(run);
  const isOpen = (): boolean => at.value !== undefined;
  const canEdit = (): boolean => info.value !== undefined && draftScenario.value !== undefined;
  return [
    {
      id: 'lesson.open',
      group: 'Lesson',
      title: 'Lesson',
      shortcuts: ['T'],
      keywords: 'take teach steps explain begin close',
      enabled: () => steps.value.length > 0,
      checked: isOpen,
      run: () => (isOpen() ? close() : open()),
    },
    {
      id: 'lesson.next',
      group: 'Lesson',
      title: 'Next step of the lesson',
      shortcuts: ['PageDown', 'ArrowRight'],
      enabled: () => at.value !== undefined && at.value < steps.value.length - 1,
      run: next,
    },
    {
      id: 'lesson.back',
      group: 'Lesson',
      title: 'Step before in the lesson',
      shortcuts: ['PageUp', 'ArrowLeft'],
      enabled: () => at.value !== undefined && at.value > 0,
      run: back,
    },
    {
      id: 'lesson.skip',
      group: 'Lesson',
      title: 'Skip to the cycle that the lesson plays to',
      enabled: () => isOnTheWay.value,
      run: skip,
    },
    {
      id: 'lesson.try',
      group: 'Lesson',
      title: 'Try it yourself, and continue the lesson later',
      enabled: isOpen,
      checked: () => isTrying.value,
      run: () => (isTrying.value ? goOn() : tryIt()),
    },
    {
      id: 'lesson.record',
      group: 'Lesson',
      title: 'Record a lesson step…',
      keywords: 'author write teach take what is on screen',
      enabled: () => canEdit() && steps.value.length < MOST_STEPS_OF_A_LESSON,
      run: () => {
        record();
        overlays.openOverlay('lesson');
      },
    },
    {
      id: 'lesson.edit',
      group: 'Lesson',
      title: 'Edit the lesson…',
      keywords: 'steps reorder remove title text question',
      enabled: () => canEdit() && steps.value.length > 0,
      run: () => overlays.openOverlay('lesson'),
    },
  ];
}
