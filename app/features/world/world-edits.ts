/**
 * What hands do to the world, one after the other: each edit is written into the interventions of the run, or of the branch that it
 * is done to, is in the list of steps that can be undone, and is taken back in the way that fits how far the run has come.
 */
import { ScenarioError, describeProblem, branchScenario, cyclesOf } from '../../../engine/index.ts';
import type { Intervention, Scenario } from '../../../engine/index.ts';
import type { Notices } from '../../page/notices.ts';
import type { RunController } from '../../document/run/run-controller.ts';
import type { ScenarioState } from '../../document/scenario/scenario-state.ts';
import type { RunCourse } from '../../document/run/run-course.ts';
import { holdsAll, isWorldChange, withChanges, withoutChanges } from '../../document/scenario/changes.ts';
import type { WorldChange } from '../../document/scenario/changes.ts';
import { computed, signal, type ReadonlySignal, type Signal } from '@preact/signals';
import type { BranchEntry } from '../../document/lines/branch-list.ts';
import type { BranchChanges } from '../../document/lines/branches-state.ts';
import { branchOf } from '../../document/lines/shown.ts';
import type { RunEdits } from '../../document/scenario/run-edits.ts';

export interface WorldEditStates {
  readonly scenario: Pick<ScenarioState, 'addRunStep' | 'forgetVoidSteps' | 'openings'>;
  readonly notices: Pick<Notices, 'notify'>;
  /** What happened last, in words, for who cannot see it. */
  readonly said: Signal<string>;
  /** WorldEdits that wait for the cycle that is being computed. */
  readonly underway: Signal<readonly WorldEdit[]>;
}

/** What edits are done to: the run, or one of its branches. */
interface WorldEditTarget {
  /** As in `The run went back`. */
  readonly name: string;
  /** What is added to the title of a edit: nothing for the run, else as in ` in “inflation 1 → 2”`. */
  readonly where: () => string;
  readonly interventions: ReadonlySignal<readonly Intervention[]>;
  readonly newestCycle: ReadonlySignal<number>;
  readonly plannedCycles: ReadonlySignal<number>;
  readonly status: ReadonlySignal<RunCourse['status']['value']>;
  readonly changeInterventions: RunController['changeInterventions'];
  readonly goBackWith: RunController['goBackWith'];
  /** At the end of the run: cycles that it gets when something is changed; undefined if it gets none. */
  readonly further: ReadonlySignal<number | undefined>;
  /** Gives it those cycles. */
  readonly extend: () => Promise<void>;
  /** Shows what it computes next. */
  readonly goOn: () => void;
}

export interface WorldEdit {
  /** As in "Undo paint 12 gauges". */
  readonly title: string;
  /** @returns the interventions of it, for the cycle that comes next; none if there is nothing to do any more */
  readonly make: (cycle: number) => readonly WorldChange[];
  /** What takes it back while the run continues; if omitted, the run goes back to before it. */
  readonly unmake?: (cycle: number) => readonly WorldChange[];
  /** That it is part of the run from its beginning, so that it begins again. */
  readonly restarts?: true;
  /** What the user can do if the scenario rejects it. */
  readonly advice?: string;
}

