/** The background's variance at the observations, where its covariance is known at their places. */
import { inRuns, kernelOperator } from '../../compute/kernel-operator.ts';
import { parameterBlock } from '../../compute/parameter-block.ts';

/** Entries of `covariance` for one observation: of its components 0-0, 1-1, 2-2, 0-1, 0-2, 1-2. */
export const COVARIANCE_ENTRIES = 6;

/**
 * σ_b² = Σ_c Σ_c′ s_c s_c′ Q_cc′: s_c is the derivative of the observation by component c of the state, which the four entries
 * of H′ sum to, since the weights of an interpolation sum to 1. Cost: a row and its covariances; 20 flops an observation.
 */
export const tangentVariance = kernelOperator({
  name: 'tangent-variance',
  block: parameterBlock('TangentVariance', {
    observations: 'count',
    /** Observations of a part. */
    segment: 'part',
    /** H′ in compressed rows as `linearisation` makes it: four entries for each component that the observation depends on. */
    indptr: 'read index',
    data: 'read real',
    /** [observations][6]: covariances of the state's components, interpolated to the observation, in the row's order of them. */
    covariance: 'read real',
    /** [observations]: H′ B H′ᵀ's diagonal; 0 for an empty row. */
    variance: 'write real',
  }),
  cost: ({ observations }, elementBytes) => ({
    bytes: observations * (4 + (5 + COVARIANCE_ENTRIES) * elementBytes),
    flops: 20 * observations,
  }),
  reference: ({ observations }) => {
    const slopes = new Float64Array(3);
    return ({ indptr, data, covariance, variance }) => {
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
  },
  wasm: ({ observations }) => ({ kernel: 'varyTangent', ...inRuns(observations, 1024) }),
  webgpu: { code: () => [import('./tangent-variance.wgsl?raw')], items: ({ observations }) => observations },
});
