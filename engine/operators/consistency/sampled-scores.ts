/** Scores that need an ensemble's order in each cell: the parts of the CRPS, and errors by bins of spread; of thinned cells. */
import type { ArraysOf, RealArray } from '../../compute/backend.ts';
import { defineOperator } from '../../compute/define-operator.ts';
import { sampledRows } from './parameters.ts';
import type { SampledScoresFields, SampledScoresParameters } from './parameters.ts';

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
