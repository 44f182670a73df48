/** Scores of an ensemble against the truth, as means over the cells. */
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
  /** [variables], written: mean over the cells of (x̄ − t)². */
  readonly meanSquareError: 'real';
  /** [variables], written: mean over the cells of Σ (x_l − x̄)²/(k − 1); 0 for a single member. */
  readonly meanVariance: 'real';
};

/** The mean square error of the ensemble mean and the mean ensemble variance of each variable. Reads the ensemble once. */
export const ensembleScores: Operator<EnsembleShape, EnsembleScoresFields> = {
  name: 'ensemble-scores',
  fields: { ensemble: 'real', truth: 'real', meanSquareError: 'real', meanVariance: 'real' },
  cost: ({ members, variables, cells }, elementBytes) => ({
    bytes: elementBytes * (members + 1) * variables * cells,
    flops: (6 * members + 4) * variables * cells,
  }),
  reference: ensembleScoresReference,
  webgpu: async () => ({ default: (await import('./webgpu-scores.ts')).ensembleScores }),
};

export type CrpsFields = {
  /** [members][variables][cells] */
  readonly ensemble: 'real';
  /** [variables][cells] */
  readonly truth: 'real';
  /** [1], written. */
  readonly score: 'real';
};

/**
 * Mean over the cells of the continuous ranked probability score of the first variable, with the ensemble's empirical
 * distribution function as forecast [hersbach2000]:
 *
 *   CRPS = 1/k Σ_i |x_i − t| − 1/(2k²) Σ_i Σ_j |x_i − x_j|,
 *
 * the mean absolute error for one member. (The "fair" score would divide the second sum by 2k(k − 1); it is not this one.)
 * Every pair once, unsorted: k²/2 differences a cell.
 */
export const crps: Operator<EnsembleShape, CrpsFields> = {
  name: 'crps',
  fields: { ensemble: 'real', truth: 'real', score: 'real' },
  cost: ({ members, cells }, elementBytes) => ({
    bytes: elementBytes * (members + 1) * cells,
    flops: (members ** 2 + 2 * members) * cells,
  }),
  reference: crpsReference,
  webgpu: async () => ({ default: (await import('./webgpu-scores.ts')).crps }),
};
