/** The numbers of a map as a table: what its CSV holds, and what those read who do not see it. */
import type { DataTable } from '../charts/csv.ts';
import { trialsOf } from './cells.ts';
import type { Cell, Combination, Subject } from './cells.ts';
import { axisTexts } from './table.ts';
import type { SweepTable } from './table.ts';

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

/** @returns a row a combination: its values, what its seeds gave together, and each of them */
export function mapTable({ table, combinations, cells, subject }: MapNumbers): DataTable {
  const texts = table.axes.map(axisTexts);
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
      const { at } = combination;
      const { median, interval, range, seeds, diverged, failed, waiting } = cells[number];
      const bySeed = new Map(trialsOf(table, combination, subject).map(({ seed, value }) => [seed, value]));
      const values = at.map((place, axis) => {
        const value = table.axes[axis].values[place];
        return typeof value === 'number' ? value : texts[axis][place];
      });
      const spread = [interval?.low ?? null, interval?.high ?? null, range?.low ?? null, range?.high ?? null];
      return [
        ...values,
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
