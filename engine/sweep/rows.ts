/** A sweep's results by method and combination of values, over the seeds: what tables show, and which settings are the best. */
import { validateScenario } from '../scenario/index.ts';
import { parsePath } from '../settings/index.ts';
import { comparePaired, medianInterval } from '../statistics/index.ts';
import type { Goal, Interval } from '../statistics/index.ts';
import type { SweepMeasure, SweepResults } from './results.ts';

/** One method with one combination of values of the settings that it follows. */
export interface SweepRow {
  readonly method: string;
  /** One for each axis; undefined of a setting of another method, which changes nothing of this one. */
  readonly values: readonly unknown[];
  /** Index of its first case. */
  readonly first: number;
  /** The median over the seeds that came through, and where the median of all seeds lies; undefined where none did. */
  readonly median: Interval | undefined;
  /** Seeds that were run, those with which it diverged, and those of cases that failed. */
  readonly seeds: number;
  readonly diverged: number;
  readonly failed: number;
  /** By seed, in their order; null where there is none. */
  readonly bySeed: readonly (number | null)[];
  /**
   * Whether it is the best of its method, or as good as can be told by a paired comparison over the seeds. Undefined where that
   * says nothing: too few seeds, no better or worse, or no row that is told apart.
   */
  readonly isBest: boolean | undefined;
}

/** Where the axes are settings of one method, its label. */
function ownersOf({ axes, scenario, name }: SweepResults): readonly (string | undefined)[] {
  const { methods } = validateScenario(scenario, name).scenario;
  return axes.map(({ path }) => {
    const [section, index] = parsePath(path) ?? [];
    return section === 'methods' && typeof index === 'number' ? methods[index]?.label : undefined;
  });
}

/** How far a value is from what good looks like: less is better. */
function distance(value: number | undefined, { best }: SweepMeasure): number {
  if (value === undefined) return Infinity;
  if (best === 'most') return -value;
  return typeof best === 'object' ? Math.abs(value - best.near) : value;
}

type Unmarked = Omit<SweepRow, 'isBest'>;

/** Marks the first row and those that the seeds do not tell apart from it. @param rows of one method, the best median first */
function marked(rows: readonly Unmarked[], { best }: SweepMeasure): readonly SweepRow[] {
  const unknown = (): readonly SweepRow[] => rows.map((row) => ({ ...row, isBest: undefined }));
  if (best === 'none' || rows.length < 2) return unknown();
  const goal: Goal = best;
  const verdicts = rows.map(({ bySeed }) => comparePaired(rows[0].bySeed, bySeed, { goal })?.verdict);
  if (!verdicts.includes('a')) return unknown();
  return rows.map((row, index) => ({ ...row, isBest: index === 0 || verdicts[index] === 'undecided' }));
}

/**
 * @param measure its index among the sweep's
 * @returns a row for each method and combination, methods in their order; of each the best median first
 */
export function sweepRows(results: SweepResults, measure = 0): readonly SweepRow[] {
  const { measures, methods, cases, seeds } = results;
  const owners = ownersOf(results);
  return methods.flatMap((method) => {
    const rows = new Map<string, Unmarked>();
    for (let first = 0; first < cases.length; first += seeds.length) {
      const values = cases[first].values.map((value, axis) =>
        owners[axis] === undefined || owners[axis] === method ? value : undefined,
      );
      const key = JSON.stringify(values);
      if (!rows.has(key)) rows.set(key, rowOf(results, measure, method, first, values));
    }
    const own = [...rows.values()];
    const by = (row: Unmarked): number => distance(row.median?.estimate, measures[measure]);
    return marked(
      own.toSorted((a, b) => (by(a) === by(b) ? a.first - b.first : by(a) - by(b))),
      measures[measure],
    );
  });
}

function rowOf(
  { cases, seeds }: SweepResults,
  measure: number,
  method: string,
  first: number,
  values: readonly unknown[],
): Unmarked {
  const own = cases.slice(first, first + seeds.length);
  const outcomes = own.map(({ methods }) => methods.find((outcome) => outcome.method === method));
  const bySeed = outcomes.map((outcome) => outcome?.values[measure] ?? null);
  const found = bySeed.filter((value) => value !== null);
  return {
    method,
    values,
    first,
    median: found.length === 0 ? undefined : medianInterval(found),
    seeds: outcomes.filter((outcome) => outcome !== undefined).length,
    diverged: outcomes.filter((outcome) => outcome?.state === 'diverged').length,
    failed: own.filter(({ state }) => state === 'failed').length,
    bySeed,
  };
}
