/** Mean, variance and anomalies of an ensemble. */
import type { RealArray } from '../../compute/backend.ts';
import { inRuns, kernelOperator } from '../../compute/define-operator.ts';
import { parameterBlock } from '../../compute/parameter-block.ts';

/** What the operators on ensembles are prepared with, and how they divide their work. */

export interface EnsembleSize {
  /** k, from 1 on. */
  readonly members: number;
  /** Elements of a member. */
  readonly length: number;
}

export interface ScaledParameters extends EnsembleSize {
  /** Multiplies variance, anomalies or noise; 1 if omitted. */
  readonly factor?: number;
}

/** What the kernels of all operators on ensembles are given. */
export const ENSEMBLE = {
  members: 'count',
  length: 'count',
  /** Elements of a part. */
  segment: 'part',
} as const;

/** Reals of an ensemble that a part works on, about. */
const PART_REALS = 65_536;

/** @returns elements of a part */
export function segmentOf({ members }: EnsembleSize): number {
  return 4 * Math.max(1, Math.ceil(PART_REALS / members / 4));
}

/** Mean over the members of element i of an ensemble [members][length]. */
export function meanAt(ensemble: RealArray, { members, length }: EnsembleSize, i: number): number {
  let sum = 0;
  for (let l = 0; l < members; l++) sum += ensemble[l * length + i] - ensemble[i];
  return ensemble[i] + sum / members;
}

/** Variance over the members of element i about its mean, divided by members − 1; 0 for a single member. */
export function varianceAt(ensemble: RealArray, size: EnsembleSize, i: number, mean: number): number {
  const { members, length } = size;
  let sum = 0;
  for (let l = 0; l < members; l++) sum += (ensemble[l * length + i] - mean) ** 2;
  return members === 1 ? 0 : sum / (members - 1);
}

/** mean = x₁ + Σ (x_l − x₁)/k. `ensemble` is [members][length], `mean` [length]. Cost: reads the ensemble once. */
export const ensembleMean = kernelOperator({
  name: 'ensemble-mean',
  block: parameterBlock('EnsembleMean', { ...ENSEMBLE, ensemble: 'read real', mean: 'write real' }),
  cost: ({ members, length }, elementBytes) => ({
    bytes: elementBytes * (members + 1) * length,
    flops: 2 * members * length,
  }),
  reference:
    (size) =>
    ({ ensemble, mean }) => {
      for (let i = 0; i < size.length; i++) mean[i] = meanAt(ensemble, size, i);
    },
  wasm: (size) => ({ kernel: 'ensembleMean', ...inRuns(size.length, segmentOf(size)) }),
  webgpu: {
    code: () => [import('./ensemble.wgsl?raw')],
    parts: ['moments', 'ensemble-mean'],
    items: ({ length }) => length,
  },
});

/**
 * variance = factor · Σ (x_l − x̄)²/(k − 1), in two passes; 0 for a single member. `ensemble` is [members][length], `variance` [length].
 * Cost: reads the ensemble (the second time from cache).
 */
export const ensembleVariance = kernelOperator({
  name: 'ensemble-variance',
  block: parameterBlock('EnsembleVariance', {
    ...ENSEMBLE,
    factor: 'f32',
    ensemble: 'read real',
    variance: 'write real',
  }),
  values: ({ members, length, factor = 1 }: ScaledParameters) => ({ members, length, factor }),
  cost: ({ members, length }, elementBytes) => ({
    bytes: elementBytes * (members + 1) * length,
    flops: 5 * members * length,
  }),
  reference:
    ({ factor = 1, ...size }) =>
    ({ ensemble, variance }) => {
      for (let i = 0; i < size.length; i++) {
        variance[i] = factor * varianceAt(ensemble, size, i, meanAt(ensemble, size, i));
      }
    },
  wasm: (size) => ({ kernel: 'ensembleVariance', ...inRuns(size.length, segmentOf(size)) }),
  webgpu: {
    code: () => [import('./ensemble.wgsl?raw')],
    parts: ['moments', 'ensemble-variance'],
    items: ({ length }) => length,
  },
});

/**
 * anomalies = factor · (x_l − x̄), and the mean beside them. `ensemble` and `anomalies` are [members][length] and two
 * different fields, `mean` is [length]. Cost: reads the ensemble (the second time from cache), writes as much.
 */
export const anomalies = kernelOperator({
  name: 'anomalies',
  block: parameterBlock('EnsembleAnomalies', {
    ...ENSEMBLE,
    factor: 'f32',
    ensemble: 'read real',
    mean: 'write real',
    anomalies: 'write real',
  }),
  values: ({ members, length, factor = 1 }: ScaledParameters) => ({ members, length, factor }),
  cost: ({ members, length }, elementBytes) => ({
    bytes: elementBytes * (2 * members + 1) * length,
    flops: 4 * members * length,
  }),
  reference:
    ({ factor = 1, ...size }) =>
    ({ ensemble, mean, anomalies: scaled }) => {
      const { members, length } = size;
      for (let i = 0; i < length; i++) {
        mean[i] = meanAt(ensemble, size, i);
        for (let l = 0; l < members; l++) scaled[l * length + i] = factor * (ensemble[l * length + i] - mean[i]);
      }
    },
  wasm: (size) => ({ kernel: 'ensembleAnomalies', ...inRuns(size.length, segmentOf(size)) }),
  webgpu: {
    code: () => [import('./ensemble.wgsl?raw')],
    parts: ['moments', 'anomalies'],
    items: ({ length }) => length,
  },
});
