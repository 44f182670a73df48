/**
 * The lesson of the scenario on screen: which step is current, what it has changed of the settings, and what was answered. A step
 * always shows all that it says, wherever the user has gone in the meantime; their changes can be undone.
 */
import { batch, computed, effect, signal } from '@preact/signals';
import {
  ScenarioError,
  changesBetween,
  describeProblem,
  isRecord,
  scenarioAtStep,
  validateScenario,
  viewsSchema,
} from '../../../engine/index.ts';
import type { LessonStep, ParsedScenario, Scenario, Views } from '../../../engine/index.ts';
import { showViews, viewsNow, USUAL_EVIDENCE, type LinkedStep } from '../links/link.ts';
import type { KeptStep } from '../../document/recovery/recovery-store.ts';
import type { EvidenceTab } from '../../page/overlays.ts';
import { type Laboratory, slot } from '../../page/laboratory.ts';
import { GLIDE_MILLISECONDS, type CameraKind } from '../../document/views/cameras.ts';
import { settingsOf, withLabels } from '../../document/scenario/run-document.ts';
import { playTo, reachOf, showCycle, type LessonRun } from './lesson-run.ts';
import type { RunView } from '../../document/run-view.ts';
import { impactOf } from '../impact/impact-state.ts';
import { stageOf } from '../../stage/stage-state.ts';
import { xrayOf } from '../x-ray/xray-state.ts';

const CANNOT = 'The step cannot be shown';

type Raw = Readonly<Record<string, unknown>>;

/** What was on screen before a lesson. */
interface Before {
  readonly views: Views;
  readonly tab: EvidenceTab;
  readonly isShown: boolean;
}

/** A lesson that is on screen. */
interface Standing {
  /** Opening of its scenario. */
  readonly opening: number;
  /** From 0. */
  readonly index: number;
  /** The scenario that it began with, as a file would hold it. */
  readonly base: Raw;
  /** Undefined if it was not begun here: by a link, or on a page before this one. */
  readonly before?: Before;
}

/** The position in a lesson, for a link to it. */
interface LinkedLesson extends LinkedStep {
  /** That the lesson begins with; undefined where somebody has changed what is on screen. */
  readonly parsed: ParsedScenario | undefined;
}

/** The parts of a page that a lesson shows something in. */
type LessonSurroundings = Pick<Laboratory, 'evidence' | 'frame' | 'notices' | 'preferences'>;

function differInSettings(a: Scenario, b: Scenario): boolean {
  return changesBetween(a, b).some(({ effect }) => effect !== 'label');
}

