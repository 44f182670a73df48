/**
 * Ensembles as wholes: [members][length] arrays, members outermost, whatever a member's `length` elements are (a state, or
 * the observations seen from it).
 *
 * - `ensembleMean`, `ensembleVariance`, `anomalies`: moments.
 * - `recentring`, `inflation`, `inflationBy`, `perturbation`, `relaxation`: ensembles from mean, anomalies, noise, and the background's spread.
 * - `ensembleTransform`: products with a members × members matrix, such as `meanPreservingRotation` makes.
 *
 * All arrange sums around the first member or the mean, so that float32 keeps the digits of small differences.
 */
import type { RealArray } from '../../compute/backend.ts';
import { oneOf, inRuns, kernelOperator } from '../../compute/define-operator.ts';
import { parameterBlock } from '../../compute/parameter-block.ts';
import { meanAt, varianceAt, ENSEMBLE, segmentOf, type EnsembleSize, type ScaledParameters } from './moments.ts';

export { anomalies, ensembleMean, ensembleVariance } from './moments.ts';

/**
 * A random orthogonal k × k matrix U with U·1 = 1 and Uᵀ·1 = 1, uniformly distributed among them: in a basis whose first
 * vector is 1/√k it is 1 beside the orthogonal factor Q of a (k − 1) × (k − 1) Gaussian matrix (with R's diagonal positive).
 *
 * @param gaussians at least (k − 1)² independent standard normal numbers
 * @returns [k][k]
 * @throws RangeError when there are too few
 */
export function meanPreservingRotation(k: number, gaussians: ArrayLike<number>): Float64Array {
  const inner = k - 1;
  if (gaussians.length < inner * inner) {
    throw new RangeError(`${gaussians.length} gaussians given, a rotation of ${k} members needs ${inner * inner}`);
  }
  const rotation = new Float64Array(k * k);
  rotation[0] = 1;
  const q = orthonormalRows(inner, gaussians);
  for (let i = 0; i < inner; i++) rotation.set(q.subarray(i * inner, (i + 1) * inner), (i + 1) * k + 1);
  if (k > 1) {
    // The reflection that takes (1, 0, …, 0) to 1/√k · (1, …, 1), from both sides.
    const v = new Float64Array(k).fill(-1 / Math.sqrt(k));
    v[0] += 1;
    reflect(rotation, v, k, k, 1);
    reflect(rotation, v, k, 1, k);
  }
  return rotation;
}

/** Gram–Schmidt, twice for orthogonality to rounding; rows of a Gaussian matrix are independent with probability 1. */
function orthonormalRows(size: number, values: ArrayLike<number>): Float64Array {
  const rows = Float64Array.from({ length: size * size }, (_, at) => values[at]);
  for (let i = 0; i < size; i++) {
    const row = rows.subarray(i * size, (i + 1) * size);
    for (let pass = 0; pass < 2; pass++) {
      for (let j = 0; j < i; j++) {
        const earlier = rows.subarray(j * size, (j + 1) * size);
        let projection = 0;
        for (let c = 0; c < size; c++) projection += row[c] * earlier[c];
        for (let c = 0; c < size; c++) row[c] -= projection * earlier[c];
      }
      const norm = Math.hypot(...row);
      for (let c = 0; c < size; c++) row[c] /= norm;
    }
  }
  return rows;
}

/** Every line ← (I − 2vvᵀ/vᵀv) line, in place; lines and their elements are strides apart. */
function reflect(matrix: Float64Array, v: Float64Array, k: number, lineStride: number, stride: number): void {
  let square = 0;
  for (let i = 0; i < k; i++) square += v[i] * v[i];
  for (let line = 0; line < k; line++) {
    let projection = 0;
    for (let i = 0; i < k; i++) projection += v[i] * matrix[line * lineStride + i * stride];
    for (let i = 0; i < k; i++) matrix[line * lineStride + i * stride] -= (2 * projection * v[i]) / square;
  }
}

