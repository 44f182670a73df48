/**
 * The mean of a series over cycles, and the ratio of two such means, each with an interval by the stationary bootstrap and
 * Student's t with as many degrees of freedom as the series has independent values.
 */
import { uncertaintyOfMean } from './block-bootstrap.ts';
import { studentHalfWidth } from './distributions.ts';
import { USUAL_LEVEL } from './median-interval.ts';

export interface SeriesEstimate {
  readonly value: number;
  /** At 95 %; undefined of fewer than three cycles. */
  readonly interval: readonly [low: number, high: number] | undefined;
}

/** The variance of the residuals of an autoregression needs two of them. */
const FEWEST_VALUES = 3;

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function around(value: number, influence: readonly number[]): SeriesEstimate {
  if (influence.length < FEWEST_VALUES || !Number.isFinite(value)) return { value, interval: undefined };
  const { standardError, degrees } = uncertaintyOfMean(influence);
  const halfWidth = studentHalfWidth(USUAL_LEVEL, degrees) * standardError;
  return { value, interval: [value - halfWidth, value + halfWidth] };
}

/** @param series a finite value a cycle, in order */
export function meanOfSeries(series: readonly number[]): SeriesEstimate {
  return around(meanOf(series), series);
}

/**
 * mean(a)/mean(b). To first order it moves with a single cycle as (aₜ − ratio · bₜ)/mean(b) does.
 *
 * @param pairs a finite numerator and denominator a cycle, in order
 */
export function ratioOfSeries(pairs: readonly (readonly [numerator: number, denominator: number])[]): SeriesEstimate {
  const below = meanOf(pairs.map(([, denominator]) => denominator));
  const value = meanOf(pairs.map(([numerator]) => numerator)) / below;
  return around(
    value,
    pairs.map(([numerator, denominator]) => (numerator - value * denominator) / below),
  );
}