/** The lesson of one run on screen. */
function createLesson(laboratory: LessonSurroundings, run: LessonRun) {
  const { evidence, frame, notices, preferences } = laboratory;
  const { scenario, course, edits, controller, view, xray } = run;
  const { openings, draft, draftScenario, appliedScenario } = scenario;

  const standing = signal<Standing | undefined>(undefined);
  const steps = computed<readonly LessonStep[]>(() => (draftScenario.value ?? appliedScenario.value)?.lesson ?? []);
  /** The step on screen, from 0; undefined while there is none. */
  const at = computed<number | undefined>(() => {
    const { opening, index } = standing.value ?? {};
    if (index === undefined || opening !== openings.value || steps.value.length === 0) return undefined;
    return Math.min(index, steps.value.length - 1);
  });
  const step = computed<LessonStep | undefined>(() => (at.value === undefined ? undefined : steps.value[at.value]));
  /** Whether the lesson has stepped aside for a user who tries something. */
  const isTrying = signal(false);
  /** The cycle that is played to. */
  const goal = signal<number | undefined>(undefined);
  const isOnTheWay = computed(() => goal.value !== undefined && course.cycle.value < goal.value);
  /** Chosen answer of a step's question, by the step. */
  const chosen = signal<ReadonlyMap<number, number>>(new Map());
  let endWatch: (() => void) | undefined;
  /** Whether the lesson has the window: nobody tries anything. */
  const isTold = computed(() => step.value !== undefined && !isTrying.value);
  /**
   * Predict before reveal: until a question is answered, all that says how methods do is hidden, and of the evidence that the step
   * shows what comes after the cycle on screen. A step that shows the forecast hides the analysis as well.
   */
  effect(() => {
    const index = at.value;
    const { question, show } = step.value ?? {};
    const isAsking = isTold.value && question !== undefined && index !== undefined && !chosen.value.has(index);
    const withheld = question?.hides ?? (show?.views.evidence === undefined ? 'results' : 'later');
    batch(() => {
      view.withheld.value = isAsking ? withheld : 'nothing';
      xray.isWithheld.value = isAsking && view.phase.value === 'forecast';
    });
  });
  effect(() => {
    const { pointsAt = [], views } = step.value?.show ?? {};
    const pointed = pointsAt.length === 0 && views?.evidence !== undefined ? ['evidence'] : pointsAt;
    view.pointsAt.value = isTold.value ? pointed : [];
  });

  /** What a file would hold now, before any step changes it. */
  function baseNow(): Raw {
    const raw = draftScenario.peek() ? edits.fileRaw.peek() : edits.runFile.peek();
    return isRecord(raw) ? raw : {};
  }

  function stopPlaying(): void {
    endWatch?.();
    goal.value = undefined;
  }

  /** @throws ScenarioError where the settings of a step do not fit the scenario */
  function parsedAt({ base, index }: Pick<Standing, 'base' | 'index'>): ParsedScenario {
    const raw = scenarioAtStep(withLabels(base, draft.peek()), steps.peek(), index);
    return validateScenario(raw, 'the lesson');
  }

  /** Whether a run has other settings than a step. */
  function isChanged(running: Scenario, of: Standing): boolean {
    try {
      return differInSettings(running, parsedAt(of).scenario);
    } catch (error) {
      if (!(error instanceof ScenarioError)) throw error;
      return true;
    }
  }

  /** Brings the settings of a step on screen, and begins again unless they run already. @returns whether it did */
  function useSettings(next: Standing, { raw, scenario: wanted }: ParsedScenario, mustBegin: boolean, play: boolean) {
    const running = course.info.peek()?.scenario ?? appliedScenario.peek();
    const isAnew = mustBegin || running === undefined || differInSettings(running, wanted);
    const to = isRecord(raw) ? raw : {};
    batch(() => {
      scenario.editDraft(settingsOf(raw), `go to step ${next.index + 1} of the lesson`);
      scenario.markApplied();
      edits.lend({ from: next.base, to, opening: next.opening, isOpen: true });
      if (!isAnew) return;
      edits.beginRun(to);
      controller.start(wanted, controller.files, { play });
    });
    return isAnew;
  }

  const usualCamera = (): CameraKind => (preferences.presentation.peek() ? 'stage' : 'perspective');

  /** Views of a step: also the panel that it speaks of, and no longer one over the stage. */
  function useViews({ show: { views } }: LessonStep): void {
    showViews(run, views, usualCamera(), GLIDE_MILLISECONDS);
    if (views.evidence !== undefined) {
      evidence.evidenceTab.value = views.evidence;
      // On the stage the errors have a curve of their own.
      if (views.evidence !== 'errors' || !preferences.presentation.peek()) {
        frame.showPanel('evidence');
        return;
      }
    }
    evidence.evidenceTab.value = USUAL_EVIDENCE;
    if (preferences.presentation.peek() && frame.isPanelShown('evidence')) frame.showOrHidePanel('evidence');
  }

  /** Shows a step whole. */
  function show(next: Standing): void {
    const wanted = steps.peek()[next.index];
    if (!wanted) return;
    const { cycle, playTo: target } = wanted.show;
    const plays = target !== undefined && !preferences.reducedMotion.peek();
    const end = target ?? cycle;
    try {
      const parsed = parsedAt(next);
      stopPlaying();
      batch(() => {
        isTrying.value = false;
        standing.value = next;
      });
      const isLost = end !== undefined && reachOf(end, run) === 'lost';
      const isAnew = useSettings(next, parsed, isLost, plays);
      useViews(wanted);
      if (end === undefined) return;
      if (!plays || (!isAnew && course.cycle.peek() >= end)) showCycle(end, run);
      else {
        goal.value = end;
        endWatch = playTo(end, run, isAnew);
      }
    } catch (error) {
      if (!(error instanceof ScenarioError)) throw error;
      notices.notify('error', CANNOT, { lines: error.problems.map(describeProblem) });
    }
  }

  function goTo(index: number): void {
    const now = standing.peek();
    if (at.peek() === undefined || !now) return;
    show({ ...now, index: Math.max(0, Math.min(index, steps.peek().length - 1)) });
  }

  function close(): void {
    stopPlaying();
    batch(() => {
      const lent = edits.lent.peek();
      if (lent) edits.lend({ ...lent, isOpen: false });
      standing.value = undefined;
      isTrying.value = false;
    });
  }

  function showBefore(before: Before | undefined): void {
    if (before) {
      showViews(run, before.views, usualCamera(), GLIDE_MILLISECONDS);
      evidence.evidenceTab.value = before.tab;
      if (before.isShown !== frame.isPanelShown('evidence')) frame.showOrHidePanel('evidence');
    } else xray.leave();
    if (!xray.subject.peek() && evidence.evidenceTab.peek() === 'xray') evidence.evidenceTab.value = USUAL_EVIDENCE;
  }

  /** Ends the lesson and puts back what it has changed: views, X-ray, and settings that nobody has changed since. */
  function finish(): void {
    const lent = edits.lentNow.peek();
    const before = at.peek() === undefined ? undefined : standing.peek()?.before;
    close();
    showBefore(before);
    if (!lent) return;
    const own = validateScenario(withLabels(lent.from, draft.peek()), 'the scenario');
    const running = course.info.peek()?.scenario;
    if (!running || !differInSettings(running, own.scenario)) return;
    batch(() => {
      scenario.editDraft(settingsOf(own.raw), 'restore the settings after the lesson');
      scenario.markApplied();
      edits.lend(undefined);
      edits.beginRun(own.raw);
      controller.start(own.scenario, controller.files, { play: false });
    });
  }

  /** The scenario that the steps begin with, as a file would hold it: while none is on screen, as it was saved last. */
  function base(): Raw {
    const found = at.peek() === undefined ? scenario.saved.peek() : standing.peek()?.base;
    return isRecord(found) ? found : {};
  }

  /** Shows a step of a lesson that began with a scenario, as a file would hold that. */
  function openAt(index: number, from: Raw): void {
    const now = at.peek() === undefined ? undefined : standing.peek();
    show({ ...now, opening: openings.peek(), index, base: from });
  }

  /** Begins the lesson, or goes to a step of it. */
  function open(index = 0): void {
    if (at.peek() !== undefined) {
      goTo(index);
      return;
    }
    chosen.value = new Map();
    const before = {
      views: viewsSchema.parse(viewsNow(laboratory, run)),
      tab: evidence.evidenceTab.peek(),
      isShown: frame.isPanelShown('evidence'),
    };
    show({ opening: openings.peek(), index: Math.min(index, steps.peek().length - 1), base: baseNow(), before });
  }

  function next(): void {
    goTo((at.peek() ?? 0) + 1);
  }

  function back(): void {
    goTo((at.peek() ?? 0) - 1);
  }

  /** Steps aside: the laboratory is free to use, and is at the lesson's step. */
  function tryIt(): void {
    stopPlaying();
    controller.pause();
    isTrying.value = true;
  }

  /** Shows the step on screen again, all of it. */
  function goOn(): void {
    goTo(at.peek() ?? 0);
  }

  /** Shows the cycle that is being played to at once. */
  function skip(): void {
    const target = goal.peek();
    stopPlaying();
    if (target !== undefined) showCycle(target, run);
  }

  /** Answers the question of the step on screen. */
  function choose(choice: number): void {
    const index = at.peek();
    if (index !== undefined) chosen.value = new Map(chosen.peek()).set(index, choice);
  }

  /** Moves to a step without showing it: the caller sets views and cycle, as for a link. */
  function stand({ step: number, tried }: LinkedStep): void {
    const here = { opening: openings.peek(), index: number - 1, base: baseNow() };
    stopPlaying();
    isTrying.value = false;
    chosen.value = new Map();
    standing.value = here;
    if (!tried) useSettings(here, parsedAt(here), false, false);
  }

  /** @returns the position in it, for a page that continues after this one; undefined while it is not on screen */
  function kept(): KeptStep | undefined {
    const now = standing.peek();
    const index = at.peek();
    const running = course.info.peek()?.scenario;
    if (!now || index === undefined || !running) return undefined;
    return { step: index + 1, tried: isChanged(running, { ...now, index }), base: now.base };
  }

  /** Returns to its position, with the settings that run already; does nothing if the scenario has no such step. */
  function resume({ step: number, tried, base: from }: KeptStep): void {
    if (number > steps.peek().length) return;
    const opening = openings.peek();
    const to = baseNow();
    batch(() => {
      isTrying.value = tried;
      standing.value = { opening, index: number - 1, base: from };
      if (!tried) edits.lend({ from, to, opening, isOpen: true });
    });
  }

  /** @returns the position in it, and the scenario of a link to it if nothing that the step shows was changed */
  function linked(): LinkedLesson | undefined {
    const now = standing.peek();
    const index = at.peek();
    const running = course.info.peek()?.scenario;
    if (!now || index === undefined || !running) return undefined;
    const tried = isChanged(running, { ...now, index });
    const raw = withLabels(now.base, draft.peek());
    return { step: index + 1, tried, parsed: tried ? undefined : validateScenario(raw, 'the lesson') };
  }

  return {
    steps,
    at,
    step,
    isTrying,
    isTold,
    goal,
    isOnTheWay,
    chosen,
    base,
    open,
    openAt,
    next,
    back,
    close,
    finish,
    tryIt,
    goOn,
    skip,
    choose,
    stand,
    kept,
    resume,
    linked,
  };
}

export type Lesson = ReturnType<typeof createLesson>;

/** @returns the lesson of a run */
export const lessonOf = slot<RunView, Lesson>((run) =>
  createLesson(run.laboratory, { ...run, stage: stageOf(run), xray: xrayOf(run), impact: impactOf(run) }),
);
