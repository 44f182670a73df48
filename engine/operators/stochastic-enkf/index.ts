/**
 * The stochastic EnKF around its solve [evensen1994, burgers1998], everything scaled by R^−½ so that A is well conditioned:
 *
 *   A = I + R^−½ (H P Hᵀ) R^−½,   A z_l = R^−½ (y − H(x_l)) + ε_l,   x_l ← x_l + P Hᵀ R^−½ z_l,   ε_l ~ N(0, I).
 *
 * P Hᵀ comes from `gainCovariance` in one or several blocks of observations, A z = b is `choleskySolution`. `inverseErrorStd` is
 * the diagonal of R^−½; where it is 0 the observation has no effect: its row and column of A are those of I, its innovation
 * is 0. Where H already holds R^−½, give ones for it, and 0 for what is absent.
 */
import { count, integerFrom, inRuns, kernelOperator } from '../../compute/define-operator.ts';
import { parameterBlock } from '../../compute/parameter-block.ts';

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

/** R^−½ (y − H(x_l)) + ε_l; exactly 0 where the observation is absent, whatever the other values there. */
export const perturbedInnovation = kernelOperator({
  name: 'perturbed-innovation',
  block: parameterBlock('PerturbedInnovation', {
    members: 'count',
    observations: 'count',
    /** y, [observations]. */
    values: 'read real',
    /** H(x_l), [members][observations]. */
    observed: 'read real',
    /** [observations] */
    inverseErrorStd: 'read real',
    /** ε, [members][observations], of unit variance. */
    perturbations: 'read real',
    /** [members][observations]: the right-hand sides of `choleskySolution`. */
    scaled: 'write real',
  }),
  cost: ({ members, observations }, elementBytes) => ({
    bytes: elementBytes * (3 * members + 2) * observations,
    flops: 3 * members * observations,
  }),
  reference:
    ({ members, observations }) =>
    ({ values, observed, inverseErrorStd, perturbations, scaled }) => {
      for (let l = 0; l < members; l++) {
        for (let j = 0; j < observations; j++) {
          const at = l * observations + j;
          const r = inverseErrorStd[j];
          scaled[at] = r === 0 ? 0 : r * (values[j] - observed[at]) + perturbations[at];
        }
      }
    },
  wasm: ({ members }) => ({ kernel: 'perturbedInnovation', parts: members }),
  webgpu: {
    code: () => [import('./stochastic-enkf.wgsl?raw')],
    parts: ['perturbed-innovation'],
    items: ({ observations }) => observations,
    layers: ({ members }) => members,
  },
});

/** Rows of A = I + R^−½ (H P_HT) R^−½ that belong to a block of observations. */
export const observedCovariance = kernelOperator({
  name: 'observed-covariance',
  block: parameterBlock('ObservedCovariance', {
    length: 'count',
    observations: 'count',
    firstObservation: 'u32',
    /** [blockObservations][length]: `output` of `gainCovariance` for this block. */
    covariance: 'read real',
    /** H in compressed rows, all p of them. */
    indptr: 'read index',
    indices: 'read index',
    data: 'read real',
    /** [p] */
    inverseErrorStd: 'read real',
    /** A, [p][p]: this run writes the rows `firstObservation` … of the block. */
    matrix: 'write real',
  }),
  parameters: { blockObservations: count, nonzeros: integerFrom(0) },
  cost: ({ observations, blockObservations, nonzeros }: GainBlock & { readonly nonzeros: number }, elementBytes) => ({
    bytes: blockObservations * (nonzeros * (4 + 2 * elementBytes) + observations * (4 + 2 * elementBytes)),
    flops: blockObservations * (2 * nonzeros + 3 * observations),
  }),
  reference:
    ({ length, observations, firstObservation, blockObservations }) =>
    ({ covariance, indptr, indices, data, inverseErrorStd: r, matrix }) => {
      for (let column = 0; column < blockObservations; column++) {
        const b = firstObservation + column;
        for (let a = 0; a < observations; a++) {
          let seen = 0;
          for (let k = indptr[a]; k < indptr[a + 1]; k++) seen += data[k] * covariance[column * length + indices[k]];
          const scale = r[a] * r[b];
          matrix[b * observations + a] = (a === b ? 1 : 0) + (scale === 0 ? 0 : scale * seen);
        }
      }
    },
  wasm: ({ blockObservations }) => ({ kernel: 'observedCovariance', parts: blockObservations }),
  webgpu: {
    code: () => [import('./stochastic-enkf.wgsl?raw')],
    parts: ['observed-covariance'],
    items: ({ observations }) => observations,
    layers: ({ blockObservations }) => blockObservations,
  },
});

