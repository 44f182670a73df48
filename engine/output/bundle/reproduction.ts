/** A run that was made again, held against its bundle. */
import type { CycleDiagnostics } from '../../experiment/index.ts';
import { formatDiagnostics } from '../diagnostics-csv.ts';
import type { RunIdentity, Versions } from '../run-record.ts';
import type { Bundle } from './bundle.ts';
import { firstDifference, parseRows } from './rows.ts';
import type { RowDifference, Rows } from './rows.ts';
import { compareStatistics } from './statistics.ts';
import type { StatisticComparison } from './statistics.ts';

/** Where the run was made again. */
export interface Place {
  readonly backend: RunIdentity['backend'];
  readonly versions: Versions;
}

export interface Reproduction {
  readonly reproduced: boolean;
  /** `bits`: each number of every row is the same. `statistics`: it was held, or had to be held, to those alone. */
  readonly by: 'bits' | 'statistics';
  /** What differs between then and now: nothing where all bits are to be the same. */
  readonly otherwise: readonly string[];
  readonly rows: number;
  /** Where the two runs differ first; undefined where they do not. */
  readonly first: RowDifference | undefined;
  /** None where the bits are the same, or have to be. */
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
export type FoundRows = readonly CycleDiagnostics[];

/**
 * @param again runs it once more, from states that are wrong by one rounding: asked for where bits differ and may
 * @returns undefined where `again` gives nothing
 */
export async function judgeReproduction(
  bundle: Bundle,
  rows: FoundRows,
  now: Place,
  again: () => Promise<FoundRows | undefined>,
): Promise<Reproduction | undefined> {
  const { variables } = bundle.record;
  const found = parsed(variables, rows);
  const otherwise = differencesOf(bundle.record, now);
  const first = firstDifference(bundle.expected, found);
  const common = { otherwise, rows: found.rows.length, first };
  if (!first) return { ...common, reproduced: true, by: 'bits', statistics: [] };
  if (otherwise.length === 0) return { ...common, reproduced: false, by: 'bits', statistics: [] };
  const disturbed = await again();
  if (!disturbed) return undefined;
  const statistics = compareStatistics(bundle.record.statistics, found, parsed(variables, disturbed));
  const reproduced = statistics.length > 0 && statistics.every(({ passed }) => passed);
  return { ...common, reproduced, by: 'statistics', statistics };
}
