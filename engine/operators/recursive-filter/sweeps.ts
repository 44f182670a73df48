/**
 * The K-iterated first-order Gaussian recursive filter [rf-gpu, purser2003] as published, sweep by sweep, and its adjoint.
 * Float64, in place on lines of points side by side, [point][lane].
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
export function sweep({ alpha, beta, M }: Coefficients, iterations: number, s: Float64Array, lanes: number): void {
  const last = s.length - lanes;
  for (let k = 1; k <= iterations; k++) {
    for (let e = 0; e < lanes; e++) s[e] *= k === 1 ? beta : M;
    for (let e = lanes; e < s.length; e++) s[e] = beta * s[e] + alpha * s[e - lanes];
    for (let e = last; e < s.length; e++) s[e] *= M;
    for (let e = last - 1; e >= 0; e--) s[e] = beta * s[e] + alpha * s[e + lanes];
  }
}

/** The adjoint of `sweep`: every recurrence the other way round, every end condition transposed, the last one first. */
export function sweepAdjoint(
  { alpha, beta, M }: Coefficients,
  iterations: number,
  s: Float64Array,
  lanes: number,
): void {
  const last = s.length - lanes;
  for (let k = iterations; k >= 1; k--) {
    for (let e = lanes; e < s.length; e++) s[e] += alpha * s[e - lanes];
    for (let e = 0; e < last; e++) s[e] *= beta;
    for (let e = last; e < s.length; e++) s[e] *= M;
    for (let e = last - 1; e >= 0; e--) s[e] += alpha * s[e + lanes];
    for (let e = lanes; e < s.length; e++) s[e] *= beta;
    for (let e = 0; e < lanes; e++) s[e] *= k === 1 ? beta : M;
  }
}