/** x_l = mean + factor · anomaly_l. `mean` is [length], `anomalies` and `ensemble` (written) are [members][length]. */
export const recentring = kernelOperator({
  name: 'recentring',
  block: parameterBlock('EnsembleRecentring', {
    ...ENSEMBLE,
    factor: 'f32',
    mean: 'read real',
    anomalies: 'read real',
    ensemble: 'write real',
  }),
  values: ({ members, length, factor = 1 }: ScaledParameters) => ({ members, length, factor }),
  cost: ({ members, length }, elementBytes) => ({
    bytes: elementBytes * (2 * members + 1) * length,
    flops: 2 * members * length,
  }),
  reference:
    ({ members, length, factor = 1 }) =>
    ({ mean, anomalies, ensemble }) => {
      for (let l = 0; l < members; l++) {
        for (let i = 0; i < length; i++) ensemble[l * length + i] = mean[i] + factor * anomalies[l * length + i];
      }
    },
  wasm: (size) => ({ kernel: 'ensembleRecentre', ...inRuns(size.length, segmentOf(size)) }),
  webgpu: {
    code: () => [import('./ensemble.wgsl?raw')],
    parts: ['recentring'],
    items: ({ length }) => length,
    layers: ({ members }) => members,
  },
});

function inflate(ensemble: RealArray, size: EnsembleSize, factor: number): void {
  const { members, length } = size;
  for (let i = 0; i < length; i++) {
    const mean = meanAt(ensemble, size, i);
    for (let l = 0; l < members; l++) {
      const at = l * length + i;
      ensemble[at] = mean + factor * (ensemble[at] - mean);
    }
  }
}

/**
 * x_l ← x̄ + factor · (x_l − x̄) in place. The factor multiplies anomalies: it is √ρ for an inflation ρ of the covariance.
 * `ensemble` is [members][length].
 */
export const inflation = kernelOperator({
  name: 'inflation',
  block: parameterBlock('EnsembleInflation', { ...ENSEMBLE, factor: 'f32', ensemble: 'write real' }),
  cost: ({ members, length }, elementBytes) => ({
    bytes: elementBytes * 2 * members * length,
    flops: 4 * members * length,
  }),
  reference:
    ({ factor, ...size }) =>
    ({ ensemble }) =>
      inflate(ensemble, size, factor),
  wasm: (size) => ({ kernel: 'ensembleInflate', ...inRuns(size.length, segmentOf(size)) }),
  webgpu: {
    code: () => [import('./ensemble.wgsl?raw')],
    parts: ['moments', 'inflation'],
    items: ({ length }) => length,
  },
});

/**
 * x_l ← x̄ + √ρ (x_l − x̄) in place, with an inflation ρ of the covariance that is known on the backend alone: `factor`, [1].
 * `ensemble` is [members][length].
 */
export const inflationBy = kernelOperator({
  name: 'inflation-by',
  block: parameterBlock('EnsembleInflationBy', { ...ENSEMBLE, factor: 'read real', ensemble: 'write real' }),
  cost: ({ members, length }, elementBytes) => ({
    bytes: elementBytes * (2 * members * length + 1),
    flops: 4 * members * length,
  }),
  reference:
    (size) =>
    ({ factor, ensemble }) =>
      inflate(ensemble, size, Math.sqrt(factor[0])),
  wasm: (size) => ({ kernel: 'ensembleInflateBy', ...inRuns(size.length, segmentOf(size)) }),
  webgpu: {
    code: () => [import('./ensemble.wgsl?raw')],
    parts: ['moments', 'inflation-by'],
    items: ({ length }) => length,
  },
});

/** x_l ← x_l + factor · noise_l in place. `noise` and `ensemble` are [members][length]. */
export const perturbation = kernelOperator({
  name: 'perturbation',
  block: parameterBlock('EnsemblePerturbation', {
    ...ENSEMBLE,
    factor: 'f32',
    noise: 'read real',
    ensemble: 'write real',
  }),
  values: ({ members, length, factor = 1 }: ScaledParameters) => ({ members, length, factor }),
  cost: ({ members, length }, elementBytes) => ({
    bytes: elementBytes * 3 * members * length,
    flops: 2 * members * length,
  }),
  reference:
    ({ members, length, factor = 1 }) =>
    ({ noise, ensemble }) => {
      for (let at = 0; at < members * length; at++) ensemble[at] += factor * noise[at];
    },
  wasm: (size) => ({ kernel: 'ensemblePerturb', ...inRuns(size.length, segmentOf(size)) }),
  webgpu: {
    code: () => [import('./ensemble.wgsl?raw')],
    parts: ['perturbation'],
    items: ({ length }) => length,
    layers: ({ members }) => members,
  },
});

