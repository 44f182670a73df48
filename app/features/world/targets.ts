/** What the tools act on: the run, or one of its branches, each with its own list of changes and its own next cycle. */
import { computed, signal } from '@preact/signals';
import type { ReadonlySignal } from '@preact/signals';
import { branchScenario, cyclesOf } from '../../../engine/index.ts';
import type { Intervention, Scenario } from '../../../engine/index.ts';
import type { BranchEntry } from '../../document/lines/branch-list.ts';
import type { BranchChanges } from '../../document/lines/branch-changes.ts';
import { branchOf } from '../../document/lines/shown.ts';
import type { RunController } from '../../document/run/run-controller.ts';
import type { RunEdits } from '../../document/scenario/run-edits.ts';
import type { RunCourse } from '../../document/run/run-course.ts';
import { createWorldEdits } from './world-edits.ts';
import type { WorldEditStates, WorldEditTarget, WorldEdits } from './world-edits.ts';

/** What the tools need of the branches of a run. */
interface ChangedBranches {
  readonly entries: ReadonlySignal<readonly BranchEntry[]>;
  readonly titleOf: (id: number) => string;
  readonly changes: BranchChanges;
}

export interface TargetStates extends WorldEditStates {
  readonly edits: Pick<RunEdits, 'interventions' | 'runScenario'>;
  readonly course: Pick<RunCourse, 'newestCycle' | 'plannedCycles' | 'status'>;
  readonly controller: Pick<RunController, 'changeInterventions' | 'goBackWith'>;
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

export function createTargets(states: TargetStates) {
  const { edits, course, controller, branches } = states;
  /** The branch that was pointed at or chosen last. */
  const chosen = signal<number | undefined>(undefined);

  const ofRun: WorldEditTarget = {
    name: 'The run',
    where: () => '',
    interventions: edits.interventions,
    newestCycle: course.newestCycle,
    plannedCycles: course.plannedCycles,
    status: course.status,
    changeInterventions: (change) => controller.changeInterventions(change),
    goBackWith: (cycle, list) => controller.goBackWith(cycle, list),
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
