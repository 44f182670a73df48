/** Where the increment of a variable at a place comes from: a row for each observation that has a part in it. */
import type { BasinInfo, SnapshotObservations } from '../../../engine/index.ts';
import { distanceBetween } from './distance.ts';
import type { CycleAnswers } from './answers.ts';

export interface InfluenceRow {
  /** Number of the observation in its cycle. */
  readonly index: number;
  readonly variable: string;
  /** From the place, m. */
  readonly distance: number;
  /** By method label; undefined where the method has no such answer. In the unit of the variable. */
  readonly contributions: ReadonlyMap<string, number>;
}

export interface Influences {
  readonly unit: string;
  /** Labels of the methods that answer. */
  readonly methods: readonly string[];
  readonly rows: readonly InfluenceRow[];
  /** The increment there, by method label. */
  readonly increments: ReadonlyMap<string, number>;
}

/** What the table is sorted by: the observation's number, its distance, or a method by its label. */
export interface InfluenceOrder {
  readonly column: 'index' | 'distance' | { readonly method: string };
  readonly descending: boolean;
}

/** Smallest share of the largest contribution that is shown: less has no visible part. */
const LEAST_SHARE = 1e-6;

/** @returns the observations that have a part in the increment of any method; undefined where no method answers */
export function influencesOf(
  { byMethod, place }: Pick<CycleAnswers, 'byMethod' | 'place'>,
  observations: Pick<SnapshotObservations, 'x' | 'y' | 'variable'>,
  basin: BasinInfo,
): Influences | undefined {
  const answered = [...byMethod].flatMap(([label, { influence }]) => (influence ? [[label, influence] as const] : []));
  if (answered.length === 0) return undefined;
  const rows = Array.from(observations.x, (_, index): InfluenceRow => ({
    index,
    variable: observations.variable[index],
    distance: distanceBetween({ x: observations.x[index], y: observations.y[index] }, place.at, basin),
    contributions: new Map(answered.map(([label, { contributions }]) => [label, contributions[index] ?? 0])),
  }));
  const largest = new Map(
    answered.map(([label, { contributions }]) => [
      label,
      contributions.reduce((most, c) => Math.max(most, Math.abs(c)), 0),
    ]),
  );
  const hasPart = ({ contributions }: InfluenceRow): boolean =>
    [...contributions].some(([label, c]) => c !== 0 && Math.abs(c) >= LEAST_SHARE * (largest.get(label) ?? 0));
  return {
    unit: answered[0][1].unit,
    methods: answered.map(([label]) => label),
    rows: rows.filter(hasPart),
    increments: new Map(answered.map(([label, { increment }]) => [label, increment])),
  };
}

/** @returns the rows in that order: contributions by their size */
export function sortedRows(
  rows: readonly InfluenceRow[],
  { column, descending }: InfluenceOrder,
): readonly InfluenceRow[] {
  const keyOf = (row: InfluenceRow): number => {
    if (column === 'index') return row.index;
    if (column === 'distance') return row.distance;
    return Math.abs(row.contributions.get(column.method) ?? 0);
  };
  const sign = descending ? -1 : 1;
  return rows.toSorted((a, b) => sign * (keyOf(a) - keyOf(b)) || a.index - b.index);
}
