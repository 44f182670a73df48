/** One figure of a method's consistency: a number with its uncertainty, what good looks like, and the verdict. */
import type { SeriesEstimate } from '../statistics/index.ts';

export interface ConsistencyFigure {
  /** What it is, for programs: of one kind in every run, with the variable at its end where it is of one. */
  readonly key: string;
  readonly title: string;
  /** What it is about: errors stated and found, the ensemble, waves by their length, or the water itself. */
  readonly group: ConsistencyGroup;
  /** Empty for a ratio. */
  readonly unit: string;
  readonly value: number;
  /** At 95 %, by a block bootstrap over cycles; undefined of fewer than three cycles. */
  readonly interval?: readonly [low: number, high: number] | undefined;
  /** Range of good values; undefined if none is known. */
  readonly good: readonly [low: number, high: number] | undefined;
  /**
   * `low` and `high` where the whole interval is outside what is good; `unknown` where only a part of it is while the value is
   * not good, where it reaches beyond what is good on both sides, as of too few independent cycles, and if there is none.
   */
  readonly verdict: ConsistencyVerdict;
  /** One line: what good looks like, and what it would say if it were not. */
  readonly meaning: string;
}

export type ConsistencyGroup = 'departures' | 'ensemble' | 'scales' | 'water';

export type ConsistencyVerdict = 'good' | 'low' | 'high' | 'unknown';

/** A ratio that should be 1 is called right within this factor to both sides. */
export const NEARLY = 1.25;
export const NEAR_ONE = [1 / NEARLY, NEARLY] as const;

function verdictOf({ value, interval }: SeriesEstimate, good: ConsistencyFigure['good']): ConsistencyVerdict {
  if (good === undefined || interval === undefined || !Number.isFinite(value)) return 'unknown';
  if (interval[0] < good[0] && interval[1] > good[1]) return 'unknown';
  if (value >= good[0] && value <= good[1]) return 'good';
  if (interval[1] < good[0]) return 'low';
  return interval[0] > good[1] ? 'high' : 'unknown';
}

export type FigureDescription = Pick<ConsistencyFigure, 'key' | 'group' | 'title' | 'meaning'> &
  Partial<Pick<ConsistencyFigure, 'unit' | 'good'>>;

/** @returns the figure; none where its value is no number, as there was nothing to measure */
export function figureOf(
  { key, group, title, meaning, unit = '', good = NEAR_ONE }: FigureDescription,
  estimate: SeriesEstimate,
): ConsistencyFigure[] {
  const { value, interval } = estimate;
  if (Number.isNaN(value)) return [];
  return [{ key, title, group, unit, value, interval, good, verdict: verdictOf(estimate, good), meaning }];
}
