/** The background's variance at the observations, where its covariance is known at their places. */
import type { ArraysOf, Operator } from '../../compute/backend.ts';

/** Entries of `covariance` for one observation: of its components 0-0, 1-1, 2-2, 0-1, 0-2, 1-2. */
export const COVARIANCE_ENTRIES = 6;

export type TangentVarianceFields = {
  /** H′ in compressed rows as `linearise` makes it: four entries for each component that the observation depends on. */
  readonly indptr: 'index';
  readonly data: 'real';
  /** [observations][6]: covariances of the state's components, interpolated to the observation, in the row's order of them. */
  readonly covariance: 'real';
  /** [observations], written: H′ B H′ᵀ's diagonal; 0 for an empty row. */
  readonly variance: 'real';
};

/**
 * σ_b² = Σ_c Σ_c′ s_c s_c′ Q_cc′: s_c is the derivative of the observation by component c of the state, which the four entries
 * of H′ sum to, since the weights of an interpolation sum to 1. Cost: a row and its covariances; 20 flops an observation.
 */
export const tangentVariance: Operator<{ readonly observations: number }, TangentVarianceFields> = {
  name: 'tangent-variance',
  fields: { indptr: 'index', data: 'real', covariance: 'real', variance: 'real' },
  cost: ({ observations }, elementBytes) => ({
    bytes: observations * (4 + (5 + COVARIANCE_ENTRIES) * elementBytes),
    flops: 20 * observations,
  }),
  reference: tangentVarianceReference,
  webgpu: async () => ({ default: (await import('./webgpu.ts')).tangentVariance }),
};

function tangentVarianceReference({ observations }: { readonly observations: number }) {
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
