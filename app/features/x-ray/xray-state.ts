/**
 * The X-ray of one run: what it is of, what the methods answer about the cycle on screen, and what of it the stage shows. While
 * the run continues each cycle is asked about as it comes; one that has gone by is computed again beside the run.
 */
import { reasonOf } from '../../page/notices.ts';
import { wait } from '../../page/render-pace.ts';
import { batch, computed, effect, signal, untracked, type ReadonlySignal, type Signal } from '@preact/signals';
import { methodDefinition, modelKindDefinition, NotKeptError, STATE_VARIABLES } from '../../../engine/index.ts';
import type { PastCycle } from '../../document/run/again.ts';
import { holdRange, type HeldRange } from '../../fields/ranges.ts';
import { measuredShown, type ShownPlanes } from '../../document/views/shown-planes.ts';
import { isFreeRun } from '../../document/views/method-style.ts';
import type { RunLine } from '../../document/lines/line.ts';
import type { RunCourse } from '../../document/run/run-course.ts';
import type { GridPoint } from '../../document/views/view-state.ts';
import { askAbout, PARTS, WHAT_IF, createLatest, placeOf, sameReading, sameSubject } from './answers.ts';
import type { AskMethod, CycleAnswers, Part, Measure, XraySubject } from './answers.ts';
import { areApart, shownAnswers } from './shown.ts';
import type { RunView } from '../../document/run-view.ts';
import { slot } from '../../page/laboratory.ts';

/** Cycles whose answers are kept: the one on screen, and those that are computed ahead of it. */
const KEPT_CYCLES = 4;
/** A cycle that is looked at for less is not computed again, ms. */
const A_LOOK = 200;

/** What an X-ray depends on. */
export interface XrayParts {
  readonly course: Pick<RunCourse, 'cycle' | 'playing'>;
  /** The run and its branches, the run first. */
  readonly lines: ReadonlySignal<readonly RunLine[]>;
  /** What the stage shows in place of a field. */
  readonly shown: Signal<ShownPlanes | undefined>;
}

interface Job {
  readonly line: RunLine;
  readonly cycle: number;
  readonly subject: XraySubject;
  readonly parts: readonly Part[];
}

/** @returns planes of the methods of a line by what the stage calls these */
function ofLine(found: ShownPlanes, { id, subjectOf }: RunLine): ShownPlanes {
  if (id === undefined) return found;
  const named = <Of>(byMethod: ReadonlyMap<string, Of>): ReadonlyMap<string, Of> =>
    new Map([...byMethod].map(([label, each]) => [subjectOf(label), each]));
  return { ...found, planes: named(found.planes), stems: found.stems && named(found.stems) };
}

