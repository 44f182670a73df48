/**
 * Correlated observation errors, in the system of the stochastic EnKF: with R = D C D, D the standard deviations and C the
 * correlations,
 *
 *   A ← A + (C − I),   A = I + D⁻¹ H P Hᵀ D⁻¹ before,
 *
 * in both triangles, between observations that are used: those that are absent keep their row of the identity.
 */
import { count, kernelOperator } from '../../compute/define-operator.ts';
import { parameterBlock } from '../../compute/parameter-block.ts';

export interface ErrorCorrelationParameters {
  /** p. */
  readonly observations: number;
  /** Entries of C at most: enters the cost alone. */
  readonly nonzeros: number;
}

/** Invocations of a row on a GPU, as in error-correlation.wgsl. */
const LANES = 32;

/** Cost: an entry reads its column, its value and the column's deviation, and changes two elements of the matrix. */
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
    code: () => [import('./error-correlation.wgsl?raw')],
    items: ({ observations }) => LANES * observations,
  },
});
