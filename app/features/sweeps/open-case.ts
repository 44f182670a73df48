/** A case of a sweep as a scenario file: what was varied set to its values, and its seed. */
import { assignPath, formatScenario, isRecord } from '../../../engine/index.ts';
import { placeWords, variedAxes } from './arrangement.ts';
import type { SweepTable } from '../reading/sweep-table.ts';

/** Longest title and name of a scenario, by its schema. */
const LONGEST_TITLE = 200;
const LONGEST_NAME = 64;

export interface CaseFile {
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
