/**
 * The branches of one run: a list of them, what is shown of them, what is changed of them while they continue, and one that is being
 * made. Their stored cycles are those of the run, within one bound of memory.
 */
import { computed, effect, untracked, batch, signal } from '@preact/signals';
import { DEFAULT_HISTORY_BYTES } from '../run/history.ts';
import type { OpenRun } from '../run/page-run.ts';
import type { Laboratory } from '../../page/laboratory.ts';
import type { RunEdits } from '../scenario/run-edits.ts';
import { type ScenarioState, createScenarioState } from '../scenario/scenario-state.ts';
import type { RunCourse } from '../run/run-course.ts';
import type { ViewState } from '../views/view-state.ts';
import { createBranchList, type BranchListOptions, type MainLine, type BranchList } from './branch-list.ts';
import { createBranchViews } from './branch-views.ts';
import type { RunLine } from './line.ts';
import { branchSubject } from './shown.ts';
import { LimitError, MAXIMUM_BRANCHES, ScenarioError, describeProblem, setPath } from '../../../engine/index.ts';
import type { Intervention, Scenario, ScenarioChange } from '../../../engine/index.ts';
import type { InterventionsChange } from '../run/run-controller.ts';

function createBranchChanges(
  { find, record, compute }: Pick<BranchList, 'find' | 'record' | 'compute'>,
  { newestCycle }: Pick<RunCourse, 'newestCycle'>,
) {
  /**
   * @param change of what the branch changes, for the cycle that it computes next; undefined leaves it as it is
   * @returns the cycle from which on it holds; undefined if nothing was changed, or the branch has failed
   * @throws ScenarioError if the change is rejected; the branch then continues unchanged
   */
  async function changeInterventions(id: number, change: InterventionsChange): Promise<number | undefined> {
    const entry = find(id);
    if (!entry) return undefined;
    let recorded: { readonly cycle: number; readonly before: readonly Intervention[] } | undefined;
    const write = (nextCycle: number): Scenario | undefined => {
      const before = find(id)?.branch.interventions ?? [];
      const next = change(before, nextCycle);
      if (!next) return undefined;
      const scenario = record(id, next);
      recorded = { cycle: nextCycle, before };
      return scenario;
    };
    const { line, branch } = entry;
    try {
      // One that waits, or has not computed a cycle of its own yet, sets out with it.
      if (!line || line.course.newestCycle.peek() < line.first) {
        if (write(branch.cycle) && line) await compute(id);
      } else await line.edit(write);
    } catch (error) {
      if (recorded) record(id, recorded.before);
      throw error;
    }
    return recorded?.cycle;
  }

  /** As `RunController.goBackWith`: the branch is then computed again up to where the run is. */
  function goBackWith(id: number, cycle: number, interventions: readonly Intervention[]): void {
    const line = find(id)?.line;
    const scenario = record(id, interventions);
    if (!line) return;
    if (cycle <= line.first) {
      void compute(id);
      return;
    }
    line.goBack(cycle, scenario);
    void line.reach(newestCycle.peek());
  }

  return { changeInterventions, goBackWith };
}

export type BranchChanges = ReturnType<typeof createBranchChanges>;

export interface ForkDraft {
  /** The first cycle that differs. */
  readonly cycle: number;
  /** A scenario state that is the dialog's own. */
  readonly scenario: ScenarioState;
}

interface ForkedRun {
  readonly course: Pick<RunCourse, 'cycle' | 'info' | 'plannedCycles' | 'status'>;
  readonly edits: Pick<RunEdits, 'settingsBefore'>;
  readonly scenario: Pick<ScenarioState, 'pendingChanges' | 'pendingEffect' | 'revertDraft'>;
}

function settingEdits(changes: readonly ScenarioChange[], cycle: number): Intervention[] {
  return changes
    .filter(({ effect }) => effect === 'next-cycle')
    .map(({ path, after }) => ({ kind: 'setting', cycle, path, value: after ?? null }));
}

