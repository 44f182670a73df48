/** What is said of cells and of a map: in sentences, in lines, and as the table of its numbers. */
import { formatNumber, formatQuantity } from '../../format/numbers.ts';
import { placeWords, variedAxes, trialsOf } from './arrangement.ts';
import type { Cell, Combination, Span, Trial, Subject } from './arrangement.ts';
import type { SweepMeasure } from '../../../engine/index.ts';
import { numericValues, axisTexts, type SweepTable, type TableAxis } from '../reading/sweep-table.ts';
import { badness, contestWord, type Contest } from './contest.ts';
import type { DataTable } from '../../format/tables.ts';
import type { MethodStyle } from '../../document/views/method-style.ts';

/**
 * What a map says: which cell is best, which are not significantly different from it, and whether the best is on the edge of what
 * was tried.
 */
export interface Findings {
  /** Number of the combination with the best median; undefined if there is none, or where the measure knows no better. */
  readonly best: number | undefined;
  /** Others whose interval overlaps that of the best. */
  readonly alike: ReadonlySet<number>;
}

function overlap(a: Span, b: Span): boolean {
  return a.low <= b.high && b.low <= a.high;
}

/** @param cells by combination. One of which a run diverged is never the best, since its median is only of those that did not */
export function findingsOf({ best }: Pick<SweepMeasure, 'best'>, cells: readonly Cell[]): Findings {
  let found: number | undefined;
  let least = Infinity;
  if (best !== 'none') {
    for (const [number, { median, diverged }] of cells.entries()) {
      if (median === null || diverged > 0 || badness(best, median) >= least) continue;
      found = number;
      least = badness(best, median);
    }
  }
  const own = found === undefined ? null : cells[found].interval;
  const alike = new Set<number>();
  for (const [number, { diverged, interval }] of cells.entries()) {
    if (number !== found && diverged === 0 && own && interval && overlap(own, interval)) alike.add(number);
  }
  return { best: found, alike };
}

/** @returns whether a value is the first or the last of a list of numbers by size, and which */
function edgeOf(axis: Pick<TableAxis, 'values'>, at: number): 'smallest' | 'largest' | undefined {
  const values = numericValues(axis);
  if (!values || values.length < 2) return undefined;
  if (values[at] === Math.max(...values)) return 'largest';
  return values[at] === Math.min(...values) ? 'smallest' : undefined;
}

/** @returns a sentence if the best setting is at the edge of the grid, else an empty text */
export function edgeWords({ axes }: Pick<SweepTable, 'axes'>, { at }: Pick<Combination, 'at'>): string {
  const edges = axes.flatMap((axis, number) => {
    const edge = edgeOf(axis, at[number]);
    return edge === undefined ? [] : [`${placeWords({ axes }, at, [number])} is the ${edge} value`];
  });
  return edges.length === 0 ? '' : `The optimum may lie outside what was tried: ${edges.join(', ')}.`;
}

/** @returns `3 seeds`, `1 seed` */
export function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}

/** @returns `0.038 to 0.044` */
export function spanWords({ low, high }: Span): string {
  return `${formatNumber(low)} to ${formatNumber(high)}`;
}

/** @returns what became of the runs of a cell that have no value: `2 of 5 seeds diverged, 1 failed`; empty where all have one */
export function lossWords({ seeds, diverged, failed, waiting }: Cell, kind: SweepTable['kind']): string {
  if (kind === 'medians') return diverged > 0 ? `one or more of ${counted(seeds, 'seed')} diverged` : '';
  const parts = [
    ...(diverged > 0 ? [`${diverged} diverged`] : []),
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(waiting > 0 ? [`${waiting} not run yet`] : []),
  ];
  return parts.length === 0 ? '' : `of ${counted(seeds, 'seed')} ${parts.join(', ')}`;
}

/** @returns a combination's values on the axes that vary, as `Inflation 1.1, Half-width 8 m` */
export function combinationWords(table: Pick<SweepTable, 'axes'>, { at }: Pick<Combination, 'at'>): string {
  return placeWords(table, at, variedAxes(table)) || 'the one setting of this sweep';
}

interface Told {
  readonly table: SweepTable;
  readonly combinations: readonly Combination[];
  readonly cells: readonly Cell[];
  readonly unit: string;
}

/** @returns a cell in a line, as a screen reader says it */
export function cellWords({ table, combinations, cells, unit }: Told, number: number): string {
  const cell = cells[number];
  const parts = [
    combinationWords(table, combinations[number]),
    cell.median === null ? 'no value' : formatQuantity(cell.median, unit),
    ...(cell.interval ? [`95 % ${spanWords(cell.interval)}`] : []),
    lossWords(cell, table.kind),
  ];
  return parts.filter(Boolean).join('; ');
}

function alikeWords(alike: number, cells: number): string {
  if (alike === 0) return cells > 1 ? ' It differs significantly from all others.' : '';
  return ` ${counted(alike, 'other cell')} ${alike === 1 ? 'does' : 'do'} not differ from it significantly.`;
}

