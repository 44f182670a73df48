/**
 * The K-iterated first-order Gaussian recursive filter [rf-gpu, purser2003] as published, sweep by sweep, and its adjoint.
 * Float64, in place on one line of points.
 */

/** E = K/σ², α = 1 + E − √(E(E + 2)), β = 1 − α, M = 1/(1 + α); written so that no digits cancel. */
export interface Coefficients {
  readonly alpha: number;
  readonly beta: number;
  readonly M: number;
}

/** @param sigma standard deviation of all iterations together, in grid points, above 0 */
export function filterCoefficients(sigma: number, iterations: number): Coefficients {
  const E = iterations / sigma ** 2;
  const root = Math.sqrt(E * (E + 2));
  const alpha = 1 / (1 + E + root);
  return { alpha, beta: (2 * E) / (E + root), M: 1 / (1 + alpha) };
}

/** K times: p₀ = βs₀ (first time) or M s₀, p_j = βs_j + αp_{j−1}; then s_{N−1} = M p_{N−1}, s_j = βp_j + αs_{j+1}. */
export function sweep({ alpha, beta, M }: Coefficients, iterations: number, s: Float64Array): void {
  const last = s.length - 1;
  for (let k = 1; k <= iterations; k++) {
    s[0] *= k === 1 ? beta : M;
    for (let j = 1; j <= last; j++) s[j] = beta * s[j] + alpha * s[j - 1];
    s[last] *= M;
    for (let j = last - 1; j >= 0; j--) s[j] = beta * s[j] + alpha * s[j + 1];
  }
}

/** The adjoint of `sweep`: every recurrence the other way round, every end condition transposed, the last one first. */
export function sweepAdjoint({ alpha, beta, M }: Coefficients, iterations: number, s: Float64Array): void {
  const last = s.length - 1;
  for (let k = iterations; k >= 1; k--) {
    for (let j = 1; j <= last; j++) s[j] += alpha * s[j - 1];
    for (let j = 0; j < last; j++) s[j] *= beta;
    s[last] *= M;
    for (let j = last - 1; j >= 0; j--) s[j] += alpha * s[j + 1];
    for (let j = 1; j <= last; j++) s[j] *= beta;
    s[0] *= k === 1 ? beta : M;
  }
}
