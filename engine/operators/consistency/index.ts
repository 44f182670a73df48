/**
 * What shows whether the errors that a method states agree with its errors, and what its analyses do to the water; reduced
 * on the device to a few numbers of each cycle.
 *
 * - `departureProducts`: innovations and residuals against the stated errors of background and observations.
 * - `sampledScores`: parts of the CRPS, and errors by bins of spread, of thinned cells.
 * - `bandSpectra`: errors, increment and spread by octaves of the wavenumber.
 * - `waterBudgets`: mass, energy, potential enstrophy and imbalance of truth, forecast and analysis.
 *
 * Sums are in a fixed order: the same data give the same bits.
 */
import type { ArraysOf, RealArray } from '../../compute/backend.ts';
import { defineOperator } from '../../compute/define-operator.ts';
import { sampledRows } from './parameters.ts';
import type {
  DepartureProductsFields,
  DepartureProductsParameters,
  SampledScoresFields,
  SampledScoresParameters,
} from './parameters.ts';

export { bandSpectra } from './band-spectra.ts';
export { sampledRows, SPECTRA, WATER_BUDGET } from './parameters.ts';
export { spectralOctaves, spectralPlan } from './spectral-plan.ts';
export { waterBudgets } from './water-budgets.ts';

/**
 * By scored variable, sums over the sampled cells of w times what follows, divided by the number of sampled cells; w is a cell's
 * weight, x₁ ≤ … ≤ x_k are its members and t is its truth.
 *
 * - alpha, beta [k + 1]: how far the gap from xᵢ to xᵢ₊₁ lies below and above the truth. Gap 0 ends at x₁ and gap k begins at x_k:
 *   they have a length where the truth lies in them. [hersbach2000]
 * - below, above: 1 where the truth is below x₁, above x_k.
 * - uncertainty: half the mean over the sampled cells of w |t − t′|.
 * - weight: 1.
 * - share, variance, squared error [bins]: 1, the variance of the members (divided by k − 1) and (x̄ − t)², in the bin of the
 *   cell's standard deviation over the root of `meanVariance`.
 *
 * Cost: k² comparisons a sampled cell; the reference sorts.
 */
export const sampledScores = defineOperator<SampledScoresParameters, SampledScoresFields>({
  name: 'sampled-scores',
  fields: { ensemble: 'real', truth: 'real', weight: 'real', meanVariance: 'real', scores: 'real' },
  cost: ({ members, nx, ny, strideX, strideY, scored }, elementBytes) => {
    const cells = Math.ceil(nx / strideX) * Math.ceil(ny / strideY);
    return {
      bytes: elementBytes * (members + 2) * cells * scored.length,
      flops: (2 * members ** 2 + 12 * members + 3 * cells) * cells * scored.length,
    };
  },
  reference: sampledScoresReference,
  wasm: async () => (await import('./wasm.ts')).sampledScores,
  webgpu: async () => (await import('./webgpu.ts')).sampledScores,
});

/** Along an axis of n cells: about a quarter of the cells, or the eighth part of few of them, and at most 32. */
export function sampleStride(n: number): number {
  return Math.max(Math.ceil(n / 32), Math.min(4, Math.max(1, Math.floor(n / 8))));
}

/** Gaps between sorted errors xᵢ − t, and where the truth lies in them. */
function addGaps(errors: Float64Array, weight: number, sums: Float64Array, at: ReturnType<typeof sampledRows>): void {
  const k = errors.length;
  const [first, last] = [errors[0], errors[k - 1]];
  if (first > 0) {
    sums[at.below] += weight;
    sums[at.beta] += weight * first;
  }
  if (last < 0) {
    sums[at.above] += weight;
    sums[at.alpha + k] -= weight * last;
  }
  for (let i = 1; i < k; i++) {
    const truth = Math.min(Math.max(0, errors[i - 1]), errors[i]);
    sums[at.alpha + i] += weight * (truth - errors[i - 1]);
    sums[at.beta + i] += weight * (errors[i] - truth);
  }
}

/** @returns mean and variance of the errors */
function momentsOf(errors: Float64Array): readonly [number, number] {
  const mean = errors.reduce((sum, error) => sum + error, 0) / errors.length;
  return [mean, errors.reduce((sum, error) => sum + (error - mean) ** 2, 0) / (errors.length - 1)];
}