interface RelaxationParameters extends EnsembleSize {
  /** `spread` keeps the analysis' directions (RTPS), `perturbations` mixes in the background's (RTPP). */
  readonly kind: 'spread' | 'perturbations';
  /** α: 0 leaves the analysis as it is, 1 gives it the background's spread, or perturbations. */
  readonly factor: number;
}

/**
 * Relaxation of the analysis' anomalies x′ᵃ towards the background's x′ᵇ [whitaker2012], the mean kept, in place:
 * RTPS: x′ᵃ ← x′ᵃ (1 + α (σᵇ − σᵃ)/σᵃ), left alone where σᵃ = 0; RTPP: x′ᵃ ← x′ᵃ + α (x′ᵇ − x′ᵃ).
 * `background` and `ensemble` (the analysis) are whole ensembles [members][length].
 */
export const relaxation = kernelOperator({
  name: 'relaxation',
  block: parameterBlock('EnsembleRelaxation', {
    ...ENSEMBLE,
    factor: 'f32',
    background: 'read real',
    ensemble: 'write real',
  }),
  parameters: { kind: oneOf('spread', 'perturbations') },
  values: ({ members, length, factor }: RelaxationParameters) => ({ members, length, factor }),
  cost: ({ members, length }, elementBytes) => ({
    bytes: elementBytes * 3 * members * length,
    flops: 12 * members * length,
  }),
  reference:
    ({ kind, factor, ...size }) =>
    ({ background, ensemble }) => {
      const { members, length } = size;
      for (let i = 0; i < length; i++) {
        const backgroundMean = meanAt(background, size, i);
        const mean = meanAt(ensemble, size, i);
        const backgroundSpread = Math.sqrt(varianceAt(background, size, i, backgroundMean));
        const spread = Math.sqrt(varianceAt(ensemble, size, i, mean));
        const stretch = spread > 0 ? (factor * (backgroundSpread - spread)) / spread : 0;
        for (let l = 0; l < members; l++) {
          const at = l * length + i;
          const anomaly = ensemble[at] - mean;
          ensemble[at] += kind === 'spread' ? stretch * anomaly : factor * (background[at] - backgroundMean - anomaly);
        }
      }
    },
  wasm: ({ kind, ...size }) => ({
    kernel: kind === 'spread' ? 'ensembleRelaxSpread' : 'ensembleRelaxPerturbations',
    ...inRuns(size.length, segmentOf(size)),
  }),
  webgpu: {
    code: () => [import('./ensemble.wgsl?raw')],
    parts: ['moments', 'relaxation'],
    items: ({ length }) => length,
    constants: ({ kind }) => ({ RELAX_SPREAD: Number(kind === 'spread') }),
  },
});

/** Members and elements of a tile on a GPU, which has four invocations for each of them. */
const TILE = 64;

/**
 * transformed_j = Σ_l ensemble_l · transform[l][j], X U with the members as columns of X. `ensemble` and `transformed` are
 * [members][length] and two different fields, `transform` is [members][members]. In float32 give it anomalies: rounding is
 * relative to what is multiplied.
 */
export const ensembleTransform = kernelOperator({
  name: 'ensemble-transform',
  block: parameterBlock('EnsembleTransform', {
    ...ENSEMBLE,
    ensemble: 'read real',
    transform: 'read real',
    transformed: 'write real',
  }),
  cost: ({ members, length }, elementBytes) => ({
    bytes: elementBytes * (Math.ceil(members / TILE) + 1) * members * length,
    flops: 2 * members * members * length,
  }),
  reference:
    ({ members, length }) =>
    ({ ensemble, transform, transformed }) => {
      for (let j = 0; j < members; j++) {
        for (let i = 0; i < length; i++) {
          let sum = 0;
          for (let l = 0; l < members; l++) sum += ensemble[l * length + i] * transform[l * members + j];
          transformed[j * length + i] = sum;
        }
      }
    },
  wasm: (size) => ({ kernel: 'ensembleTransform', ...inRuns(size.length, segmentOf(size)) }),
  webgpu: {
    code: () => [import('../../compute/webgpu/library/tile-product.wgsl?raw'), import('./ensemble.wgsl?raw')],
    parts: ['ensemble-transform'],
    items: ({ length }) => 4 * length,
    layers: ({ members }) => Math.ceil(members / TILE),
  },
});
