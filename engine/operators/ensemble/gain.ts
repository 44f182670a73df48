/**
 * The stochastic EnKF around its solve [evensen1994, burgers1998], everything scaled by R^−½ so that A is well conditioned:
 *
 *   A = I + R^−½ (H P Hᵀ) R^−½,   A z_l = R^−½ (y − H(x_l)) + ε_l,   x_l ← x_l + P Hᵀ R^−½ z_l,   ε_l ~ N(0, I).
 *
 * P Hᵀ comes from `gainCovariance` in one or several blocks of observations, A z = b is `choleskySolve`. `inverseDeviation` is
 * the diagonal of R^−½; where it is 0 the observation has no effect: its row and column of A are those of I, its innovation
 * is 0. Where H already holds R^−½, give ones for it, and 0 for what is absent.
 */
import type { Operator } from '../../compute/backend.ts';
import * as reference from './gain-reference.ts';

/** Sizes of a block of columns of P_HT. */
export interface GainBlock {
  /** n: elements of the state. */
  readonly length: number;
  /** p: all observations. */
  readonly observations: number;
  /** The block's first observation, and how many it has. */
  readonly firstObservation: number;
  readonly blockObservations: number;
}

export interface PerturbedInnovationParameters {
  readonly members: number;
  readonly observations: number;
}

export type PerturbedInnovationFields = {
  /** y, [observations]. */
  readonly values: 'real';
  /** H(x_l), [members][observations]. */
  readonly observed: 'real';
  readonly inverseDeviation: 'real';
  /** ε, [members][observations], of unit variance. */
  readonly perturbations: 'real';
  /** [members][observations], written: the right-hand sides of `choleskySolve`. */
  readonly scaled: 'real';
};

/** R^−½ (y − H(x_l)) + ε_l; exactly 0 where the observation is absent, whatever the other values there. */
export const perturbedInnovation: Operator<PerturbedInnovationParameters, PerturbedInnovationFields> = {
  name: 'perturbed-innovation',
  fields: { values: 'real', observed: 'real', inverseDeviation: 'real', perturbations: 'real', scaled: 'real' },
  cost: ({ members, observations }, elementBytes) => ({
    bytes: elementBytes * (3 * members + 2) * observations,
    flops: 3 * members * observations,
  }),
  reference: reference.perturbedInnovation,
  webgpu: async () => ({ default: (await import('./webgpu-elementwise.ts')).perturbedInnovation }),
};

export type ObservedCovarianceFields = {
  /** [blockObservations][length]: `output` of `gainCovariance` for this block. */
  readonly covariance: 'real';
  /** H in compressed rows, all p of them. */
  readonly indptr: 'index';
  readonly indices: 'index';
  readonly data: 'real';
  /** [p] */
  readonly inverseDeviation: 'real';
  /** A, [p][p]: this run writes the rows `firstObservation` … of the block. */
  readonly matrix: 'real';
};

/** Rows of A = I + R^−½ (H P_HT) R^−½ that belong to a block of observations. */
export const observedCovariance: Operator<GainBlock & { readonly nonzeros: number }, ObservedCovarianceFields> = {
  name: 'observed-covariance',
  fields: {
    covariance: 'real',
    indptr: 'index',
    indices: 'index',
    data: 'real',
    inverseDeviation: 'real',
    matrix: 'real',
  },
  cost: ({ observations, blockObservations, nonzeros }, elementBytes) => ({
    bytes: blockObservations * (nonzeros * (4 + 2 * elementBytes) + observations * (4 + 2 * elementBytes)),
    flops: blockObservations * (2 * nonzeros + 3 * observations),
  }),
  reference: reference.observedCovariance,
  webgpu: async () => ({ default: (await import('./webgpu-products.ts')).observedCovariance }),
};

export type GainIncrementFields = {
  /** [blockObservations][length]: `output` of `gainCovariance` for this block. */
  readonly covariance: 'real';
  /** [p] */
  readonly inverseDeviation: 'real';
  /** z, [members][p]: `solution` of `choleskySolve`. */
  readonly weights: 'real';
  /** [members][length], changed in place. */
  readonly ensemble: 'real';
};

/** x_l ← x_l + Σ_j P_HT[·, j] r_j^−½ z_l[j] over a block of observations; blocks add up over several runs. */
export const gainIncrement: Operator<GainBlock & { readonly members: number }, GainIncrementFields> = {
  name: 'gain-increment',
  fields: { covariance: 'real', inverseDeviation: 'real', weights: 'real', ensemble: 'real' },
  cost: ({ members, length, blockObservations }, elementBytes) => ({
    bytes: elementBytes * (blockObservations * (Math.ceil(members / 64) * length + members + 1) + 2 * members * length),
    flops: 2 * members * length * blockObservations,
  }),
  reference: reference.gainIncrement,
  webgpu: async () => ({ default: (await import('./webgpu-products.ts')).gainIncrement }),
};
