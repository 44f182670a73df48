/**
 * The median of a sample and an interval that holds the median of what it was drawn from. The ends are values of the sample
 * (the sign test turned round), so that the probability is known exactly whatever the distribution. The bootstrap's interval
 * of a median has values of the sample for its ends, too, and is the shorter one where they are few: of five values no
 * interval inside their range holds the median with more than 1 − 2·2⁻⁵ = 93.75 %. [conover1999]
 */
import { fairCoinTail } from './distributions.ts';
import { median } from './quantile.ts';

/** Level of the intervals by default. */
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