function createForking({ course, edits, scenario }: ForkedRun, { entries, add }: BranchList) {
  /** What is being made; undefined while no dialog is open. */
  const draft = signal<ForkDraft | undefined>(undefined);
  /** Why it was refused, in lines. */
  const refusal = signal<readonly string[]>([]);

  /** @returns why nothing can be forked now; undefined where it can */
  function obstacle(): string | undefined {
    const { cycle, info, plannedCycles, status } = course;
    if (!info.value || status.value === 'opening') return 'The run is not ready yet.';
    if (entries.value.length >= MAXIMUM_BRANCHES) {
      return `There are ${MAXIMUM_BRANCHES} branches; remove one of them first.`;
    }
    if (cycle.value + 1 >= plannedCycles.value) return 'The run ends here: go back to an earlier cycle first.';
    return undefined;
  }

  /** Begins with the settings that hold after the cycle on screen. */
  function begin(): void {
    if (obstacle() !== undefined) return;
    const cycle = course.cycle.value + 1;
    const waits = scenario.pendingEffect.value === 'next-cycle' ? scenario.pendingChanges.value : [];
    const settings = edits.settingsBefore(cycle);
    const own = createScenarioState();
    const changed = waits
      .filter(({ effect }) => effect === 'next-cycle')
      .reduce<unknown>((raw, { path, after }) => setPath(raw, path, after), settings);
    batch(() => {
      own.markApplied(settings);
      own.editDraft(changed, 'include pending changes');
      refusal.value = [];
      draft.value = { cycle, scenario: own };
    });
  }

  function giveUp(): void {
    draft.value = undefined;
  }

  /** Makes the branch. @returns whether it was made; otherwise `refusal` says why not */
  function confirm(): boolean {
    const { cycle, scenario: own } = draft.value ?? {};
    if (cycle === undefined || !own?.draftScenario.value) return false;
    try {
      add({ cycle, interventions: settingEdits(own.pendingChanges.value, cycle) });
    } catch (error) {
      if (error instanceof ScenarioError) refusal.value = error.problems.map(describeProblem);
      else if (error instanceof LimitError) refusal.value = [error.message];
      else throw error;
      return false;
    }
    // What waited for the run has gone into the branch.
    if (scenario.pendingEffect.value === 'next-cycle') scenario.revertDraft();
    draft.value = undefined;
    return true;
  }

  return { draft, refusal, obstacle, begin, giveUp, confirm };
}

/** What belongs to a run that can be branched. */
interface BranchedRun {
  readonly scenario: ScenarioState;
  readonly course: RunCourse;
  readonly edits: RunEdits;
  readonly view: ViewState;
}

export interface BranchesOptions extends BranchListOptions {
  /** Memory of the stored cycles of run and branches together, bytes. */
  readonly historyBytes?: number;
}

/** @param openRun opens the runs in which branches are computed */
export function createBranches(
  page: Pick<Laboratory, 'notices' | 'progress'>,
  run: BranchedRun,
  openRun: OpenRun,
  main: () => MainLine,
  { historyBytes = DEFAULT_HISTORY_BYTES, ...options }: BranchesOptions = {},
) {
  const list = createBranchList(page, run, openRun, main, options);
  const views = createBranchViews(list, run);
  const { course } = run;

  const endSharing = effect(() => {
    const lines = list.entries.value.flatMap(({ line }) => line ?? []);
    const share = historyBytes / (lines.length + 1);
    untracked(() => {
      course.limitStored(share);
      // What the run still has, its branches have, which takes no more than that.
      for (const line of lines) line.course.limitStored(Number.POSITIVE_INFINITY, share);
    });
  });
  const endFollowing = effect(() => {
    const lines = list.entries.value.flatMap(({ line }) => line ?? []);
    if (lines.length === 0) return;
    const cycles = course.history.value.snapshots.map(({ cycle }) => cycle);
    untracked(() => {
      for (const line of lines) line.followStored(cycles);
    });
  });

  return {
    ...list,
    ...views,
    /** Those that are open. */
    lines: computed<readonly RunLine[]>(() =>
      list.entries.value.flatMap(({ id, line }) =>
        line ? [{ ...line, id, title: list.titleOf(id), subjectOf: (label: string) => branchSubject(id, label) }] : [],
      ),
    ),
    changes: createBranchChanges(list, course),
    forking: createForking(run, list),
    /** Ends all lines and gives back what they stored. */
    dispose() {
      endSharing();
      endFollowing();
      list.dispose();
    },
  };
}
