/** The Gaussian covariance by convolution. */
import { LimitError } from '../../errors.ts';
import type { Taps } from './band.ts';

/**
 * The sampled Gaussian e^{−j²/2L²}, scaled to unit sum: symmetric, `lower` = (taps.length − 1) / 2.
 *
 * @param length L, the standard deviation in grid points; 0 gives the single tap 1
 * @param tolerance the weight omitted of both tails together, as a share of the whole
 * @throws LimitError when the length is negative or the tolerance is not between 0 and 1
 */
export function gaussianTaps(length: number, tolerance: number): Taps {
  if (!(Number.isFinite(length) && length >= 0)) {
    throw new LimitError(`gaussianTaps: length is ${length}, it must be a finite number of grid points, at least 0`);
  }
  if (!(tolerance > 0 && tolerance < 1)) {
    throw new LimitError(`gaussianTaps: tolerance is ${tolerance}, it must lie between 0 and 1; try 1e-8`);
  }
  if (length === 0) return { taps: [1], lower: 0 };
  // Where e^{−r²/2L²} is below float64's rounding of the sum nothing is left to add.
  const half = Float64Array.from({ length: Math.ceil(9 * length) + 1 }, (_, j) => Math.exp(-0.5 * (j / length) ** 2));
  const total = 2 * half.reduceRight((sum, weight) => sum + weight, 0) - half[0];
  let reach = half.length - 1;
  let tail = 0;
  while (reach > 0 && tail + 2 * half[reach] <= tolerance * total) {
    tail += 2 * half[reach];
    reach -= 1;
  }
  const kept = total - tail;
  return { taps: Array.from({ length: 2 * reach + 1 }, (_, q) => half[Math.abs(q - reach)] / kept), lower: reach };
}
