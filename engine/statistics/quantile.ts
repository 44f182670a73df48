/** Order statistics: selection, quantiles, and an interval for the median. */
import { fairCoinTail } from './distributions.ts';

/**
 * Finds the k-th smallest number. The sample is reordered: what comes before k is not larger, what comes after it is not smaller.
 *
 * @param values none of them NaN
 * @param k from 0; the sample's length is larger
 */
export function selectInPlace(values: Float64Array, k: number): number {
  let low = 0;
  let high = values.length - 1;
  while (low < high) {
    const pivot = values[(low + high) >> 1];
    let i = low;
    let j = high;
    while (i <= j) {
      while (values[i] < pivot) i++;
      while (values[j] > pivot) j--;
      if (i > j) break;
      const larger = values[i];
      values[i] = values[j];
      values[j] = larger;
      i++;
      j--;
    }
    if (k <= j) high = j;
    else if (k >= i) low = i;
    else break;
  }
  return values[k];
}

function ascending(values: readonly number[]): readonly number[] {
  if (values.length === 0) throw new RangeError('a quantile of no values');
  return values.toSorted((a, b) => a - b);
}

/** The same as `quantile`, of values that are in ascending order. */
export function sortedQuantile(sorted: ArrayLike<number>, share: number): number {
  const place = share * (sorted.length - 1);
  const below = Math.floor(place);
  const weight = place - below;
  // Values may be infinite, of which no part is taken where it counts for nothing.
  return weight === 0 ? sorted[below] : (1 - weight) * sorted[below] + weight * sorted[below + 1];
}

/**
 * The value below which a given share of the sample is, linear between two neighbours (definition 7 of [hyndman1996]).
 *
 * @param share from 0, the least value, to 1, the largest
 * @throws RangeError of no values
 */
export function quantile(values: readonly number[], share: number): number {
  return sortedQuantile(ascending(values), share);
}

/**
 * The middle value, or the mean of the two middle ones.
 *
 * @throws RangeError of no values
 */
export function median(values: readonly number[]): number {
  const sorted = ascending(values);
  const upper = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[upper] : (sorted[upper - 1] + sorted[upper]) / 2;
}

/**
 * The median of a sample and an interval that holds the median of what it was drawn from. The ends are values of the sample
 * (the sign test turned round), so that the probability is known exactly whatever the distribution. The bootstrap's interval
 * of a median has values of the sample for its ends, too, and is the shorter one where they are few: of five values no
 * interval inside their range holds the median with more than 1 − 2·2⁻⁵ = 93.75 %. [conover1999]
 *
 * Level of the intervals by default.
 */
export const USUAL_LEVEL = 0.95;

export interface Interval {
  readonly estimate: number;
  readonly low: number;
  readonly high: number;
  /** The requested level. */
  readonly level: number;
  /** Probability with which it holds what is estimated; below `level` where the values are too few, low and high are then their range. */
  readonly coverage: number;
}

/**
 * @returns the largest k for which the k-th value from below and from above hold the median between them with the level, 1
 *   if none does; and the probability with which they do
 */
function signTestRank(count: number, level: number): { readonly rank: number; readonly coverage: number } {
  const coverageOf = (rank: number): number => 1 - 2 * fairCoinTail(rank - 1, count);
  let rank = 1;
  while (2 * (rank + 1) <= count && coverageOf(rank + 1) >= level) rank += 1;
  return { rank, coverage: coverageOf(rank) };
}

/**
 * @param values independent of each other, as those of seeds are; an infinite one is one that is worse or better than all others
 * @throws RangeError of no values
 */
export function medianInterval(values: readonly number[], { level = USUAL_LEVEL } = {}): Interval {
  const sorted = values.toSorted((a, b) => a - b);
  const { rank, coverage } = signTestRank(sorted.length, level);
  return { estimate: median(sorted), low: sorted[rank - 1], high: sorted[sorted.length - rank], level, coverage };
}
