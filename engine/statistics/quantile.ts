/** Median and quantiles of a sample. */

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