/** Why no interval is given. */
function tooFewWords({ kind, seeds }: SweepTable): string {
  if (kind === 'medians') return 'A scan keeps no results of single seeds, so significance cannot be computed.';
  return `${counted(seeds.length, 'seed')} ${seeds.length === 1 ? 'is' : 'are'} too few for an interval at 95 %, which takes six.`;
}

/** @returns what a map says: its best cell, what is not significantly different from it, and whether the best is on the edge */
export function findingWords(told: Told, { best, alike }: Findings): string {
  const { table, combinations, cells, unit } = told;
  if (best === undefined) return '';
  const { interval } = cells[best];
  const range = interval ? ` (95 % ${spanWords(interval)})` : '';
  const others = interval ? alikeWords(alike.size, cells.length) : ` ${tooFewWords(table)}`;
  const found = `Best: ${combinationWords(table, combinations[best])}, with ${formatQuantity(cells[best].median, unit)}${range}.`;
  return [`${found}${others}`, edgeWords(table, combinations[best])].filter(Boolean).join(' ');
}

/** @returns what one run gave, in a few words */
export function trialWords({ state, value, divergedAt, reason }: Trial, unit: string): string {
  switch (state) {
    case 'complete':
      return value === null ? 'does not apply' : formatQuantity(value, unit);
    case 'diverged':
      return divergedAt === undefined ? 'diverged' : `diverged in cycle ${divergedAt}`;
    case 'failed':
      return `failed${reason === undefined ? '' : `: ${reason}`}`;
    case 'waiting':
      return 'not run yet';
    default:
      return state satisfies never;
  }
}

interface MapNumbers {
  readonly table: SweepTable;
  readonly combinations: readonly Combination[];
  readonly cells: readonly Cell[];
  readonly subject: Subject;
}

/** @returns `Skill (m)` */
export function measureTitle({ title, unit }: Pick<SweepTable['measures'][number], 'title' | 'unit'>): string {
  return unit === '' ? title : `${title} (${unit})`;
}

/** @returns the values of a combination, numbers as numbers */
function placeCells({ axes }: SweepTable, { at }: Combination): (string | number)[] {
  return axes.map((axis, number) => {
    const value = axis.values[at[number]];
    return typeof value === 'number' ? value : axisTexts(axis)[at[number]];
  });
}

/** @returns a row a combination: its values, what its seeds gave together, and each of them */
export function mapTable({ table, combinations, cells, subject }: MapNumbers): DataTable {
  const hasSeeds = table.kind === 'runs';
  return {
    columns: [
      ...table.axes.map(({ title }) => title),
      `${table.methods[subject.method]}: ${measureTitle(table.measures[subject.measure])}, median`,
      ...(hasSeeds ? ['95 % from', '95 % to', 'lowest', 'highest'] : []),
      'seeds',
      'diverged',
      'failed',
      'waiting',
      ...(hasSeeds ? table.seeds.map((seed) => `seed ${seed}`) : []),
    ],
    rows: combinations.map((combination, number) => {
      const { median, interval, range, seeds, diverged, failed, waiting } = cells[number];
      const bySeed = new Map(trialsOf(table, combination, subject).map(({ seed, value }) => [seed, value]));
      const spread = [interval?.low ?? null, interval?.high ?? null, range?.low ?? null, range?.high ?? null];
      return [
        ...placeCells(table, combination),
        median,
        ...(hasSeeds ? spread : []),
        seeds,
        diverged,
        failed,
        waiting,
        ...(hasSeeds ? table.seeds.map((seed) => bySeed.get(seed) ?? null) : []),
      ];
    }),
  };
}

interface ContestNumbers {
  readonly table: SweepTable;
  readonly combinations: readonly Combination[];
  readonly contests: readonly Contest[];
  readonly styles: readonly MethodStyle[];
  readonly measure: number;
}

/** @returns a row for each combination and rival of the method that leads there */
export function contestTable({ table, combinations, contests, styles, measure }: ContestNumbers): DataTable {
  return {
    columns: [
      ...table.axes.map(({ title }) => title),
      'best',
      'leads',
      'against',
      'seeds',
      'better on',
      'change',
      'change is',
      '95 % from',
      '95 % to',
      'verdict',
      'measure',
    ],
    rows: contests.flatMap((contest, number) => {
      const { leader, rivals } = contest;
      if (leader === undefined) return [];
      return rivals.map(({ method, comparison: { pairs, wins, change, verdict } }) => [
        ...placeCells(table, combinations[number]),
        contestWord(contest, styles),
        styles[leader].title,
        styles[method].title,
        pairs,
        wins,
        change.estimate,
        change.scale,
        change.low,
        change.high,
        verdict === 'a' ? 'better' : verdict,
        measureTitle(table.measures[measure]),
      ]);
    }),
  };
}
