/**
 * Eleven observations of the linear-Gaussian problem whose errors are correlated along two tracks, and the Kalman filter of that R, in
 * dense float64.
 */
import { H, OBSERVED } from '../../../engine/check/assimilation/linear-gaussian.ts';
import { apply, dot, minus, plus, solve, times, trace, transposed } from '../../../engine/check/assimilation/dense.ts';
import type { Matrix } from '../../../engine/check/assimilation/dense.ts';
import { deviationsOf } from '../../../engine/check/assimilation/set-up.ts';
import type { Observed } from '../../../engine/check/assimilation/set-up.ts';
import type { ErrorBlock } from '../../../engine/methods/index.ts';

export const COUNT = OBSERVED.x.length;
/** Observations 1 … 4 and 6 … 10 are of two tracks. */
export const CORRELATED: readonly ErrorBlock[] = [
  { first: 1, errors: { count: 4, between: (a, b) => (a === b ? 1 : 0.9 * Math.exp(-Math.abs(a - b) / 3)) } },
  { first: 6, errors: { count: 5, between: (a, b) => Math.exp(-((a - b) ** 2) / 4.5) } },
];
/** One of each track is missing. */
const MISSING = new Set([3, 7]);
const inverseErrorStd = OBSERVED.inverseErrorStd.map((inverse, j) => (MISSING.has(j) ? 0 : inverse));
export const TOGETHER: Observed = { ...OBSERVED, inverseErrorStd, correlated: CORRELATED };
export const USED = Array.from({ length: COUNT }, (_, j) => j).filter((j) => !MISSING.has(j));

/** C of all observations. */
export const C: Matrix = Array.from({ length: COUNT }, (_, a) =>
  Float64Array.from({ length: COUNT }, (_each, b) => {
    if (a === b) return 1;
    if (a >= 1 && a <= 4 && b >= 1 && b <= 4) return 0.9 * Math.exp(-Math.abs(a - b) / 3);
    return a >= 6 && b >= 6 ? Math.exp(-((a - b) ** 2) / 4.5) : 0;
  }),
);

const DEVIATIONS = deviationsOf(OBSERVED);

/**
 * x̄ + K d, (I − K H) P, tr(H K) and dᵀ S⁻¹ d, with K = P Hᵀ S⁻¹, S = H P Hᵀ + R and R = D C D whole.
 *
 * @param used which observations are
 */
export function kalman(
  mean: Float64Array,
  covariance: Matrix,
  innovation: Float64Array,
  used: readonly number[] = USED,
) {
  const seen: Matrix = used.map((j) => H[j]);
  const cross = times(covariance, transposed(seen));
  const total = times(seen, cross).map((row, i) =>
    row.map((value, j) => value + DEVIATIONS[used[i]] * C[used[i]][used[j]] * DEVIATIONS[used[j]]),
  );
  const gain = solve(total, cross);
  const removed = times(gain, transposed(cross));
  const d = Float64Array.from(used, (j) => innovation[j]);
  return {
    mean: plus(mean, apply(gain, d)),
    covariance: covariance.map((row, i) => minus(row, removed[i])),
    degreesOfFreedom: trace(times(seen, gain)),
    misfit: dot(d, solve(total, [d])[0]),
    gain,
  };
}
