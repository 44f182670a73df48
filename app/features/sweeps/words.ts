/** What is said of cells, in sentences and lines. */
import { formatNumber, formatQuantity } from '../../format/numbers.ts';
import { placeWords, variedAxes } from './arrangement.ts';
import type { Cell, Combination, Span, Trial } from './cells.ts';
import { edgeWords } from './findings.ts';
import type { Findings } from './findings.ts';
import type { SweepTable } from '../reading/sweep-table.ts';

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
