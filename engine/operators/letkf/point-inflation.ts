/**
 * A factor ρ of the forecast's covariance for every grid point, from the observations j around it with the weights w of their
 * localisation, in units of their errors: d̃ = R^−½ d, S = R^−½ Y/√(k − 1).
 *
 * `innovations`: the scalar Kalman update of [miyoshi2011] with a prior variance v_b. With p = Σ w, T = Σ w |S_j|²,
 *
 *   ρᵒ = (Σ w d̃² − p)/T,   v_o = (2/p) ((ρT + p)/T)²,   ρ ← ρ + v_b/(v_b + v_o) (ρᵒ − ρ),
 *
 * held between `least` and `most`; out of reach of all observations ρ stays.
 *
 * `finite-size`: the factor of the EnKF-N in its dual form [bocquet2012], the ρ ≤ `most` at which
 *
 *   (k − 1) D(ρ) = d̃ᵀ (I + ρG)⁻¹ d̃ + (k − 1) (ε/ρ + c ln ρ),   G = S Sᵀ with √w in its rows, and in d̃,
 *
 * is least: the analysis with it minimises ½‖d̃ − S√(k − 1) w‖² + ½ (k − 1) c ln(ε + wᵀw) over the weights w of the members. ε = 1 + 1/k
 * and c = k/(k − 1) are corrected so that ρ is 1 out of reach of all observations, ε/m and c m, m² = (ε/c)^tr (I + G)⁻¹/k, and then both
 * multiplied by the certainty of the prior [bocquet2015, raanes2019].
 *
 * Cost of one run, n = nx·ny points, k members, p observations, ℓ = localCapacity, e bytes a real: p (k + 4) e + 2 n e bytes;
 * 3 p k flops, and n times 2 ℓ k, or for `finite-size` the matrix of order m = min(k, ℓ), its tridiagonal form and 56 sweeps
 * over that: m (m + 1) max(k, ℓ) + 4/3 m³ + 4 m² + 56 · 16 m.
 */
import type { ArraysOf } from '../../compute/backend.ts';
import { defineOperator } from '../../compute/define-operator.ts';
import { LimitError } from '../../errors.ts';
import { createSymmetricEigenSolver } from './eigen.ts';
import { letkfForm, pointInflationFields, pointInflationRules, tooManyLocal } from './parameters.ts';
import type { PointInflationFields, PointInflationParameters } from './parameters.ts';
import { localVisitor, standardise } from './reference.ts';

/** Factors that the whole range is searched at, evenly spread by their logarithm, before the best is refined. */
const SEARCHED = 32;

/** The hyperprior of the finite-size filter. */
interface Hyperprior {
  /** Its ε and c. */
  readonly unknownMean: number;
  readonly logarithm: number;
}

/** @param share tr (I + G)⁻¹/k, of the prior in the analysis */
function hyperprior(k: number, certainty: number, share: number): Hyperprior {
  const unknownMean = (k + 1) / k;
  const logarithm = k / (k - 1);
  const correction = Math.sqrt((unknownMean / logarithm) ** share);
  return { unknownMean: (certainty * unknownMean) / correction, logarithm: certainty * logarithm * correction };
}

/**
 * The factor at which the dual cost is least. Below ε/c it falls, so that no minimum is there; if there are several, the lowest
 * of those that the search sees.
 *
 * @param values eigenvalues g of G
 * @param gains g times the square of d̃ along each eigenvector
 */
function leastCost(
  values: ArrayLike<number>,
  gains: ArrayLike<number>,
  order: number,
  k: number,
  { unknownMean, logarithm }: Hyperprior,
  most: number,
): number {
  const cost = (rho: number): number => {
    let sum = 0;
    for (let c = 0; c < order; c++) sum += (rho * gains[c]) / (1 + rho * values[c]);
    return unknownMean / rho + logarithm * Math.log(rho) - sum / (k - 1);
  };
  /** ρ times its derivative. */
  const slope = (rho: number): number => {
    let sum = 0;
    for (let c = 0; c < order; c++) sum += (rho * gains[c]) / (1 + rho * values[c]) ** 2;
    return logarithm - unknownMean / rho - sum / (k - 1);
  };
  const least = unknownMean / logarithm;
  const ratio = (most / least) ** (1 / (SEARCHED - 1));
  let best = 0;
  for (let i = 1; i < SEARCHED; i++) if (cost(least * ratio ** i) < cost(least * ratio ** best)) best = i;
  let low = least * ratio ** Math.max(0, best - 1);
  let high = least * ratio ** Math.min(SEARCHED - 1, best + 1);
  if (best === SEARCHED - 1 && slope(high) < 0) return high;
  for (let halving = 0; halving < 52; halving++) {
    const middle = Math.sqrt(low * high);
    if (slope(middle) < 0) low = middle;
    else high = middle;
  }
  return Math.sqrt(low * high);
}

