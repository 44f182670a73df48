/** The variances that normalise the filter's covariance to unit variance. */
import { LimitError } from '../../errors.ts';
import { bandOfTaps } from '../convolution/index.ts';
import type { Band } from '../convolution/index.ts';
import { endRows, freeBand, impulseRows } from './band.ts';
import { circularKernel, lineTaps } from './taps.ts';

/** What is omitted of the kernel's tails: below the rounding of a float64 sum. */
const TOLERANCE = 1e-16;

/** The matrix A of the one-dimensional filter as a band, to the rounding of float64. @param sigma grid points */
export function recursiveFilterBand(n: number, sigma: number, iterations: number, boundary: 'free' | 'periodic'): Band {
  if (sigma === 0) return bandOfTaps(n, { taps: [1], lower: 0 }, boundary === 'periodic');
  if (boundary === 'periodic') return bandOfTaps(n, circularKernel(n, sigma, iterations, TOLERANCE), true);
  return freeBand({ length: n, sigma, iterations, taps: lineTaps(n, sigma, iterations, TOLERANCE) }, false);
}

/**
 * The diagonal of A·Aᵀ, A the matrix of the one-dimensional filter. For A along x and along y, 1/√(v_x(i) v_y(j)) makes
 * the variance of B = (A_x ⊗ A_y)(A_x ⊗ A_y)ᵀ one at every point. In the interior it is Σ w_n²; only the rows nearer to an
 * end than the kernel reaches are computed one by one.
 *
 * @param sigma grid points; 0, no filtering, gives ones
 * @throws LimitError when a parameter is out of range
 */
export function recursiveFilterVariance(
  n: number,
  sigma: number,
  iterations: number,
  boundary: 'free' | 'periodic',
): Float64Array {
  if (!(Number.isInteger(n) && n >= 1 && Number.isInteger(iterations) && iterations >= 1 && sigma >= 0)) {
    throw new LimitError(
      `recursiveFilterVariance: found n ${n}, sigma ${sigma}, iterations ${iterations}; ` +
        'n and iterations must be integers of at least 1, sigma at least 0',
    );
  }
  const variance = new Float64Array(n);
  if (sigma === 0) return variance.fill(1);
  if (boundary === 'periodic') {
    return variance.fill(sumOfSquares(circularKernel(n, sigma, iterations, TOLERANCE).taps));
  }
  const taps = lineTaps(n, sigma, iterations, TOLERANCE);
  variance.fill(2 * sumOfSquares(taps) - taps[0] ** 2);
  const line = { length: n, sigma, iterations, taps };
  const { left, right } = endRows(line);
  const rowOf = impulseRows(line);
  for (let end = 0; end < left + right; end++) {
    const i = end < left ? end : n - right + end - left;
    variance[i] = sumOfSquares(rowOf(i).row);
  }
  return variance;
}

function sumOfSquares(values: ArrayLike<number>): number {
  let sum = 0;
  for (let i = values.length - 1; i >= 0; i--) sum += values[i] ** 2;
  return sum;
}
