/** What is observed of the truth, departures of observations from the state, and which of them to believe. */
import { inRuns, kernelOperator } from '../../compute/define-operator.ts';
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
  webgpu: {
    code: () => [import('./observation.wgsl?raw')],
    parts: ['tangent-variance'],
    items: ({ observations }) => observations,
  },
});

/** Observations of a part, many of which are next to no work. */
const SEGMENT = 16_384;

/**
 * What instruments report of a truth: `values` = `observed` + `term` · `normal`, H(x) and an error of standard deviation `term`, or
 * `term` alone where `isGiven` is not 0, since the value is known already. All arrays are `[observations]`.
 * Cost: 5 arrays, 2 flops an observation.
 */
export const measurement = kernelOperator({
  name: 'measurement',
  block: parameterBlock('Measurement', {
    observations: 'count',
    segment: 'part',
    observed: 'read real',
    normal: 'read real',
    term: 'read real',
    isGiven: 'read index',
    values: 'write real',
  }),
  cost: ({ observations }, elementBytes) => ({ bytes: observations * (4 * elementBytes + 4), flops: 2 * observations }),
  reference:
    ({ observations }) =>
    ({ observed, normal, term, isGiven, values }) => {
      for (let j = 0; j < observations; j++) values[j] = isGiven[j] === 0 ? observed[j] + term[j] * normal[j] : term[j];
    },
  wasm: ({ observations }) => ({ kernel: 'measure', ...inRuns(observations, SEGMENT) }),
  webgpu: {
    code: () => [import('./observation.wgsl?raw')],
    parts: ['measurement'],
    items: ({ observations }) => observations,
  },
});

/**
 * d = y − H(x̄) in `innovation` and R^−½d in `scaled`, all `[observations]`. Where `inverseErrorStd` is 0 both are exactly 0,
 * whatever the value.
 * Cost: 5 arrays, 2 flops an observation.
 */
export const innovation = kernelOperator({
  name: 'innovation',
  block: parameterBlock('Innovation', {
    observations: 'count',
    segment: 'part',
    values: 'read real',
    observed: 'read real',
    inverseErrorStd: 'read real',
    innovation: 'write real',
    scaled: 'write real',
  }),
  cost: ({ observations }, elementBytes) => ({ bytes: 5 * observations * elementBytes, flops: 2 * observations }),
  reference:
    ({ observations }) =>
    ({ values, observed, inverseErrorStd, innovation, scaled }) => {
      for (let j = 0; j < observations; j++) {
        innovation[j] = inverseErrorStd[j] === 0 ? 0 : values[j] - observed[j];
        scaled[j] = inverseErrorStd[j] * innovation[j];
      }
    },
  wasm: ({ observations }) => ({ kernel: 'depart', ...inRuns(observations, SEGMENT) }),
  webgpu: {
    code: () => [import('./observation.wgsl?raw')],
    parts: ['innovation'],
    items: ({ observations }) => observations,
  },
});

/**
 * The innovation d = y − H(x̄) and R^−½d as `innovation` gives them, of the observations that are believed: one is rejected if its
 * innovation is beyond what the statistics allow. `effective` is 0 where |d| > n·√(σₒ² + σ_b²), and `inverseErrorStd` elsewhere.
 * Written r|d| > n·√(1 + r²σ_b²) with r = 1/σₒ, so that r = 0 stays 0. `variance` is σ_b², the background's variance at the
 * observations; `threshold` is n, of which 0 keeps all. All arrays are `[observations]`.
 *
 * An observation is taken for no sharper than r·max(σ_b, |d|) = `sharpest`: beyond that the analysis would be the same to
 * 1/sharpest², but in the backend's precision I + Y R⁻¹ Yᵀ could not be distinguished from a singular matrix, and what no member can
 * explain of an innovation would not cancel any more.
 * Cost: 8 arrays, 10 flops an observation.
 */
export const believedInnovation = kernelOperator({
  name: 'believed-innovation',
  block: parameterBlock('BelievedInnovation', {
    observations: 'count',
    /** r·max(σ_b, |d|) at most. */
    sharpest: 'f32',
    segment: 'part',
    values: 'read real',
    observed: 'read real',
    inverseErrorStd: 'read real',
    variance: 'read real',
    threshold: 'read real',
    effective: 'write real',
    innovation: 'write real',
    scaled: 'write real',
  }),
  cost: ({ observations }, elementBytes) => ({ bytes: 8 * observations * elementBytes, flops: 10 * observations }),
  reference:
    ({ observations, sharpest }) =>
    ({ values, observed, inverseErrorStd, variance, threshold, effective, innovation, scaled }) => {
      for (let j = 0; j < observations; j++) {
        const r = inverseErrorStd[j];
        const n = threshold[j];
        const d = r === 0 ? 0 : values[j] - observed[j];
        const believed = n === 0 || r * Math.abs(d) <= n * Math.sqrt(1 + r * r * variance[j]);
        const scale = Math.max(Math.sqrt(variance[j]), Math.abs(d));
        const taken = r * scale > sharpest ? sharpest / scale : r;
        effective[j] = believed ? taken : 0;
        innovation[j] = effective[j] === 0 ? 0 : d;
        scaled[j] = effective[j] * innovation[j];
      }
    },
  wasm: ({ observations }) => ({ kernel: 'departIfBelieved', ...inRuns(observations, SEGMENT) }),
  webgpu: {
    code: () => [import('./observation.wgsl?raw')],
    parts: ['believed-innovation'],
    items: ({ observations }) => observations,
  },
});
