/** The closed-form Kalman analysis with the covariance of an ensemble, for problems of variable 0 observed linearly. */
import { meansOf } from './set-up.ts';
import type { Problem } from './set-up.ts';

/**
 * x̄ + K (y − H x̄) and (I − K H) B with B = ρ X Xᵀ/(k − 1), K = B Hᵀ (H B Hᵀ + R)⁻¹; B Hᵀ and H B Hᵀ are taken from the
 * ensemble and the observed ensemble.
 * @returns mean [n], covariance [n][n]
 */
export function kalmanAnalysis(problem: Problem): { readonly mean: Float64Array; readonly covariance: Float64Array } {
  const { members: k, ensemble, observedEnsemble, values, inverseErrorStd, inflation } = problem;
  const n = ensemble.length / k;
  const p = values.length;
  const forecast = meansOf(ensemble, k);
  const observed = meansOf(observedEnsemble, k);
  const covarianceOf = (a: Float64Array, i: number, b: Float64Array, j: number): number => {
    const [meanA, meanB] = [a === ensemble ? forecast : observed, b === ensemble ? forecast : observed];
    let sum = 0;
    for (let m = 0; m < k; m++) {
      sum += (a[m * meanA.length + i] - meanA[i]) * (b[m * meanB.length + j] - meanB[j]);
    }
    return (inflation * sum) / (k - 1);
  };
  const innovationCovariance = Array.from({ length: p }, (_, i) =>
    Array.from(
      { length: p },
      (_, j) => covarianceOf(observedEnsemble, i, observedEnsemble, j) + (i === j ? 1 / inverseErrorStd[i] ** 2 : 0),
    ),
  );
  const mean = new Float64Array(n);
  const covariance = new Float64Array(n * n);
  const innovation = Array.from(values, (value, o) => value - observed[o]);
  for (let i = 0; i < n; i++) {
    const cross = Array.from({ length: p }, (_, o) => covarianceOf(ensemble, i, observedEnsemble, o));
    const gain = solve(innovationCovariance, cross);
    mean[i] = forecast[i] + gain.reduce((sum, value, o) => sum + value * innovation[o], 0);
    for (let j = 0; j < n; j++) {
      const removed = gain.reduce((sum, value, o) => sum + value * covarianceOf(observedEnsemble, o, ensemble, j), 0);
      covariance[i * n + j] = covarianceOf(ensemble, i, ensemble, j) - removed;
    }
  }
  return { mean, covariance };
}

/** Gaussian elimination with row pivoting. */
function solve(matrix: readonly (readonly number[])[], rightSide: readonly number[]): number[] {
  const rows = matrix.map((row, i) => [...row, rightSide[i]]);
  const n = rows.length;
  for (let c = 0; c < n; c++) {
    let best = c;
    for (let r = c + 1; r < n; r++) if (Math.abs(rows[r][c]) > Math.abs(rows[best][c])) best = r;
    [rows[c], rows[best]] = [rows[best], rows[c]];
    for (let r = c + 1; r < n; r++) {
      const factor = rows[r][c] / rows[c][c];
      for (let e = c; e <= n; e++) rows[r][e] -= factor * rows[c][e];
    }
  }
  const result = Array.from({ length: n }, () => 0);
  for (let r = n - 1; r >= 0; r--) {
    let sum = rows[r][n];
    for (let e = r + 1; e < n; e++) sum -= rows[r][e] * result[e];
    result[r] = sum / rows[r][r];
  }
  return result;
}
