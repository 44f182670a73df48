/**
 * A variational analysis from inside, for the cycle on screen: its minimisation computed again beside the run with its iterates kept, the iteration
 * that is looked at, and the increment as far as it has come in place of the method's field. Moving on from the cycle, and whoever
 * else shows planes on the stage, ends it.
 */
import { reasonOf, type Progress } from '../../page/notices.ts';
import { batch, computed, effect, signal, untracked, type Signal } from '@preact/signals';
import type { MinimisationExplanation, MinimisationCourse } from '../../../engine/index.ts';
import type { PastCycle } from '../../document/run/again.ts';
import type { RunController } from '../../document/run/run-controller.ts';
import type { RunCourse } from '../../document/run/run-course.ts';
import type { RunView } from '../../document/run-view.ts';
import { xrayOf, type Xray } from '../x-ray/xray-state.ts';
import { joinRanges, rounded, type Range } from '../../fields/ranges.ts';
import { incrementSymbol, type ShownPlanes } from '../../document/views/shown-planes.ts';
import { slot } from '../../page/laboratory.ts';

/** The minimisation as the run carried it out, and the one without preconditioning. */
type CourseName = 'preconditioned' | 'plain';

export const COURSES = [
  { value: 'preconditioned', label: 'Preconditioned' },
  { value: 'plain', label: 'Unpreconditioned' },
] as const satisfies readonly { readonly value: CourseName; readonly label: string }[];

/** What the stage shows of a minimisation, beside the iteration. */
interface IncrementPlanes {
  /** Range of the colours, the same for all iterations of both minimisations. */
  readonly range: Range;
  /** The increment that was kept last up to an iteration, [y][x]: always the same array for the same one. */
  readonly at: (course: CourseName, iteration: number) => Float32Array;
}

/** @returns where in what was kept an iteration is, the latest up to it; −1 before the first */
export function keptPlace({ kept }: Pick<MinimisationCourse, 'kept'>, iteration: number): number {
  return kept.findLastIndex((each) => each <= iteration);
}

/** @param cells of the grid @returns the increment after each iteration as planes that the stage shows */
export function incrementPlanes(explanation: MinimisationExplanation, cells: number): IncrementPlanes {
  const nothing = new Float32Array(cells);
  const planesOf = ({ kept, increments }: MinimisationCourse): readonly Float32Array[] =>
    Array.from(kept, (_, place) => increments.subarray(place * cells, (place + 1) * cells));
  const planes = { preconditioned: planesOf(explanation.preconditioned), plain: planesOf(explanation.plain) };
  const reaches = COURSES.map(({ value }) => explanation[value].largest).map((reach) => ({ from: -reach, to: reach }));
  return {
    range: rounded(joinRanges(reaches), 'diverging'),
    at: (course, iteration) => planes[course][keptPlace(explanation[course], iteration)] ?? nothing,
  };
}

/** @param method its label */
function shownIncrement(
  method: string,
  { variable }: Pick<MinimisationExplanation, 'variable'>,
  { range, at }: IncrementPlanes,
  course: CourseName,
  iteration: number,
): ShownPlanes {
  const without = course === 'plain' ? ', unpreconditioned' : '';
  return {
    title: `Increment after iteration ${iteration}${without}`,
    symbol: incrementSymbol(variable.name),
    unit: variable.unit,
    description: 'The increment as far as the minimisation had come.',
    scale: 'diverging',
    range: [range.from, range.to],
    planes: new Map([[method, at(course, iteration)]]),
    lift: 'value',
    marks: [],
  };
}

/** From one iteration to the next while they are played, ms. */
const PACE = 450;
/** Iterations without preconditioning: some times as many as the run needed, within bounds. */
const PLAIN = { times: 3, least: 24, most: 60 } as const;

interface Subject {
  /** Label of a method that minimises. */
  readonly method: string;
  readonly cycle: number;
}

export type InsideState =
  | { readonly kind: 'closed' }
  | ({ readonly kind: 'computing' } & Subject)
  | ({ readonly kind: 'failed'; readonly message: string } & Subject)
  | ({
      readonly kind: 'open';
      readonly explanation: MinimisationExplanation;
      readonly planes: IncrementPlanes;
    } & Subject);

const CLOSED: InsideState = { kind: 'closed' };

export interface InsideParts {
  readonly course: Pick<RunCourse, 'cycle' | 'runNumber' | 'info'>;
  readonly controller: Pick<RunController, 'againAt' | 'endAgain' | 'pause' | 'scrub'>;
  readonly shown: Signal<ShownPlanes | undefined>;
  readonly progress: Pick<Progress, 'beginWork'>;
  /** Asks of the run and shows on the stage as well: one of both at a time. */
  readonly xray: Pick<Xray, 'isOn' | 'leave'>;
}

/** @returns iterations to ask for without preconditioning, by those that the run needed */
export function plainIterations(needed: number): number {
  return Math.min(PLAIN.most, Math.max(PLAIN.least, PLAIN.times * needed));
}

