/** The numbers of a map as a table: what its CSV holds, and what those read who do not see it. */
import type { DataTable } from '../../format/csv.ts';
import type { MethodStyle } from '../../document/views/method-style.ts';
import { trialsOf } from './cells.ts';
import type { Cell, Combination, Subject } from './cells.ts';
import { contestWord } from './contest.ts';
import type { Contest } from './contest.ts';
import { axisTexts } from '../reading/sweep-table.ts';
import type { SweepTable } from '../reading/sweep-table.ts';

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
