/** From a cell of the map to the case in the laboratory: a scenario file with what was varied set to its values, and its seed. */
import { ScenarioError, assignPath, formatScenario, isRecord } from '../../../../engine/index.ts';
import type { Laboratory } from '../../../page/laboratory.ts';
import type { RunView } from '../../../document/run-view.ts';
import { medianTrial, trialsOf } from '../cells.ts';
import { openingOf } from '../../opening/open-scenario.ts';
import { sweepsOf } from '../sweeps-state.ts';
import { placeWords, variedAxes } from '../arrangement.ts';
import type { SweepTable } from '../../reading/sweep-table.ts';

/** Longest title and name of a scenario, by its schema. */
const LONGEST_TITLE = 200;
const LONGEST_NAME = 64;

/** A case of a sweep as a scenario file: what was varied set to its values, and its seed. */
interface CaseFile {
  /** Name of the file that it would be saved as. */
  readonly name: string;
  readonly text: string;
}

/** @returns the first letters of a text that is too long, and a sign that there are more */
function cut(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most - 1)}…` : text;
}

/**
 * @param row of the table
 * @param seed undefined for the one of the row
 * @throws ScenarioError where the scenario has no such setting
 */
export function caseFile(table: SweepTable, row: number, seed: number = table.rowSeeds[row]): CaseFile {
  const { axes, places, scenario } = table;
  const at = [...places.subarray(row * axes.length, (row + 1) * axes.length)];
  // Null means a setting that the scenario does not have and a list of cases omits.
  const changed = axes.reduce<unknown>((raw, { path, values }, axis) => {
    const value = values[at[axis]];
    return value === null ? raw : assignPath(raw, path, value, table.source);
  }, scenario);
  const raw = isRecord(changed) ? changed : {};
  const [name, title] = [raw['name'], raw['title']].map((text) => (typeof text === 'string' ? text : ''));
  const words = placeWords(table, at, variedAxes(table));
  // What the sweep's own runs have given is not what this one was expected to give.
  const { expected: _expected, ...rest } = raw;
  const file = {
    ...rest,
    title: cut([title || name, words, `seed ${seed}`].filter(Boolean).join(', '), LONGEST_TITLE),
    seed,
  };
  return { name: `${cut(name || 'case', LONGEST_NAME)}-${row}-seed-${seed}.shoal.json`, text: formatScenario(file) };
}

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
