/** Scores of an ensemble against the truth, as weighted means over the cells. */
import { defineOperator } from '../../compute/define-operator.ts';
import { crpsReference, ensembleScoresReference } from './scores-reference.ts';
import type { EnsembleShape, EnsembleScoresFields, CrpsParameters, CrpsFields } from './parameters.ts';

/** The mean square error of the ensemble mean and the mean ensemble variance of each variable. Reads the ensemble once. */
export const ensembleScores = defineOperator<EnsembleShape, EnsembleScoresFields>({
  name: 'ensemble-scores',
  fields: {
    ensemble: 'real',
    truth: 'real',
    weight: 'real',
    meanSquareError: 'real',
    meanError: 'real',
    patternSquareError: 'real',
    meanVariance: 'real',
  },
  cost: ({ members, variables, cells }, elementBytes) => ({
    bytes: elementBytes * ((members + 1) * variables + 1) * cells,
    flops: (6 * members + 6) * variables * cells,
  }),
  reference: ensembleScoresReference,
  wasm: async () => (await import('./wasm.ts')).ensembleScores,
  webgpu: async () => (await import('./webgpu.ts')).ensembleScores,
});

/**
 * Mean over the cells of the continuous ranked probability score, with the ensemble's empirical distribution function as
 * forecast [hersbach2000]:
 *
 *   CRPS = 1/k Σ_i |x_i − t| − 1/(2k²) Σ_i Σ_j |x_i − x_j|,
 *
 * the mean absolute error for one member; and of its fair form [ferro2014], the second sum divided by 2k(k − 1), whose
 * expectation does not depend on the number of members (for one member it is taken as the same mean absolute error).
 * Cost: stated for every pair once, unsorted; the reference sorts.
 */
export const crps = defineOperator<CrpsParameters, CrpsFields>({
  name: 'crps',
  fields: { ensemble: 'real', truth: 'real', weight: 'real', score: 'real' },
  cost: ({ members, cells, scored }, elementBytes) => ({
    bytes: elementBytes * ((members + 1) * scored.length + 1) * cells,
    flops: (members ** 2 + 2 * members) * cells * scored.length,
  }),
  reference: crpsReference,
  wasm: async () => (await import('./wasm.ts')).crps,
  webgpu: async () => (await import('./webgpu.ts')).crps,
});
