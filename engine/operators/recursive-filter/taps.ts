/**
 * The recursive filter in the interior: K iterations have the symbol (1 + σ²(1 − cos ω)/K)^−K, so they are the convolution
 * with w_n = (1/2π) ∫ symbol(ω) cos(nω) dω, the composite FIR. As K → ∞, w_n → e^{−σ²} I_n(σ²).
 */
import type { Taps } from '../convolution/index.ts';

/** E = K/σ², α = 1 + E − √(E(E + 2)), β = 1 − α, M = 1/(1 + α); written so that no digits cancel. */
interface Coefficients {
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

/** Left over by the rounding of float64: nothing further out can be seen in a sum. */
const INVISIBLE = 1e-18;

/** (1 + σ²(1 − cos ω)/K)^−K. */
export function filterSymbol(sigma: number, iterations: number, omega: number): number {
  const sine = Math.sin(omega / 2);
  return Math.exp(-iterations * Math.log1p((2 * sigma ** 2 * sine ** 2) / iterations));
}

/**
 * A number of points r beyond which both tails of the kernel together hold at most `tolerance` of its unit sum, by
 * Chernoff's bound: tail ≤ 2 e^{Λ(θ) − θr}, Λ(θ) = −K ln(1 − σ²(cosh θ − 1)/K), for every θ where Λ is finite. At most
 * about two σ too large. Cheap: no kernel is built.
 */
export function filterReach(sigma: number, iterations: number, tolerance: number): number {
  const logarithm = Math.log(2 / tolerance);
  const bound = (theta: number): number => {
    const argument = 1 - (2 * sigma ** 2 * Math.sinh(theta / 2) ** 2) / iterations;
    return argument > 0 ? (logarithm - iterations * Math.log(argument)) / theta : Infinity;
  };
  // The bound falls and then rises in θ: golden-section search up to where the argument is 0.
  const ratio = (Math.sqrt(5) - 1) / 2;
  let low = 0;
  let high = 2 * Math.asinh(Math.sqrt(iterations / 2) / sigma);
  for (let step = 0; step < 60; step++) {
    const left = high - ratio * (high - low);
    const right = low + ratio * (high - low);
    if (bound(left) < bound(right)) high = right;
    else low = left;
  }
  return Math.max(1, Math.ceil(bound((low + high) / 2)));
}

/**
 * w_0 … w_{count − 1} of the filter on a circle of `points`: the trapezoidal sum over its frequencies, which is exact there,
 * and on the infinite line but for what wraps round.
 */
function circulantTaps(sigma: number, iterations: number, points: number, count: number): Float64Array {
  const cosines = Float64Array.from({ length: points }, (_, m) => Math.cos((2 * Math.PI * m) / points));
  const half = Math.floor(points / 2);
  const spectrum = Float64Array.from({ length: half + 1 }, (_, m) => {
    const twice = m > 0 && 2 * m < points;
    return ((twice ? 2 : 1) * filterSymbol(sigma, iterations, (2 * Math.PI * m) / points)) / points;
  });
  return Float64Array.from({ length: count }, (_, n) => {
    let sum = 0;
    for (let m = half; m >= 0; m--) sum += spectrum[m] * cosines[(m * n) % points];
    return sum;
  });
}

/**
 * The composite FIR of the filter: its half kernel w_0 … w_r; w_{−n} = w_n.
 *
 * @param sigma grid points; 0 gives the single tap 1
 * @param tolerance the share of the unit sum omitted beyond ±r
 */
export function recursiveFilterTaps(sigma: number, iterations: number, tolerance: number): Float64Array {
  if (sigma === 0) return Float64Array.of(1);
  // Far enough out that at most a sixteenth of the tolerance lies beyond, which the count of the tail starts from.
  const reach = filterReach(sigma, iterations, tolerance / 16);
  const points = 2 * (reach + filterReach(sigma, iterations, INVISIBLE));
  const taps = circulantTaps(sigma, iterations, points, reach + 1);
  let last = reach;
  let tail = tolerance / 16;
  while (last > 0 && tail + 2 * taps[last] <= tolerance) {
    tail += 2 * taps[last];
    last -= 1;
  }
  return taps.slice(0, last + 1);
}

/**
 * The half kernel for a line of `length` points. A kernel that reaches over the whole line is not made, for no row is the
 * interior's: only how far it goes counts, and the cost stays that of the line, however large sigma is.
 */
export function lineTaps(length: number, sigma: number, iterations: number, tolerance: number): Float64Array {
  const everywhere = filterReach(sigma, iterations, tolerance) >= length;
  return everywhere ? new Float64Array(length) : recursiveFilterTaps(sigma, iterations, tolerance);
}

/** The filter on a circle of `points`: the composite FIR, or where it would meet itself round the back, every weight. */
export function circularKernel(points: number, sigma: number, iterations: number, tolerance: number): Taps {
  if (2 * filterReach(sigma, iterations, tolerance) + 1 <= points) {
    const taps = recursiveFilterTaps(sigma, iterations, tolerance);
    const lower = taps.length - 1;
    return { taps: Float64Array.from({ length: 2 * lower + 1 }, (_, q) => taps[Math.abs(q - lower)]), lower };
  }
  const half = circulantTaps(sigma, iterations, points, Math.floor(points / 2) + 1);
  return { taps: Float64Array.from({ length: points }, (_, q) => half[Math.min(q, points - q)]), lower: 0 };
}
