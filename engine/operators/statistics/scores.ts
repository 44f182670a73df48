/** Scores of an ensemble against the truth, as weighted means over the cells. */
import type { Operator } from '../../compute/backend.ts';
import { crpsReference, ensembleScoresReference } from './scores-reference.ts';

export interface EnsembleShape {
  /** k, from 1 on. */
  readonly members: number;
  /** V */
  readonly variables: number;
  readonly cells: number;
}

export type EnsembleScoresFields = {
  /** [members][variables][cells] */
  readonly ensemble: 'real';
  /** [variables][cells] */
  readonly truth: 'real';
  /** [cells], of each cell in the means: 1 throughout, or what `wetCells` gives. */
  readonly weight: 'real';
  /** [variables], written: mean over the cells of (x̄ − t)². */
  readonly meanSquareError: 'real';
  /** [variables], written: mean over the cells of Σ (x_l − x̄)²/(k − 1); 0 for a single member. */
  readonly meanVariance: 'real';
};

/** The mean square error of the ensemble mean and the mean ensemble variance of each variable. Reads the ensemble once. */
export const ensembleScores: Operator<EnsembleShape, EnsembleScoresFields> = {
  name: 'ensemble-scores',
  fields: { ensemble: 'real', truth: 'real', weight: 'real', meanSquareError: 'real', meanVariance: 'real' },
  cost: ({ members, variables, cells }, elementBytes) => ({
    bytes: elementBytes * ((members + 1) * variables + 1) * cells,
    flops: (6 * members + 6) * variables * cells,
  }),
  reference: ensembleScoresReference,
  webgpu: async () => ({ default: (await import('./webgpu-scores.ts')).ensembleScores }),
};

export interface CrpsParameters extends EnsembleShape {
  /** Indices of the variables that are scored, S of them. */
  readonly scored: readonly number[];
}

export type CrpsFields = {
  /** [members][variables][cells] */
  readonly ensemble: 'real';
  /** [variables][cells] */
  readonly truth: 'real';
  /** [cells], of each cell in the means. */
  readonly weight: 'real';
  /** [2][S], written: the score of each scored variable, then its fair score. */
  readonly score: 'real';
};

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
export const crps: Operator<CrpsParameters, CrpsFields> = {
  name: 'crps',
  fields: { ensemble: 'real', truth: 'real', weight: 'real', score: 'real' },
  cost: ({ members, cells, scored }, elementBytes) => ({
    bytes: elementBytes * ((members + 1) * scored.length + 1) * cells,
    flops: (members ** 2 + 2 * members) * cells * scored.length,
  }),
  reference: crpsReference,
  webgpu: async () => ({ default: (await import('./webgpu-scores.ts')).crps }),
};
