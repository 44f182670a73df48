/** Bundles: a run as one file that reproduces it, and what came of reproducing it. */
import type { CycleDiagnostics } from '../../experiment/index.ts';
import { formatDiagnostics } from '../diagnostics-csv.ts';
import type { RunIdentity, Versions } from '../run-record.ts';
import type { Bundle } from './bundle.ts';
import { firstDifference, parseRows, compareStatistics } from './statistics.ts';
import type { RowDifference, Rows, StatisticComparison } from './statistics.ts';

export { createBundle, readBundle, type Bundle, type BundleFiles } from './bundle.ts';
export type { RowDifference, StatisticComparison } from './statistics.ts';

/** Where the run was made again. */
export interface Place {
  readonly backend: RunIdentity['backend'];
  readonly versions: Versions;
}

export interface Reproduction {
  readonly reproduced: boolean;
  /** `bits`: each number of every row is the same. `statistics`: it was held, or had to be held, to those alone. */
  readonly by: 'bits' | 'statistics';
  /** Whether the comparison says anything: by statistics, a run of few cycles may agree with any numbers. */
  readonly decided: boolean;
  /** What differs between then and now: nothing if all bits are to be the same. */
  readonly otherwise: readonly string[];
  readonly rows: number;
  /** Columns of the bundle that this version does not measure. */
  readonly notCompared: readonly string[];
  /** Where the two runs differ first; undefined if they do not. */
  readonly first: RowDifference | undefined;
  /** None if the bits are the same, or have to be. */
  readonly statistics: readonly StatisticComparison[];
}

/** @returns what may make another last bit, in words */
function differencesOf({ backend, versions }: Bundle['record'], now: Place): string[] {
  const names = [...new Set([...Object.keys(versions), ...Object.keys(now.versions)])];
  const pairs: readonly (readonly [string, string | undefined, string | undefined])[] = [
    ['backend', backend.name, now.backend.name],
    ['adapter', backend.adapter, now.backend.adapter],
    ...names.map((name) => [name, versions[name], now.versions[name]] as const),
  ];
  return pairs
    .filter(([, before, after]) => before !== after)
    .map(([what, before, after]) => `${what} ${before ?? 'none'}, now ${after ?? 'none'}`);
}

function parsed(variables: readonly string[], rows: readonly CycleDiagnostics[]): Rows {
  return parseRows(formatDiagnostics(variables, rows), 'the run');
}

/**
 * @param variables names of the model's variables, in order
 * @returns where rows differ first in anything but times; undefined where each number of all of them is the same
 */
export function rowDifference(
  variables: readonly string[],
  expected: readonly CycleDiagnostics[],
  found: readonly CycleDiagnostics[],
): RowDifference | undefined {
  return firstDifference(parsed(variables, expected), parsed(variables, found));
}

/** Rows of the cycles that the bundle has, in any order. */
type FoundRows = readonly CycleDiagnostics[];

/** With as many runs, means that differ by more than a twentieth from run to run are still held to a quarter. */
const MOST_RUNS = 8;

/**
 * @param again runs it once more, from states that are wrong by one rounding, another one for each draw from 1: called if bits
 *   differ and may, until the runs show what such means differ by
 * @returns undefined if `again` gives nothing
 */
export async function judgeReproduction(
  { record, parsed: { scenario }, expected }: Bundle,
  rows: FoundRows,
  now: Place,
  again: (draw: number) => Promise<FoundRows | undefined>,
): Promise<Reproduction | undefined> {
  const { variables, completedCycles } = record;
  const runs = [parsed(variables, rows)];
  const [found] = runs;
  const otherwise = differencesOf(record, now);
  const notCompared = expected.columns.filter((column) => !found.columns.includes(column));
  const first = firstDifference(expected, found);
  const common = { otherwise, rows: found.rows.length, notCompared, first, statistics: [] };
  const isSame = !first && (otherwise.length > 0 || notCompared.length === 0);
  if (isSame || otherwise.length === 0) return { ...common, reproduced: isSame, by: 'bits', decided: true };
  const terms = { cycles: completedCycles, spinup: scenario.experiment.spinup };
  for (;;) {
    const other = await again(runs.length);
    if (!other) return undefined;
    runs.push(parsed(variables, other));
    const statistics = compareStatistics(expected, runs, terms);
    const count = (verdict: StatisticComparison['verdict']): number =>
      statistics.filter((each) => each.verdict === verdict).length;
    const isOpen = count('failed') === 0 && count('open') > 0;
    if (isOpen && runs.length < MOST_RUNS) continue;
    const reproduced = statistics.length > 0 && count('passed') === statistics.length;
    return { ...common, statistics, reproduced, by: 'statistics', decided: !isOpen };
  }
}
