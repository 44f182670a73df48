/** The background's variance at the observations, where its covariance is known at their places. */
import type { ArraysOf, Operator } from '../../compute/backend.ts';
import { COVARIANCE_ENTRIES } from './parameters.ts';
import type { TangentVarianceFields, TangentVarianceParameters } from './parameters.ts';

/**
 * σ_b² = Σ_c Σ_c′ s_c s_c′ Q_cc′: s_c is the derivative of the observation by component c of the state, which the four entries
 * of H′ sum to, since the weights of an interpolation sum to 1. Cost: a row and its covariances; 20 flops an observation.
 */
export const tangentVariance: Operator<TangentVarianceParameters, TangentVarianceFields> = {
  name: 'tangent-variance',
  fields: { indptr: 'index', data: 'real', covariance: 'real', variance: 'real' },
  cost: ({ observations }, elementBytes) => ({
    bytes: observations * (4 + (5 + COVARIANCE_ENTRIES) * elementBytes),
    flops: 20 * observations,
  }),
  implementations: {
    reference: tangentVarianceReference,
    wasm: async () => (await import('./wasm.ts')).tangentVariance,
    webgpu: async () => (await import('./webgpu.ts')).tangentVariance,
  },
};

function tangentVarianceReference({ observations }: TangentVarianceParameters) {
  const slopes = new Float64Array(3);
  return ({ indptr, data, covariance, variance }: ArraysOf<TangentVarianceFields>): void => {
    for (let j = 0; j < observations; j++) {
      slopes.fill(0);
      for (let entry = indptr[j]; entry < indptr[j + 1]; entry++) slopes[(entry - indptr[j]) >> 2] += data[entry];
      const [a, b, c] = slopes;
      const q = COVARIANCE_ENTRIES * j;
      variance[j] =
        a * a * covariance[q] +
        b * b * covariance[q + 1] +
        c * c * covariance[q + 2] +
        2 * (a * b * covariance[q + 3] + a * c * covariance[q + 4] + b * c * covariance[q + 5]);
    }
  };
}
