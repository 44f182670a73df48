/**
 * The demonstration: the lessons of the scenarios, one after the other and without end, until somebody touches the window; a minute
 * after the last touch it continues with the next scenario. It ends with the stage mode.
 */
import { signal } from '@preact/signals';
import type { LessonStep } from '../../../engine/index.ts';
import { BUNDLED_SCENARIOS, groupScenarios } from '../../document/scenario/bundled-scenarios.ts';
import { GLIDE_MILLISECONDS, type CameraKind } from '../../document/views/cameras.ts';
import type { RunCourse } from '../../document/run/run-course.ts';
import type { RunView } from '../../document/run-view.ts';
import { lessonOf, type Lesson } from '../lessons/lesson-state.ts';
import { openingOf } from '../opening/open-scenario.ts';
import { slot } from '../../page/laboratory.ts';

/** Too large for a machine that plays on its processor. */
const OMITTED: ReadonlySet<string> = new Set(['large']);

/** Milliseconds. */
interface Pace {
  /** For a word of a step. */
  readonly word: number;
  /** A step is on screen for at least as long. */
  readonly least: number;
  /** For thinking about a question, and for reading its answer. */
  readonly question: number;
  /** A run that computes no cycle for so long is waited for no longer. */
  readonly longestStill: number;
  /** Nor is one that is not at the cycle of the step by then. */
  readonly longestPlay: number;
  /** After the last touch. */
  readonly rest: number;
}

const PACE: Pace = { word: 330, least: 5000, question: 6000, longestStill: 60_000, longestPlay: 600_000, rest: 60_000 };

/** Waits. @throws the signal's reason as soon as it is aborted */
type Wait = (milliseconds: number, signal: AbortSignal) => Promise<void>;

const waitByClock: Wait = (milliseconds, signal) =>
  new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    };
    const timer = setTimeout(() => {
      // A lesson waits many times for the same signal.
      signal.removeEventListener('abort', stop);
      resolve();
    }, milliseconds);
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });

function wordsOf({ title, text }: LessonStep): number {
  return `${title} ${text}`.split(/\s+/).length;
}

/** Cameras of steps that name none: with the waves where they run, else by turns. */
const CAMERAS = ['orbit', 'stage'] as const satisfies readonly CameraKind[];

/** @returns where the demonstration moves the cameras at a step; undefined where the step says it */
export function demonstrationCamera({ show }: LessonStep, index: number, isRing: boolean): CameraKind | undefined {
  const { camera, cameraKind, crossSection } = show.views;
  if (camera ?? cameraKind ?? crossSection) return undefined;
  return show.playTo !== undefined && !isRing ? 'wave' : CAMERAS[index % CAMERAS.length];
}

type PlayedLesson = Pick<Lesson, 'steps' | 'open' | 'next' | 'choose' | 'finish'>;
type PlayedCourse = Pick<RunCourse, 'cycle' | 'newestCycle'>;

/** Between two looks at a run, ms. */
const TICK = 250;

/** Waits until the cycle that a step speaks of is on screen, however slowly the run comes there. */
async function untilReached(
  { show: { cycle, playTo = cycle } }: LessonStep,
  course: PlayedCourse,
  { longestStill, longestPlay }: Pace,
  wait: (milliseconds: number) => Promise<void>,
): Promise<void> {
  let newest = course.newestCycle.peek();
  let still = 0;
  for (let waited = 0; waited < longestPlay && still < longestStill; waited += TICK) {
    if (playTo === undefined || course.cycle.peek() >= playTo) return;
    await wait(TICK);
    still = course.newestCycle.peek() === newest ? still + TICK : 0;
    newest = course.newestCycle.peek();
  }
}

/** Plays a lesson from its first step to its last, with the answers to its questions. @param onStep called when a step is shown */
export async function playLesson(
  lesson: PlayedLesson,
  course: PlayedCourse,
  pace: Pace,
  wait: Wait,
  signal: AbortSignal,
  onStep: (step: LessonStep, index: number) => void = () => undefined,
): Promise<void> {
  lesson.open();
  const steps = lesson.steps.peek();
  for (const [index, step] of steps.entries()) {
    if (index > 0) lesson.next();
    onStep(step, index);
    await untilReached(step, course, pace, (milliseconds) => wait(milliseconds, signal));
    await wait(Math.max(pace.least, pace.word * wordsOf(step)), signal);
    if (!step.question) continue;
    await wait(pace.question, signal);
    lesson.choose(step.question.answer);
    await wait(pace.question, signal);
  }
  lesson.finish();
}

export interface Demonstration {
  readonly isOn: { readonly value: boolean };
  start(): void;
  stop(): void;
}

function createDemonstration(run: RunView): Demonstration {
  const isOn = signal(false);
  const { presentation } = run.laboratory.preferences;
  const names = groupScenarios(BUNDLED_SCENARIOS.map(({ name }) => name))
    .flatMap((group) => group.names)
    .filter((name) => !OMITTED.has(name));
  let next = 0;
  let playing: AbortController | undefined;
  let resting = 0;
  let endWatch: (() => void) | undefined;

  /** The cameras move from step to step. */
  function lookAt(step: LessonStep, index: number): void {
    const kind = demonstrationCamera(step, index, run.view.world.peek()?.isRing === true);
    if (kind) run.view.moveCameras(kind, GLIDE_MILLISECONDS);
  }

  async function play(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const name = names[next % names.length];
      next += 1;
      // Somebody wants to keep what they have changed.
      if (!(await openingOf(run).openBundled(name))) {
        stop();
        return;
      }
      const lesson = lessonOf(run);
      if (lesson.steps.peek().length > 0) await playLesson(lesson, run.course, PACE, waitByClock, signal, lookAt);
      else await waitByClock(PACE.rest, signal);
    }
  }

  function begin(): void {
    presentation.value = true;
    playing = new AbortController();
    const { signal } = playing;
    play(signal).catch((error: unknown) => {
      if (!signal.aborted) throw error;
    });
  }

  function pause(): void {
    playing?.abort();
    window.clearTimeout(resting);
    resting = window.setTimeout(begin, PACE.rest);
  }

  /** Somebody is there, not the page itself. */
  const onTouch = ({ isTrusted }: Event): void => {
    if (isTrusted) pause();
  };

  function start(): void {
    if (isOn.peek()) return;
    isOn.value = true;
    window.addEventListener('pointerdown', onTouch, true);
    window.addEventListener('keydown', onTouch, true);
    begin();
    // Whoever leaves the stage has the window for themselves.
    endWatch = presentation.subscribe((isOnStage) => {
      if (!isOnStage) stop();
    });
  }

  function stop(): void {
    if (!isOn.peek()) return;
    isOn.value = false;
    endWatch?.();
    window.removeEventListener('pointerdown', onTouch, true);
    window.removeEventListener('keydown', onTouch, true);
    playing?.abort();
    window.clearTimeout(resting);
  }

  return { isOn, start, stop };
}

/** @returns the demonstration of a run's page */
export const demonstrationOf = slot<RunView, Demonstration>(createDemonstration);
