/**
 * A branch before it is made: the settings as they are where it leaves the run, to be changed in a draft of its own. What waits
 * in the settings panel to be applied is in it from the start.
 */
import { batch, signal } from '@preact/signals';
import { LimitError, MAXIMUM_BRANCHES, ScenarioError, describeProblem, setPath } from '../../../engine/index.ts';
import type { Intervention, ScenarioChange } from '../../../engine/index.ts';
import type { RunEdits } from '../scenario/run-edits.ts';
import { createScenarioState, type ScenarioState } from '../scenario/scenario-state.ts';
import type { RunCourse } from '../run/run-course.ts';
import type { BranchList } from './branch-list.ts';

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

export function createForking({ course, edits, scenario }: ForkedRun, { entries, add }: BranchList) {
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