function createWorldEdits({ scenario, notices, said, underway }: WorldEditStates, target: WorldEditTarget) {
  const { interventions, newestCycle, plannedCycles, status } = target;
  let latest: Promise<unknown> = Promise.resolve();

  /** Does one thing after another; what is rejected is reported, and leaves the run as it is. */
  function inTurn(title: string, work: () => Promise<void>, advice?: string): Promise<void> {
    const opening = scenario.openings.value;
    // What was done to a scenario that was open before is not done to another.
    const doIt = (): Promise<void> | undefined => (scenario.openings.value === opening ? work() : undefined);
    const turn = latest.then(doIt).catch((error: unknown) => {
      const isRefused = error instanceof ScenarioError;
      const lines = isRefused ? error.problems.map(describeProblem) : [String(error)];
      notices.notify('error', `Not done: ${title}`, { lines: isRefused && advice ? [advice, ...lines] : lines });
      scenario.forgetVoidSteps();
    });
    latest = turn;
    return turn;
  }

  /** From the next cycle on. @returns whether the run could be asked: not where it has failed */
  async function changeNext(
    change: (list: readonly Intervention[], nextCycle: number) => readonly Intervention[] | undefined,
  ): Promise<boolean> {
    let isAsked = false;
    await target.changeInterventions((list, nextCycle) => {
      isAsked = true;
      return change(list, nextCycle);
    });
    return isAsked;
  }

  function goBackWith(cycle: number, list: readonly Intervention[], why: string): void {
    target.goBackWith(cycle, list);
    const where = cycle === 0 ? `${target.name} begins again` : `${target.name} went back: cycle ${cycle} comes next`;
    notices.notify('information', `${where}, ${why}`);
    said.value = `${where}, ${why}.`;
  }

  /** @returns the interventions that were made */
  async function execute({
    title,
    make,
    restarts,
  }: Omit<WorldEdit, 'unmake' | 'advice'>): Promise<readonly WorldChange[]> {
    if (restarts) {
      const made = make(0);
      goBackWith(0, withChanges(interventions.value, made), `${title} is in it`);
      return made;
    }
    let made: readonly WorldChange[] = [];
    const isAsked = await changeNext((list, nextCycle) => {
      made = make(nextCycle);
      return made.length > 0 ? withChanges(list, made) : undefined;
    });
    if (!isAsked) throw new Error(`${target.name} cannot continue, so nothing can be changed of it.`);
    said.value = made.length > 0 ? `${title}: from cycle ${made[0].cycle} on.` : `${title}: nothing to do there.`;
    return made;
  }

  /** Does it, as one step that can be undone. */
  function act(edit: WorldEdit): Promise<void> {
    const { make, unmake, restarts, advice } = edit;
    const title = edit.title + target.where();
    // A step of its own, before that of the edit.
    const extended = !restarts && target.further.peek() !== undefined ? target.extend() : undefined;
    let done: readonly WorldChange[] | undefined;
    let opposed: readonly WorldChange[] = [];

    async function takeBack(made: readonly WorldChange[]): Promise<void> {
      let back: number | undefined = restarts && 0;
      const isAsked =
        back !== undefined ||
        (await changeNext((list, nextCycle) => {
          if (!holdsAll(list, made)) return undefined;
          const [{ cycle }] = made;
          if (cycle >= nextCycle) {
            said.value = `Undone before it took effect: ${title}.`;
            return withoutChanges(list, made);
          }
          const isOver = nextCycle >= plannedCycles.value;
          if (!unmake || isOver) {
            back = cycle;
            return undefined;
          }
          opposed = unmake(nextCycle);
          said.value = `Undone from cycle ${nextCycle} on: ${title}.`;
          return opposed.length > 0 ? withChanges(list, opposed) : undefined;
        }));
      // A run that has failed goes back as well.
      if (!isAsked) back = made[0]?.cycle;
      if (back !== undefined && holdsAll(interventions.value, made)) {
        goBackWith(back, withoutChanges(interventions.value, made), `without: ${title}`);
      }
    }

    async function doAgain(): Promise<void> {
      let isBack = false;
      const takesAway = opposed;
      opposed = [];
      if (takesAway.length > 0) {
        await changeNext((list, nextCycle) => {
          isBack = holdsAll(list, takesAway) && takesAway[0].cycle >= nextCycle;
          return isBack ? withoutChanges(list, takesAway) : undefined;
        });
      }
      if (isBack) said.value = `Done again: ${title}.`;
      else done = await execute({ title, make, ...(restarts && { restarts }) });
    }

    scenario.addRunStep({
      title,
      undo: () => void inTurn(`undo ${title}`, async () => void (done && done.length > 0 && (await takeBack(done)))),
      redo: () => void inTurn(title, doAgain, advice),
      holds: () => done === undefined || (done.length > 0 && holdsAll(interventions.value, done)),
    });
    underway.value = [...underway.value, edit];
    const begin = async (): Promise<void> => {
      let made: readonly WorldChange[] = [];
      try {
        await extended;
        made = await execute({ ...edit, title });
        if (extended) target.goOn();
      } finally {
        done = made;
        underway.value = underway.value.filter((each) => each !== edit);
        if (made.length === 0) scenario.forgetVoidSteps();
      }
    };
    return inTurn(title, begin, advice);
  }

  /**
   * Takes an intervention out of the run, as one step; where it has taken effect, the run goes back to before it.
   *
   * @param index among those of the run
   * @param title what it is
   */
  async function takeOut(index: number, title: string): Promise<void> {
    const change = interventions.value.at(index);
    if (!change) return;
    const step = `take out ${title}`;
    const put = async (
      edit: (list: readonly Intervention[]) => readonly Intervention[],
      why: string,
    ): Promise<void> => {
      const { cycle } = change;
      const waits = isWorldChange(change) && change.kind !== 'island' && cycle > newestCycle.value;
      if (!waits || status.value === 'failed') {
        goBackWith(cycle, edit(interventions.value), why);
        return;
      }
      let isLate = false;
      await changeNext((list, nextCycle) => {
        isLate = cycle < nextCycle;
        return isLate ? undefined : edit(list);
      });
      if (isLate) goBackWith(cycle, edit(interventions.value), why);
      else said.value = `Done before it took effect: ${step}.`;
    };
    const leave = (): Promise<void> =>
      put((list) => withoutChanges(list, [change]), `without: ${title}`).then(scenario.forgetVoidSteps);
    const comeBack = (): Promise<void> => put((list) => withChanges(list, [change]), `with: ${title}`);
    await inTurn(step, async () => {
      await leave();
      scenario.addRunStep({
        title: step,
        undo: () => void inTurn(`undo ${step}`, comeBack),
        redo: () => void inTurn(step, leave),
        holds: () => !holdsAll(interventions.value, [change]),
      });
    });
  }

  return { act, takeOut };
}

type WorldEdits = ReturnType<typeof createWorldEdits>;

