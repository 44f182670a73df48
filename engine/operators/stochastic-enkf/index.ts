/**
 * The stochastic EnKF around its solve [evensen1994, burgers1998], everything scaled by R^−½ so that A is well conditioned:
 *
 *   A = I + R^−½ (H P Hᵀ) R^−½,   A z_l = R^−½ (y − H(x_l)) + ε_l,   x_l ← x_l + P Hᵀ R^−½ z_l,   ε_l ~ N(0, I).
 *
 * P Hᵀ comes from `gainCovariance` in one or several blocks of observations, A z = b is `choleskySolution`. `inverseErrorStd` is
 * the diagonal of R^−½; where it is 0 the observation has no effect: its row and column of A are those of I, its innovation
 * is 0. Where H already holds R^−½, give ones for it, and 0 for what is absent.
 */
import type { Operator } from '../../compute/backend.ts';
import * as reference from './reference.ts';
import type {
  GainBlock,
  PerturbedInnovationParameters,
  PerturbedInnovationFields,
  ObservedCovarianceFields,
  GainIncrementFields,
} from './parameters.ts';

export type {
  GainBlock,
  GainIncrementFields,
  ObservedCovarianceFields,
  PerturbedInnovationFields,
  PerturbedInnovationParameters,
} from './parameters.ts';

/** R^−½ (y − H(x_l)) + ε_l; exactly 0 where the observation is absent, whatever the other values there. */
export const perturbedInnovation: Operator<PerturbedInnovationParameters, PerturbedInnovationFields> = {
  name: 'perturbed-innovation',
  fields: { values: 'real', observed: 'real', inverseErrorStd: 'real', perturbations: 'real', scaled: 'real' },
  cost: ({ members, observations }, elementBytes) => ({
    bytes: elementBytes * (3 * members + 2) * observations,
    flops: 3 * members * observations,
  }),
  implementations: {
    reference: reference.perturbedInnovation,
    wasm: async () => (await import('./wasm.ts')).perturbedInnovation,
    webgpu: async () => (await import('./webgpu.ts')).perturbedInnovation,
  },
};

/** Rows of A = I + R^−½ (H P_HT) R^−½ that belong to a block of observations. */
export const observedCovariance: Operator<GainBlock & { readonly nonzeros: number }, ObservedCovarianceFields> = {
  name: 'observed-covariance',
  fields: {
    covariance: 'real',
    indptr: 'index',
    indices: 'index',
    data: 'real',
    inverseErrorStd: 'real',
    matrix: 'real',
  },
  cost: ({ observations, blockObservations, nonzeros }, elementBytes) => ({
    bytes: blockObservations * (nonzeros * (4 + 2 * elementBytes) + observations * (4 + 2 * elementBytes)),
    flops: blockObservations * (2 * nonzeros + 3 * observations),
  }),
  implementations: {
    reference: reference.observedCovariance,
    wasm: async () => (await import('./wasm.ts')).observedCovariance,
    webgpu: async () => (await import('./webgpu.ts')).observedCovariance,
  },
};

/** x_l ← x_l + Σ_j P_HT[·, j] r_j^−½ z_l[j] over a block of observations; blocks add up over several runs. */
export const gainIncrement: Operator<GainBlock & { readonly members: number }, GainIncrementFields> = {
  name: 'gain-increment',
  fields: { covariance: 'real', inverseErrorStd: 'real', weights: 'real', ensemble: 'real' },
  cost: ({ members, length, blockObservations }, elementBytes) => ({
    bytes: elementBytes * (blockObservations * (Math.ceil(members / 64) * length + members + 1) + 2 * members * length),
    flops: 2 * members * length * blockObservations,
  }),
  implementations: {
    reference: reference.gainIncrement,
    wasm: async () => (await import('./wasm.ts')).gainIncrement,
    webgpu: async () => (await import('./webgpu.ts')).gainIncrement,
  },
};
