/** A continuation from a cycle of a run with other settings: what another run needs for it, as plain data. */
import type { Checkpoint } from '../experiment/index.ts';
import { interventionsBefore, mainLine, validateScenario } from '../scenario/index.ts';
import type { Intervention, Scenario } from '../scenario/index.ts';
import type { CheckpointRing } from './checkpoint-ring.ts';

export interface Branch {
  /** With what was changed before the cycle, and the edits from it on. */
  readonly scenario: Scenario;
  /** The cycle that the branch begins with: what lies between the checkpoint and it is computed again, to the same bits. */
  readonly cycle: number;
  /** Where to continue; undefined: from the start of the run. */
  readonly checkpoint: Checkpoint | undefined;
}

/**
 * @param cycle that comes next where the branch begins
 * @param edits of this cycle or later ones, in ascending order
 * @throws ScenarioError where an edit cannot be made
 */
export function branchOf(
  scenario: Scenario,
  cycle: number,
  edits: readonly Intervention[],
  ring: Pick<CheckpointRing, 'before'> | undefined,
): Branch {
  const kept = interventionsBefore(scenario.interventions, cycle);
  const branched = validateScenario(
    { ...mainLine(scenario), interventions: [...kept, ...edits] },
    'the branch',
  ).scenario;
  return { scenario: branched, cycle, checkpoint: ring?.before(cycle) };
}
