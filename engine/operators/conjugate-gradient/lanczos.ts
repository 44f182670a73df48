/**
 * The Lanczos matrix of conjugate gradients: the symmetric tridiagonal T_k = Q_kᵀ A Q_k, Q_k the residuals of the first k
 * iterations, normalised. Its eigenvalues, the Ritz values, approximate those of A, the outermost first.
 */
import { HISTORY } from './layout.ts';
import { tridiagonalEigenvalues } from './tridiagonal-eigenvalues.ts';

export interface LanczosMatrix {
  /** [iterations] */
  readonly diagonal: Float64Array;
  /** [iterations − 1], none if there are no iterations. */
  readonly offDiagonal: Float64Array;
}

/**
 * 1/αₖ + βₖ₋₁/αₖ₋₁ on the diagonal and √βₖ/αₖ beside it.
 *
 * @param history as on the device (layout.ts)
 * @param iterations completed
 */
export function lanczosMatrix(history: ArrayLike<number>, iterations: number): LanczosMatrix {
  const alpha = (k: number): number => history[HISTORY.stride * k + HISTORY.alpha];
  const beta = (k: number): number => history[HISTORY.stride * k + HISTORY.beta];
  return {
    diagonal: Float64Array.from(
      { length: iterations },
      (_, k) => 1 / alpha(k) + (k > 0 ? beta(k - 1) / alpha(k - 1) : 0),
    ),
    offDiagonal: Float64Array.from({ length: Math.max(0, iterations - 1) }, (_, k) => Math.sqrt(beta(k)) / alpha(k)),
  };
}

/**
 * @param most how many at most: if there are more, evenly picked by their order, the lowest and the highest among them
 * @returns Ritz values, ascending
 */
export function ritzValues({ diagonal, offDiagonal }: LanczosMatrix, most = Infinity): Float64Array {
  const n = diagonal.length;
  if (n <= most) return tridiagonalEigenvalues(diagonal, offDiagonal);
  const picked = Uint32Array.from({ length: most }, (_, i) => Math.round((i * (n - 1)) / Math.max(1, most - 1)));
  return tridiagonalEigenvalues(diagonal, offDiagonal, picked);
}