/** What the tools need of the branches of a run. */
interface ChangedBranches {
  readonly entries: ReadonlySignal<readonly BranchEntry[]>;
  readonly titleOf: (id: number) => string;
  readonly changes: BranchChanges;
}

/** What the tools act on: the run, or one of its branches, each with its own list of changes and its own next cycle. */
export interface TargetStates extends WorldEditStates {
  readonly scenario: WorldEditStates['scenario'] & Pick<ScenarioState, 'pendingEffect' | 'setDraftValue'>;
  readonly edits: Pick<RunEdits, 'interventions' | 'runScenario'>;
  readonly course: Pick<RunCourse, 'lastCycle' | 'newestCycle' | 'plannedCycles' | 'status'>;
  readonly controller: Pick<RunController, 'apply' | 'changeInterventions' | 'goBackWith' | 'play' | 'scrub'>;
  readonly branches: ChangedBranches;
}

/** One target, with what is done to it. */
interface Target extends WorldEditTarget {
  /** Number of the branch; undefined for the run. */
  readonly branch: number | undefined;
  /** It alone, with what was changed of it. */
  readonly scenario: ReadonlySignal<Scenario | undefined>;
  readonly worldEdits: WorldEdits;
}

/** A run that has ended gets as many cycles again as it has, within these. */
const LEAST_FURTHER = 10;
const MOST_FURTHER = 100;

export function createTargets(states: TargetStates) {
  const { edits, course, controller, branches, scenario: document } = states;
  /** The branch that was pointed at or chosen last. */
  const chosen = signal<number | undefined>(undefined);

  // What waits to be applied would be applied with it.
  const further = computed(() => {
    const planned = course.plannedCycles.value;
    const isOver = course.status.value !== 'failed' && course.newestCycle.value + 1 >= planned;
    return isOver && document.pendingEffect.value === 'none'
      ? Math.min(MOST_FURTHER, Math.max(LEAST_FURTHER, planned))
      : undefined;
  });

  const ofRun: WorldEditTarget = {
    name: 'The run',
    where: () => '',
    interventions: edits.interventions,
    newestCycle: course.newestCycle,
    plannedCycles: course.plannedCycles,
    status: course.status,
    changeInterventions: (change) => controller.changeInterventions(change),
    goBackWith: (cycle, list) => controller.goBackWith(cycle, list),
    further,
    async extend() {
      const cycles = course.plannedCycles.peek() + (further.peek() ?? 0);
      document.setDraftValue('experiment.cycles', cycles, 'give the run more cycles');
      await controller.apply();
    },
    goOn() {
      controller.scrub(course.lastCycle.peek());
      controller.play();
    },
  };
  const run: Target = {
    ...ofRun,
    branch: undefined,
    scenario: edits.runScenario,
    worldEdits: createWorldEdits(states, ofRun),
  };

  function targetOf(id: number): Target {
    const entry = computed(() => branches.entries.value.find((each) => each.id === id));
    const line = computed(() => entry.value?.line?.course);
    const scenario = computed(() => {
      const index = branches.entries.value.findIndex((each) => each.id === id);
      const whole = edits.runScenario.value;
      return whole?.branches[index] && branchScenario(whole, index);
    });
    const interventions = computed<readonly Intervention[]>(() => entry.value?.branch.interventions ?? []);
    const own: WorldEditTarget = {
      name: 'The branch',
      where: () => ` in “${branches.titleOf(id)}”`,
      interventions,
      // One that waits, or sets out, has computed what the run has before it leaves it.
      newestCycle: computed(() => Math.max(line.value?.newestCycle.value ?? -1, (entry.value?.branch.cycle ?? 0) - 1)),
      plannedCycles: computed(() => (scenario.value ? cyclesOf(scenario.value) : 0)),
      status: computed(() => line.value?.status.value ?? 'ready'),
      changeInterventions: (change) => branches.changes.changeInterventions(id, change),
      goBackWith: (cycle, list) => branches.changes.goBackWith(id, cycle, list),
      // It ends with the run.
      further: signal(undefined),
      extend: () => Promise.resolve(),
      goOn: () => undefined,
    };
    return { ...own, branch: id, scenario, worldEdits: createWorldEdits(states, own) };
  }

  /** Those that there were: what was done to a branch can be undone when another is pointed at. */
  const known = new Map<number, Target>();
  const now = computed<Target>(() => {
    const id = chosen.value;
    if (id === undefined || !branches.entries.value.some((each) => each.id === id)) return run;
    const target = known.get(id) ?? targetOf(id);
    known.set(id, target);
    return target;
  });

  return {
    run,
    now,
    /** @param id of a branch; undefined for the run */
    choose(id: number | undefined): void {
      chosen.value = id;
    },
    /** Chooses what a column of the stage is of. */
    pointAt(subject: string): void {
      chosen.value = branchOf(subject);
    },
    /** Whether a column of the stage is of what the tools act on. */
    isOf: (subject: string): boolean => branchOf(subject) === now.value.branch,
  };
}