function referencePointInflation(
  parameters: PointInflationParameters,
): (arrays: ArraysOf<PointInflationFields>) => void {
  const { nx, ny, members: k, observations: p, localCapacity, estimate, least, most } = parameters;
  const isDual = letkfForm(parameters) === 'dual';
  const observedAnomalies = new Float64Array(p * k);
  const innovations = new Float64Array(p);
  /** Listed observations: their numbers, and √w. */
  const listed: number[] = [];
  const roots: number[] = [];

  function updated(prior: number, deviation: number): number {
    let [size, stated, found] = [0, 0, 0];
    listed.forEach((o, j) => {
      const weight = roots[j] ** 2;
      size += weight;
      found += weight * (innovations[o] ** 2 - 1);
      for (let i = 0; i < k; i++) stated += (weight * observedAnomalies[o * k + i] ** 2) / (k - 1);
    });
    if (!(stated > 0)) return prior;
    const observedVariance = (2 / size) * ((prior * stated + size) / stated) ** 2;
    const gain = deviation ** 2 / (deviation ** 2 + observedVariance);
    return Math.min(most, Math.max(least, prior + gain * (found / stated - prior)));
  }

  const eigen = createSymmetricEigenSolver(isDual ? localCapacity : k);
  const side = new Float64Array(isDual ? localCapacity : k);

  /** √w in the rows of S, and in d̃. */
  const s = (j: number, i: number): number => (roots[j] * observedAnomalies[listed[j] * k + i]) / Math.sqrt(k - 1);
  const innovation = (j: number): number => roots[j] * innovations[listed[j]];

  /** Into the eigenvectors of the solver: G, or Sᵀ S of the members; and `side`: d̃, or Sᵀ d̃. */
  function fill(order: number): void {
    for (let a = 0; a < order; a++) {
      for (let b = 0; b <= a; b++) {
        let sum = 0;
        if (isDual) for (let i = 0; i < k; i++) sum += s(a, i) * s(b, i);
        else for (let j = 0; j < listed.length; j++) sum += s(j, a) * s(j, b);
        eigen.vectors[a * order + b] = sum;
        eigen.vectors[b * order + a] = sum;
      }
      side[a] = isDual ? innovation(a) : 0;
      if (!isDual) for (let j = 0; j < listed.length; j++) side[a] += s(j, a) * innovation(j);
    }
  }

  function finiteSize(certainty: number): number {
    const order = isDual ? listed.length : k;
    fill(order);
    eigen.solve(order);
    const values = eigen.values.map((value) => Math.max(0, value));
    let share = (k - order) / k;
    const gains = new Float64Array(order);
    for (let c = 0; c < order; c++) {
      share += 1 / (k * (1 + values[c]));
      let along = 0;
      for (let a = 0; a < order; a++) along += eigen.vectors[a * order + c] * side[a];
      gains[c] = along ** 2 * (isDual ? values[c] : 1);
    }
    return leastCost(values, gains, order, k, hyperprior(k, certainty, share), most);
  }

  return (arrays) => {
    standardise(parameters, arrays, observedAnomalies, innovations);
    const visitLocal = localVisitor(parameters, arrays);
    for (let cell = 0; cell < nx * ny; cell++) {
      const x = cell % nx;
      const y = (cell - x) / nx;
      listed.length = 0;
      roots.length = 0;
      visitLocal(x, y, (observation, weight) => {
        if (listed.length === localCapacity) throw tooManyLocal(x, y, localCapacity);
        listed.push(observation);
        roots.push(Math.sqrt(weight));
      });
      arrays.factor[cell] =
        estimate.kind === 'innovations'
          ? updated(arrays.factor[cell], estimate.deviation)
          : finiteSize(estimate.certainty);
    }
  };
}

/** Finds a factor for every grid point: `factor` [ny][nx] is read by `innovations`, and written. */
export const pointInflation = defineOperator<PointInflationParameters, PointInflationFields>({
  name: 'point-inflation',
  fields: pointInflationFields,
  parameters: pointInflationRules,
  check({ estimate, least, most }) {
    const [what, number] =
      estimate.kind === 'innovations' ? ['deviation', estimate.deviation] : ['certainty', estimate.certainty];
    if (least <= most && most > 1 && number > 0) return;
    throw new LimitError(
      `point-inflation: least ${least}, most ${most}, ${what} ${number}; allowed: most above 1 and not below least, ${what} above 0`,
    );
  },
  cost(parameters, elementBytes) {
    const { nx, ny, members: k, observations: p, localCapacity: l, estimate } = parameters;
    const m = Math.min(k, l);
    const search = m * (m + 1) * Math.max(k, l) + (4 / 3) * m ** 3 + 4 * m ** 2 + 56 * 16 * m;
    return {
      bytes: (p * (k + 4) + 2 * nx * ny) * elementBytes,
      flops: Math.round(3 * p * k + nx * ny * (estimate.kind === 'innovations' ? 2 * l * k : search)),
    };
  },
  reference: referencePointInflation,
  wasm: async () => (await import('./wasm.ts')).pointInflation,
  webgpu: async () => (await import('./point-inflation-webgpu.ts')).pointInflation,
});