/** ½ Σ w′ |t − t′| over the sampled cells. */
function distancesTo(truth: RealArray, weight: RealArray, cells: readonly number[], plane: number, t: number): number {
  return cells.reduce((sum, cell) => sum + weight[cell] * Math.abs(truth[plane + cell] - t), 0) / 2;
}

function sampledScoresReference(parameters: SampledScoresParameters) {
  const { members, variables, nx, ny, strideX, strideY, scored, edges } = parameters;
  const at = sampledRows(parameters);
  const state = variables * nx * ny;
  const sampled: number[] = [];
  for (let y = 0; y < ny; y += strideY) for (let x = 0; x < nx; x += strideX) sampled.push(y * nx + x);
  const errors = new Float64Array(members);
  return ({ ensemble, truth, weight, meanVariance, scores }: ArraysOf<SampledScoresFields>): void => {
    scored.forEach((variable, row) => {
      const plane = variable * nx * ny;
      const sums = new Float64Array(at.rows);
      for (const cell of sampled) {
        const w = weight[cell];
        if (w === 0) continue;
        const t = truth[plane + cell];
        for (let l = 0; l < members; l++) errors[l] = ensemble[l * state + plane + cell] - t;
        addGaps(errors.sort(), w, sums, at);
        const [mean, variance] = momentsOf(errors);
        const bin = edges.filter((edge) => variance >= edge ** 2 * meanVariance[variable]).length;
        sums[at.uncertainty] += (w * distancesTo(truth, weight, sampled, plane, t)) / sampled.length;
        sums[at.weight] += w;
        sums[at.share + bin] += w;
        sums[at.variance + bin] += w * variance;
        sums[at.squaredError + bin] += w * mean ** 2;
      }
      scores.set(
        sums.map((sum) => sum / sampled.length),
        row * at.rows,
      );
    });
  };
}

/** Numbers of a group. */
export const DEPARTURE_PRODUCTS = 7;

/**
 * By group, over its used observations: their count, and with r = 1/σₒ the means of r²d_b², r²d_a d_b, r²(d_b − d_a)d_b,
 * r²(d_b − d_a)d_a, r²σ_b² and r²σ_a²; all 0 if none is used.
 */
export const departureProducts = defineOperator<DepartureProductsParameters, DepartureProductsFields>({
  name: 'departure-products',
  fields: {
    group: 'index',
    innovation: 'real',
    residual: 'real',
    inverseErrorStd: 'real',
    backgroundVariance: 'real',
    analysisVariance: 'real',
    products: 'real',
  },
  cost: ({ observations }, elementBytes) => ({
    bytes: (5 * elementBytes + 4) * observations,
    flops: 19 * observations,
  }),
  reference: departureProductsReference,
  wasm: async () => (await import('./wasm.ts')).departureProducts,
  webgpu: async () => (await import('./webgpu.ts')).departureProducts,
});

/** The products of a group by name. @param products of the field, [groups][DEPARTURE_PRODUCTS] */
export function readDepartureProducts(products: ArrayLike<number>, group: number) {
  const at = (index: number): number => products[group * DEPARTURE_PRODUCTS + index];
  return {
    count: at(0),
    innovation: at(1),
    residual: at(2),
    increment: at(3),
    incrementResidual: at(4),
    backgroundVariance: at(5),
    analysisVariance: at(6),
  };
}

function departureProductsReference({ observations, groups }: DepartureProductsParameters) {
  return (arrays: ArraysOf<DepartureProductsFields>): void => {
    const { group, innovation, residual, inverseErrorStd, backgroundVariance, analysisVariance, products } = arrays;
    for (let g = 0; g < groups; g++) {
      const sums = new Float64Array(DEPARTURE_PRODUCTS);
      for (let j = 0; j < observations; j++) {
        const r = inverseErrorStd[j];
        if (group[j] !== g || !(r > 0)) continue;
        const [db, da] = [r * innovation[j], r * residual[j]];
        sums[0] += 1;
        sums[1] += db * db;
        sums[2] += da * db;
        sums[3] += (db - da) * db;
        sums[4] += (db - da) * da;
        sums[5] += r * r * backgroundVariance[j];
        sums[6] += r * r * analysisVariance[j];
      }
      for (let i = 1; i < DEPARTURE_PRODUCTS; i++) sums[i] /= Math.max(1, sums[0]);
      products.set(sums, g * DEPARTURE_PRODUCTS);
    }
  };
}