export function createXray({ course: { cycle, playing }, lines, shown }: XrayParts) {
  /** The id of the branch that is asked; undefined for the run. */
  const chosenLine = signal<number | undefined>(undefined);
  /** What is asked about the cycle on screen: before it leaves the run, a branch is the run. */
  const line = computed(() => {
    const chosen = lines.value.find(({ id, first }) => id === chosenLine.value && cycle.value >= first);
    return chosen ?? lines.value[0];
  });
  const info = computed(() => line.value.course.info.value);

  const subject = signal<XraySubject | undefined>(undefined);
  /** What links a point with the rest; of an observation also what it alone changes. */
  const chosenMeasure = signal<Measure>('correlation');
  /** Variable of the state whose plane is shown; default: that of the subject. */
  const chosenVariable = signal<string | undefined>(undefined);
  /** The observation that is pointed at in the table. */
  const pointed = signal<number | undefined>(undefined);
  /** The member that is pointed at in matrices and weights. */
  const pointedMember = signal<number | undefined>(undefined);
  const known = signal<readonly CycleAnswers[]>([]);
  /** Whether the analysis is hidden: a lesson asks where it will be. */
  const isWithheld = signal(false);
  /** What is done: a question is on its way, or its cycle is computed again. */
  const busy = signal<'asking' | 'again' | undefined>(undefined);
  /** Why there is no answer about a cycle. */
  const failed = signal<{ readonly cycle: number; readonly message: string } | undefined>(undefined);

  const isOn = computed(() => subject.value !== undefined);
  const ownVariables = computed(() => {
    const scenario = info.value?.scenario;
    return scenario ? modelKindDefinition(scenario.model).variables.map(({ name }) => name) : STATE_VARIABLES;
  });
  /** Variables of the model's state. */
  const variables = computed<readonly string[]>(() => {
    const columns = known.value.flatMap(({ byMethod }) => [...byMethod.values()].flatMap(({ column }) => column ?? []));
    return columns.at(-1)?.variables.map(({ name }) => name) ?? ownVariables.value;
  });
  const measure = computed<Measure>(() =>
    subject.value?.kind === 'point' && chosenMeasure.value === 'increment' ? 'correlation' : chosenMeasure.value,
  );
  /** The answers about the cycle on screen, or the newest there are. */
  const answers = computed(() => known.value.find((each) => each.cycle === cycle.value) ?? known.value.at(-1));
  /** Why there is no answer about the cycle on screen. */
  const failure = computed(() => (failed.value?.cycle === cycle.value ? failed.value.message : undefined));
  /** Whether a method has a covariance between any two times of the window. */
  const hasTimes = computed(() => (info.value?.methods ?? []).some(({ kind }) => methodDefinition(kind).linearises));
  const methods = computed(() =>
    (info.value?.methods ?? []).filter(({ kind }) => !isFreeRun(kind)).map(({ label, kind }) => ({ label, kind })),
  );

  /** @returns the question of a job, with what is known about it already; undefined where the cycle has no such subject */
  function questionOf({ line: { course }, cycle: of, subject: about }: Job): CycleAnswers | undefined {
    const [basin, snapshot] = [course.info.peek()?.basin, untracked(() => course.snapshotAt(of))];
    const place = basin && snapshot && placeOf(about, basin, snapshot.observations, variables.peek());
    const before = known.peek().find((each) => each.cycle === of);
    return place && { cycle: of, subject: about, place, byMethod: before?.byMethod ?? new Map() };
  }

  function keep(answered: CycleAnswers): void {
    if (!sameSubject(answered.subject, subject.peek())) return;
    const others = known.peek().filter((each) => each.cycle !== answered.cycle);
    known.value = [...others, answered].slice(-KEPT_CYCLES);
  }

  /** The cycle that was computed again last. */
  let beside: PastCycle | undefined;

  /** Asks the run where the cycle is its latest, else the cycle as it is computed again. */
  async function askWhereItIs(job: Job, question: CycleAnswers, isStale: () => boolean): Promise<void> {
    const { course, ask: askLine, againAt } = job.line;
    const { divergedMethods, newestCycle } = course;
    const asked = methods.peek().filter(({ label }) => (divergedMethods.peek().get(label) ?? Infinity) > job.cycle);
    const labels = asked.map(({ label }) => label);
    const through =
      (ask: RunLine['ask']): AskMethod =>
      (method, each) =>
        ask({ kind: 'explanation', method, question: each, cycle: job.cycle });
    if (job.cycle === newestCycle.peek()) {
      try {
        keep(await askAbout(through(askLine), labels, job.parts, question, keep));
        return;
      } catch (error) {
        if (!(error instanceof NotKeptError)) throw error;
      }
    }
    if (playing.peek()) return;
    await wait(A_LOOK);
    if (isStale()) return;
    busy.value = 'again';
    beside = await againAt(job.cycle);
    if (isStale()) return;
    const { ask } = beside;
    keep(await askAbout(through(ask), labels, job.parts, question, keep));
  }

  const latest = createLatest<Job>(async (job, isStale) => {
    const question = questionOf(job);
    if (!question) {
      const stored = untracked(() => job.line.course.snapshotAt(job.cycle));
      const count = stored?.observations.x.length ?? 0;
      const has = count === 0 ? 'has no observations' : `has observations 0 to ${count - 1}`;
      failed.value = { cycle: job.cycle, message: `Cycle ${job.cycle} ${has}.` };
      return;
    }
    busy.value = 'asking';
    failed.value = undefined;
    try {
      await askWhereItIs(job, question, isStale);
    } catch (error) {
      if (!isStale()) failed.value = { cycle: job.cycle, message: reasonOf(error) };
    } finally {
      busy.value = undefined;
      if (underway === job) underway = undefined;
    }
  });

  /** The newest job that has no answer yet. */
  let underway: Job | undefined;
  function ask(job: Job): void {
    underway = job;
    latest.ask(job);
  }

  /** @returns the parts that are not answered yet of a subject in a cycle */
  function missing(about: XraySubject, of: number): readonly Part[] {
    const found = known.peek().find((each) => each.cycle === of);
    const first = found && [...found.byMethod.values()][0];
    if (!found || !first) return PARTS;
    // An answer about another reading that is still on its way would take the place of the one that is there.
    const isAsked = !underway || underway.cycle !== of || sameReading(underway.subject, about);
    return sameReading(found.subject, about) && isAsked ? [] : WHAT_IF[about.kind];
  }

  function forget(): void {
    latest.clear();
    underway = undefined;
    batch(() => {
      known.value = [];
      failed.value = undefined;
      pointed.value = undefined;
      pointedMember.value = undefined;
    });
  }

  /** Ranges of covariances and increments are held while the subject stays. */
  let held = new Map<string, HeldRange>();

  /** The last subject and its answers: those of another run or subject are discarded. */
  let before = { subject: undefined as XraySubject | undefined, line: line.peek(), run: -1, newest: -1 };
  const endFollowing = effect(() => {
    const { id, course } = line.value;
    const [about, run, newest, on] = [subject.value, course.runNumber.value, course.newestCycle.value, cycle.value];
    const isPlaying = playing.value;
    const isThere = course.status.value === 'ready' || course.status.value === 'ended';
    const wanted = isPlaying ? newest : on;
    untracked(() => {
      const isOther = id !== before.line.id || run !== before.run;
      if (isOther) held = new Map();
      // The cycle that was computed again belongs to a line that nobody asks any more.
      if (id !== before.line.id) before.line.endAgain();
      if (isOther || !sameSubject(about, before.subject)) forget();
      // After going back, later cycles may be computed with other settings.
      else if (newest < before.newest) known.value = known.peek().filter((each) => each.cycle <= newest);
      before = { subject: about, line: line.peek(), run, newest };
      if (!about || !isThere || wanted < 0) return;
      const parts = missing(about, wanted);
      if (parts.length > 0) ask({ line: line.peek(), cycle: wanted, subject: about, parts });
    });
  });

  let endWish: (() => void) | undefined;
  const endWishing = effect(() => {
    const wanted = isOn.value ? line.value.course : undefined;
    untracked(() => {
      endWish?.();
      endWish = wanted?.wantForecasts();
    });
  });

  /** A point outside of another run's basin is of nothing, and times that no method of it has are those of all. */
  const endFitting = effect(() => {
    const basin = info.value?.basin;
    const about = subject.peek();
    if (basin && about?.kind === 'point' && !(about.x < basin.nx && about.y < basin.ny)) subject.value = undefined;
    else if (basin && about?.kind === 'point' && about.times && !hasTimes.value)
      subject.value = { ...about, times: undefined };
  });

  const planes = computed<ShownPlanes | undefined>(() => {
    const about = subject.value;
    const of = answers.value;
    if (!about || !of || isWithheld.value) return undefined;
    const snapshot = line.value.course.snapshots.value.find((each) => each.cycle === of.cycle);
    if (!snapshot) return undefined;
    const isRing = info.value?.basin.isRing === true;
    const choice = { measure: measure.value, variable: chosenVariable.value ?? of.place.variable, isRing };
    const found = shownAnswers(of, choice, snapshot.observations, pointed.value);
    const reach = found && !found.range && measuredShown(found);
    if (!found || !reach) return found && ofLine(found, line.value);
    const apart = about.kind === 'point' && areApart(about) ? `${about.times?.field}` : '';
    const key = `${choice.measure}/${choice.variable}/${apart}`;
    const range = holdRange(held.get(key), reach, found.scale, of.cycle);
    held.set(key, range);
    return ofLine({ ...found, range: [range.range.from, range.range.to] }, line.value);
  });
  let own: ShownPlanes | undefined;
  // Who has the stage meanwhile keeps it until there is something new, and gives it back.
  const endShowing = effect(() => {
    const [next, there] = [planes.value, shown.value];
    untracked(() => {
      const isFree = there === undefined || there === own;
      if (next !== own || isFree) {
        if (next || isFree) shown.value = next;
        own = next;
      }
    });
  });

  /** Begins an X-ray, or continues with it elsewhere. */
  function choose(next: XraySubject): void {
    batch(() => {
      if (!sameSubject(next, subject.peek())) held = new Map();
      if (subject.peek()?.kind !== next.kind) {
        chosenMeasure.value = next.kind === 'point' ? 'correlation' : 'increment';
        chosenVariable.value = undefined;
      }
      subject.value = next;
    });
  }

  /** @param observation that is there and is meant, by its number in the cycle on screen */
  function chooseAt({ x, y }: GridPoint, observation: number | undefined): void {
    if (observation !== undefined) choose({ kind: 'observation', index: observation });
    else {
      const about = subject.peek();
      const times = about?.kind === 'point' ? about.times : undefined;
      choose({ kind: 'point', x, y, variable: answers.peek()?.place.variable ?? variables.peek()[0], times });
    }
  }

  /** Asks for degrees of freedom about the cycle that is answered: they take several analyses. */
  function askFreedom(): void {
    const of = answers.peek();
    if (of) ask({ line: line.peek(), cycle: of.cycle, subject: of.subject, parts: ['freedom'] });
  }

  /** Ends the X-ray: views show their fields again. */
  function leave(): void {
    // A cycle that is still computed again is asked about by nobody.
    if (busy.peek() === 'again') line.peek().endAgain();
    subject.value = undefined;
    beside?.dispose();
    beside = undefined;
  }

  return {
    subject,
    lines,
    line,
    chosenLine,
    isOn,
    measure,
    chosenMeasure,
    chosenVariable,
    variables,
    pointed,
    pointedMember,
    askFreedom,
    answers,
    isWithheld,
    hasTimes,
    methods,
    busy,
    failure,
    choose,
    chooseAt,
    leave,
    dispose() {
      leave();
      latest.clear();
      for (const end of [endFollowing, endWishing, endFitting, endShowing]) end();
    },
  };
}

export type Xray = ReturnType<typeof createXray>;

/** @returns the X-ray of a run */
export const xrayOf = slot<RunView, Xray>((run) => createXray(run));
