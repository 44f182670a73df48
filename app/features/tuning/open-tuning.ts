/** The way from a method of the scenario that is being edited to the page that tunes it. */
import { methodTuning } from '../../../engine/index.ts';
import type { Path } from '../../../engine/index.ts';
import type { Laboratory } from '../../page/laboratory.ts';
import type { RunView } from '../../document/run-view.ts';
import { tuningsOf } from './tuning-state.ts';

/** @returns the label of the method at a path of the draft that has something to tune; of a draft with problems none has */
export function tunableLabel(
  { scenario: { draftScenario } }: Pick<RunView, 'scenario'>,
  { path: [list, index] }: { readonly path: Path },
): string | undefined {
  const scenario = draftScenario.value;
  if (list !== 'methods' || !scenario) return undefined;
  const label = scenario.methods[Number(index)]?.label;
  return label !== undefined && methodTuning(scenario, label).settings.length > 0 ? label : undefined;
}

/** @param label of the method */
export function openTuning(laboratory: Laboratory, { scenario }: RunView, label: string): void {
  const { draft, draftScenario, origin, openings } = scenario;
  if (!draftScenario.value) return;
  const subject = {
    raw: draft.value,
    scenario: draftScenario.value,
    files: origin.value.files,
    opening: openings.value,
  };
  if (tuningsOf(laboratory).choose(subject, label)) laboratory.overlays.openOverlay('tuning');
}
