/** After the page broke down and was loaded again: the run that it left continues from its last checkpoint. */
import { z } from 'zod';
import { cyclesOf, validateScenario } from '../../../engine/index.ts';
import type { ParsedScenario } from '../../../engine/index.ts';
import type { Recovery } from '../../document/recovery/recovery-store.ts';
import type { Notices } from '../../page/notices.ts';
import type { RunView } from '../../document/run-view.ts';
import { lessonOf } from '../lessons/lesson-state.ts';

/** A page of another version may have kept it, or a disk have damaged it. The scenario is judged by its own reader. */
const keptSchema = z.object({
  scenario: z.looseObject({ name: z.string() }),
  files: z.record(z.string(), z.instanceof(Uint8Array)),
  checkpoint: z.object({
    cycle: z.int().nonnegative(),
    arrays: z.record(z.string(), z.instanceof(Float64Array)),
    fingerprint: z.string(),
  }),
  lesson: z
    .object({ step: z.int().positive(), tried: z.boolean(), base: z.record(z.string(), z.unknown()) })
    .optional(),
});

/** @throws Error, ScenarioError that says what is wrong with it */
function check(kept: unknown): ParsedScenario {
  const { data, error } = keptSchema.safeParse(kept);
  if (!data) throw new Error(z.prettifyError(error));
  const parsed = validateScenario(data.scenario, 'the interrupted run');
  const cycles = cyclesOf(parsed.scenario);
  if (data.checkpoint.cycle > cycles) {
    throw new Error(`its checkpoint is of cycle ${data.checkpoint.cycle}, the run has ${cycles}`);
  }
  return parsed;
}

/**
 * Continues with what the page that broke down has kept; otherwise says why the run is lost.
 * @param kept undefined if there is nothing
 * @returns whether the run continues
 */
export function openRecovery({ notify }: Pick<Notices, 'notify'>, run: RunView, kept: Recovery | undefined): boolean {
  const tell = (...lines: string[]): void => {
    notify('warning', 'The run was interrupted', { lines });
  };
  if (!kept) {
    tell('It had kept no checkpoint yet, so it is lost.');
    return false;
  }
  let parsed: ParsedScenario;
  try {
    parsed = check(kept);
  } catch (error) {
    tell('What it had kept cannot be used, so it is lost:', error instanceof Error ? error.message : String(error));
    return false;
  }
  const { scenario } = parsed;
  const { files, checkpoint } = kept;
  const {
    scenario: { openScenario },
    edits,
    controller,
  } = run;
  openScenario(parsed, { name: `${scenario.name}.json`, kind: 'file', files });
  edits.followInterventions(checkpoint.cycle - 1);
  controller.start(scenario, files, { checkpoint });
  if (kept.lesson) lessonOf(run).resume(kept.lesson);
  tell(`It continues from cycle ${checkpoint.cycle}, its last checkpoint.`);
  return true;
}
