/** What is changed of a branch while it continues: written into it as into a run, from its next cycle on or going back for it. */
import type { Intervention, Scenario } from '../../../engine/index.ts';
import type { InterventionsChange } from '../run/run-controller.ts';
import type { RunCourse } from '../run/run-course.ts';
import type { BranchList } from './branch-list.ts';

export function createBranchChanges(
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
