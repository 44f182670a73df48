/** The table of methods: rows, their order, and what is best in each column. */
import type { MethodResult } from '../../../engine/index.ts';
import { leadingVariable } from '../../../engine/index.ts';
import type { DataTable } from './csv.ts';

export type ResultColumn = 'method' | 'forecast' | 'analysis' | 'spread' | 'skill' | 'milliseconds';

export interface ResultRow {
  readonly label: string;
  /** In the scenario's order. */
  readonly order: number;
  /** NaN where there is none yet. */
  readonly forecast: number;
  readonly analysis: number;
  /** 0 for a method with one member. */
  readonly spread: number;
  readonly skill: number;
  readonly milliseconds: number;
}

export interface ResultOrder {
  readonly column: ResultColumn;
  readonly descending: boolean;
}

export function resultRows(results: readonly MethodResult[]): ResultRow[] {
  return results.map(({ method, rmse, spread, skill, milliseconds }, order) => {
    const variable = leadingVariable(rmse.analysis);
    const of = (values: Readonly<Record<string, number>>): number =>
      variable === undefined ? Number.NaN : values[variable];
    return {
      label: method,
      order,
      forecast: of(rmse.forecast),
      analysis: of(rmse.analysis),
      spread: of(spread.analysis),
      skill: skill ?? Number.NaN,
      milliseconds: variable === undefined ? Number.NaN : milliseconds.forecast + milliseconds.analysis,
    };
  });
}

/** @returns the rows in order; what is not a number comes last whichever way */
export function sortResults(rows: readonly ResultRow[], { column, descending }: ResultOrder): ResultRow[] {
  const sign = descending ? -1 : 1;
  return [...rows].sort((a, b) => {
    if (column === 'method') return sign * (a.order - b.order);
    const [left, right] = [a[column], b[column]];
    if (Number.isNaN(left) || Number.isNaN(right)) return Number(Number.isNaN(left)) - Number(Number.isNaN(right));
    return left === right ? a.order - b.order : sign * (left - right);
  });
}

/** @returns the method with the smallest error of the analysis, where there are two or more to compare */
export function bestOf(rows: readonly ResultRow[]): string | undefined {
  const [best, second] = sortResults(rows, { column: 'analysis', descending: false });
  return second === undefined || !(best.analysis < second.analysis) ? undefined : best.label;
}

const cell = (value: number): number | null => (Number.isFinite(value) ? value : null);

export function resultTable(rows: readonly ResultRow[], titleOf: (label: string) => string): DataTable {
  return {
    columns: [
      'method',
      'RMSE of h, forecast (m)',
      'RMSE of h, analysis (m)',
      'spread of h, analysis (m)',
      'skill against the free run',
      'milliseconds per cycle',
    ],
    rows: rows.map((row) => [
      titleOf(row.label),
      cell(row.forecast),
      cell(row.analysis),
      row.spread > 0 ? row.spread : null,
      cell(row.skill),
      cell(row.milliseconds),
    ]),
  };
}
