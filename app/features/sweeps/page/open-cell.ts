/** From a cell of the map to the case in the laboratory. */
import { ScenarioError } from '../../../../engine/index.ts';
import type { Laboratory } from '../../../page/laboratory.ts';
import type { RunView } from '../../../document/run-view.ts';
import { medianTrial, trialsOf } from '../cells.ts';
import { caseFile } from '../open-case.ts';
import { openingOf } from '../../opening/open-scenario.ts';
import { sweepsOf } from '../sweeps-state.ts';

/** Opens one run of a combination in the place of the one on screen: that of the chosen seed, else the one that has the median. */
export function openCell(laboratory: Laboratory, run: RunView, combination: number): void {
  const { table, combinations, subject, seed, failure } = sweepsOf(laboratory);
  const shown = table.value;
  const chosen = combinations.value[combination];
  if (!shown || !chosen) return;
  const trials = trialsOf(shown, chosen, subject.value);
  const trial = trials.find((each) => each.seed === seed.value) ?? medianTrial(trials);
  if (!trial) return;
  try {
    const { name, text } = caseFile(shown, trial.row, trial.seed ?? seed.value ?? shown.seeds[0]);
    laboratory.overlays.closeOverlay();
    const file = { name, bytes: new TextEncoder().encode(text), siblings: () => Promise.resolve(undefined) };
    void openingOf(run).openFile(file, 'run');
  } catch (error) {
    if (!(error instanceof ScenarioError)) throw error;
    failure.value = error.message;
  }
}
