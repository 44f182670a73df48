/** From the length of a covariance in metres to the filter that makes it. */

/** Lengths of an axis beyond which a correlation along it is the same as a constant: exp(−½/10²) = 0.995 from end to end. */
const LONGEST_CORRELATION = 10;

/**
 * The standard deviation σ of the filter V, in grid points, whose B = VVᵀ falls as exp(−r²/2L²): L/√2. A correlation that is
 * longer than `LONGEST_CORRELATION` times the axis is taken as that: it is then the same everywhere along it to within half a
 * percent, and the filter keeps enough weight in the basin to be normalised.
 *
 * @param length L, metres
 * @param spacing metres between grid points
 * @param points along the axis
 */
export function filterDeviation(length: number, spacing: number, points: number): number {
  return Math.min(length / spacing, LONGEST_CORRELATION * points) / Math.SQRT2;
}