export function createInside({ course: runCourse, controller, shown, progress, xray }: InsideParts) {
  const state = signal<InsideState>(CLOSED);
  /** Which minimisation the stage shows. */
  const course = signal<CourseName>('preconditioned');
  const iteration = signal(0);
  const playing = signal(false);
  /** The course that is shown; undefined while nothing is open. */
  const courseNow = computed(() => (state.value.kind === 'open' ? state.value.explanation[course.value] : undefined));
  /** What is on the stage because of this. */
  let mine: ShownPlanes | undefined;
  /** The question that an answer is waited for. */
  let latest = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function close(): void {
    latest += 1;
    const { kind } = state.peek();
    if (kind === 'closed') return;
    clearTimeout(timer);
    // With an answer there is nothing beside the run any more.
    if (kind === 'computing') controller.endAgain();
    batch(() => {
      if (shown.peek() === mine) shown.value = undefined;
      mine = undefined;
      playing.value = false;
      state.value = CLOSED;
    });
  }

  /** @param needed iterations that the run needed */
  async function open(subject: Subject, needed: number): Promise<void> {
    close();
    xray.leave();
    const { method, cycle } = subject;
    // Whoever was on the way to the next cycle goes back.
    controller.pause();
    controller.scrub(cycle);
    if (runCourse.cycle.peek() !== cycle) {
      state.value = { kind: 'failed', method, cycle, message: 'it is not stored any more; choose one on the timeline' };
      return;
    }
    const asked = latest;
    const isLatest = (): boolean => asked === latest;
    state.value = { kind: 'computing', method, cycle };
    const work = progress.beginWork(`Looking into cycle ${cycle}`, close);
    let past: PastCycle | undefined;
    try {
      past = await controller.againAt(cycle);
      if (!isLatest()) return;
      const question = { kind: 'minimisation', iterations: plainIterations(needed) } as const;
      const explanation = await past.ask({ kind: 'explanation', method, cycle, question });
      if (!isLatest()) return;
      const basin = runCourse.info.peek()?.basin;
      if (!explanation || !basin) throw new Error(`${method} does not explain its minimisation`);
      batch(() => {
        course.value = 'preconditioned';
        iteration.value = explanation.preconditioned.iterations;
        const planes = incrementPlanes(explanation, basin.nx * basin.ny);
        state.value = { kind: 'open', method, cycle, explanation, planes };
      });
    } catch (error) {
      if (!isLatest()) return;
      state.value = { kind: 'failed', method, cycle, message: reasonOf(error) };
    } finally {
      // All that is looked at from now on is in the answer.
      if (isLatest()) past?.dispose();
      work.end();
    }
  }

  /** Shows an iteration, the nearest there is. */
  function show(wanted: number): void {
    const most = courseNow.peek()?.iterations ?? 0;
    iteration.value = Math.min(most, Math.max(0, Math.round(wanted)));
  }

  function pause(): void {
    clearTimeout(timer);
    playing.value = false;
  }

  function advance(): void {
    const now = courseNow.peek();
    if (!now || iteration.peek() >= now.iterations) {
      pause();
      return;
    }
    // From increment to increment, where not all were kept.
    show(now.kept[keptPlace(now, iteration.peek()) + 1] ?? now.iterations);
    timer = setTimeout(advance, PACE);
  }

  /** Lets the increment grow, from the first iteration where it was at the last. */
  function play(): void {
    const now = courseNow.peek();
    if (!now || playing.peek()) return;
    playing.value = true;
    if (iteration.peek() >= now.iterations) iteration.value = 0;
    timer = setTimeout(advance, PACE);
  }

  function choose(next: CourseName): void {
    batch(() => {
      course.value = next;
      show(iteration.peek());
    });
  }

  const ends = [
    effect(() => {
      const now = state.value;
      if (now.kind !== 'open') return;
      const { method, explanation, planes } = now;
      mine = shownIncrement(method, explanation, planes, course.value, iteration.value);
      const next = mine;
      untracked(() => {
        shown.value = next;
      });
    }),
    effect(() => {
      if (xray.isOn.value) untracked(close);
    }),
    // Somebody else has the stage.
    effect(() => {
      if (shown.value !== mine && untracked(() => state.value.kind === 'open')) untracked(close);
    }),
    effect(() => {
      const [cycle] = [runCourse.cycle.value, runCourse.runNumber.value];
      const now = untracked(() => state.value);
      if (now.kind !== 'closed' && now.cycle !== cycle) untracked(close);
    }),
  ];

  return {
    state,
    course,
    courseNow,
    iteration,
    playing,
    open,
    close,
    show,
    choose,
    play,
    pause,
    dispose() {
      close();
      for (const end of ends) end();
    },
  };
}

export type Inside = ReturnType<typeof createInside>;

/** @returns the minimisation of a run from inside */
export const insideOf = slot<RunView, Inside>((run) =>
  createInside({ ...run, progress: run.laboratory.progress, xray: xrayOf(run) }),
);