/** Elements of a part, a multiple of eight, and bytes of a gain that it lists. */
const SEGMENT = 512;
const GAIN_BYTES = 48;
/** Members and elements of a tile on a GPU, which has four invocations for each of them. */
const TILE = 64;

/** x_l ← x_l + Σ_j P_HT[·, j] r_j^−½ z_l[j] over a block of observations; blocks add up over several runs. */
export const gainIncrement = kernelOperator({
  name: 'gain-increment',
  block: parameterBlock('GainIncrement', {
    length: 'count',
    members: 'count',
    observations: 'count',
    firstObservation: 'u32',
    blockObservations: 'count',
    segment: 'part',
    /** [blockObservations][length]: `output` of `gainCovariance` for this block. */
    covariance: 'read real',
    /** [p] */
    inverseErrorStd: 'read real',
    /** z, [members][p]: `solution` of `choleskySolution`. */
    weights: 'read real',
    /** [members][length], changed in place. */
    ensemble: 'write real',
  }),
  cost: ({ members, length, blockObservations }, elementBytes) => ({
    bytes:
      elementBytes * (blockObservations * (Math.ceil(members / TILE) * length + members + 1) + 2 * members * length),
    flops: 2 * members * length * blockObservations,
  }),
  reference:
    ({ members, length, observations, firstObservation, blockObservations }) =>
    ({ covariance, inverseErrorStd, weights, ensemble }) => {
      for (let column = 0; column < blockObservations; column++) {
        const j = firstObservation + column;
        const r = inverseErrorStd[j];
        if (r === 0) continue;
        for (let i = 0; i < length; i++) {
          const gain = r * covariance[column * length + i];
          // The taper leaves most of the state out of an observation's reach.
          if (gain === 0) continue;
          for (let l = 0; l < members; l++) ensemble[l * length + i] += gain * weights[l * observations + j];
        }
      }
    },
  wasm: ({ length, blockObservations }) => ({
    kernel: 'gainIncrement',
    ...inRuns(length, SEGMENT),
    scratchBytes: GAIN_BYTES * blockObservations,
  }),
  webgpu: {
    code: () => [import('../../compute/webgpu/library/tile-product.wgsl?raw'), import('./stochastic-enkf.wgsl?raw')],
    parts: ['gain-increment'],
    items: ({ length }) => 4 * length,
    layers: ({ members }) => Math.ceil(members / TILE),
  },
});

export interface ErrorCorrelationParameters {
  /** p. */
  readonly observations: number;
  /** Entries of C at most: enters the cost alone. */
  readonly nonzeros: number;
}

/** Invocations of a row on a GPU, as in stochastic-enkf.wgsl. */
const LANES = 32;

/**
 * Correlated observation errors, in the system of the stochastic EnKF: with R = D C D, D the standard deviations and C the
 * correlations,
 *
 *   A ← A + (C − I),   A = I + D⁻¹ H P Hᵀ D⁻¹ before,
 *
 * in both triangles, between observations that are used: those that are absent keep their row of the identity.
 *
 * Cost: an entry reads its column, its value and the column's deviation, and changes two elements of the matrix.
 */
export const errorCorrelation = kernelOperator({
  name: 'error-correlation',
  /** C is given below its diagonal in compressed rows, columns below their row; an entry on the diagonal is passed over. */
  block: parameterBlock('ErrorCorrelation', {
    observations: 'count',
    /** [p + 1] */
    indptr: 'read index',
    /** [nonzeros] */
    indices: 'read index',
    correlation: 'read real',
    /** [p] */
    inverseErrorStd: 'read real',
    /** [p][p], changed in place. */
    matrix: 'write real',
  }),
  parameters: { nonzeros: count },
  cost: ({ nonzeros }: ErrorCorrelationParameters, elementBytes) => ({
    bytes: nonzeros * (4 + 6 * elementBytes),
    flops: 2 * nonzeros,
  }),
  reference:
    ({ observations: p }) =>
    ({ indptr, indices, correlation, inverseErrorStd, matrix }) => {
      for (let a = 0; a < p; a++) {
        if (inverseErrorStd[a] === 0) continue;
        for (let k = indptr[a]; k < indptr[a + 1]; k++) {
          const b = indices[k];
          if (b === a || inverseErrorStd[b] === 0) continue;
          matrix[a * p + b] += correlation[k];
          matrix[b * p + a] += correlation[k];
        }
      }
    },
  wasm: ({ observations }) => ({ kernel: 'errorCorrelation', parts: observations }),
  webgpu: {
    code: () => [import('./stochastic-enkf.wgsl?raw')],
    parts: ['error-correlation'],
    items: ({ observations }) => LANES * observations,
  },
});
