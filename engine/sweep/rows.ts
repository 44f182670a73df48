/** A sweep's results by method and combination of values, over the seeds: what tables show, and which settings are the best. */
import { validateScenario } from '../scenario/index.ts';
import { parsePath } from '../settings/index.ts';
import { comparePaired, median, medianInterval } from '../statistics/index.ts';
import type { Goal, Interval } from '../statistics/index.ts';
import type { SweepMeasure, SweepResults } from './results.ts';

/** One method with one combination of values of the settings that it follows. */
export interface SweepRow {
  readonly method: string;
  /** One for each axis; undefined of a setting of another method, which changes nothing of this one. */
  readonly values: readonly unknown[];
  /** Index of its first case. */
  readonly first: number;
  /** The median over the seeds that came through, and the interval of the median of all seeds; undefined if none did. */
  readonly median: Interval | undefined;
  /** Seeds that were run, those with which it diverged, and those of cases that failed. */
  readonly seeds: number;
  readonly diverged: number;
  readonly failed: number;
  /** By seed, in their order; null if there is none. */
  readonly bySeed: readonly (number | null)[];
  /**
   * Whether it is the best among the settings of its method in one and the same world, or not significantly different by a paired
   * comparison over the seeds. Undefined where that says nothing: too few seeds, no better or worse, or no significant difference.
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

/** How far a value is from what good looks like: less is better; what diverged is farthest. */
function distance(value: number | null, { best }: SweepMeasure): number {
  if (value === null) return Infinity;
  if (best === 'most') return -value;
  return typeof best === 'object' ? Math.abs(value - best.near) : value;
}

interface Unmarked extends Omit<SweepRow, 'isBest'> {
  /** By which rows are put in order: the median distance over the seeds that were run. */
  readonly rank: number;
  /** By seed, whether its case came to an outcome. */
  readonly hasRun: readonly boolean[];
  /** Values of what is no method's: rows of different worlds are answers to different questions. */
  readonly world: string;
}

function withMark(
  { rank: _rank, hasRun: _hasRun, world: _world, ...row }: Unmarked,
  isBest: boolean | undefined,
): SweepRow {
  return { ...row, isBest };
}

/** Marks the first row and those that are not significantly different from it. @param rows of one method and world, the best first */
function marked(rows: readonly Unmarked[], { best }: SweepMeasure): readonly SweepRow[] {
  if (best === 'none') return rows.map((row) => withMark(row, undefined));
  const goal: Goal = best;
  // A case that failed says nothing about its settings.
  const valuesOf = (row: Unmarked, other: Unmarked): readonly (number | null)[] =>
    row.bySeed.filter((_, seed) => row.hasRun[seed] && other.hasRun[seed]);
  const verdicts = rows.map((row) => comparePaired(valuesOf(rows[0], row), valuesOf(row, rows[0]), { goal })?.verdict);
  const isTold = verdicts.includes('a') && !verdicts.includes('b');
  return rows.map((row, index) => withMark(row, isTold ? index === 0 || verdicts[index] === 'undecided' : undefined));
}

/**
 * @param measure its index among the sweep's
 * @returns a row for each method and combination, methods in their order, worlds in that of the cases; of each the best first
 */
export function sweepRows(results: SweepResults, measure = 0): readonly SweepRow[] {
  const { measures, methods, cases, seeds } = results;
  const owners = ownersOf(results);
  return methods.flatMap((method) => {
    const rows = new Map<string, Unmarked>();
    for (let first = 0; first < cases.length; first += seeds.length) {
      const of = (isOurs: (owner: string | undefined) => boolean): readonly unknown[] =>
        cases[first].values.map((value, axis) => (isOurs(owners[axis]) ? value : undefined));
      const values = of((owner) => owner === undefined || owner === method);
      const key = JSON.stringify(values);
      const world = JSON.stringify(of((owner) => owner === undefined));
      if (!rows.has(key)) rows.set(key, rowOf(results, measure, method, { first, values, world }));
    }
    const byWorld = new Map<string, Unmarked[]>();
    for (const row of rows.values()) {
      const own = byWorld.get(row.world);
      if (own) own.push(row);
      else byWorld.set(row.world, [row]);
    }
    return [...byWorld.values()].flatMap((own) =>
      marked(
        own.toSorted((a, b) => (a.rank === b.rank ? a.first - b.first : a.rank - b.rank)),
        measures[measure],
      ),
    );
  });
}

function rowOf(
  { cases, seeds, measures }: SweepResults,
  measure: number,
  method: string,
  place: Pick<Unmarked, 'first' | 'values' | 'world'>,
): Unmarked {
  const own = cases.slice(place.first, place.first + seeds.length);
  const outcomes = own.map(({ methods }) => methods.find((outcome) => outcome.method === method));
  const bySeed = outcomes.map((outcome) => outcome?.values[measure] ?? null);
  const found = bySeed.filter((value) => value !== null);
  const run = outcomes.filter((outcome) => outcome !== undefined);
  const distances = run.map(({ values }) => distance(values[measure], measures[measure]));
  return {
    ...place,
    method,
    hasRun: outcomes.map((outcome) => outcome !== undefined),
    median: found.length === 0 ? undefined : medianInterval(found),
    rank: distances.length === 0 ? Infinity : median(distances),
    seeds: run.length,
    diverged: run.filter(({ state }) => state === 'diverged').length,
    failed: own.filter(({ state }) => state === 'failed').length,
    bySeed,
  };
}
