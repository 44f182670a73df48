/** Mean, variance and anomalies of an ensemble. */
import type { Operator } from '../../compute/backend.ts';
import * as reference from './moments-reference.ts';
import type { EnsembleSize, VarianceParameters, AnomaliesParameters } from './parameters.ts';

/** mean = x₁ + Σ (x_l − x₁)/k. `ensemble` is [members][length], `mean` [length]. Cost: reads the ensemble once. */
export const ensembleMean: Operator<EnsembleSize, { ensemble: 'real'; mean: 'real' }> = {
  name: 'ensemble-mean',
  fields: { ensemble: 'real', mean: 'real' },
  cost: ({ members, length }, elementBytes) => ({
    bytes: elementBytes * (members + 1) * length,
    flops: 2 * members * length,
  }),
  implementations: {
    reference: reference.ensembleMean,
    wasm: async () => (await import('./wasm.ts')).ensembleMean,
    webgpu: async () => (await import('./webgpu-elementwise.ts')).ensembleMean,
  },
};

/**
 * variance = factor · Σ (x_l − x̄)²/(k − 1), in two passes; 0 for a single member. `ensemble` is [members][length], `variance` [length].
 * Cost: reads the ensemble (the second time from cache).
 */
export const ensembleVariance: Operator<VarianceParameters, { ensemble: 'real'; variance: 'real' }> = {
  name: 'ensemble-variance',
  fields: { ensemble: 'real', variance: 'real' },
  cost: ({ members, length }, elementBytes) => ({
    bytes: elementBytes * (members + 1) * length,
    flops: 5 * members * length,
  }),
  implementations: {
    reference: reference.ensembleVariance,
    wasm: async () => (await import('./wasm.ts')).ensembleVariance,
    webgpu: async () => (await import('./webgpu-elementwise.ts')).ensembleVariance,
  },
};

/**
 * anomalies = factor · (x_l − x̄), and the mean beside them. `ensemble` and `anomalies` are [members][length] and two
 * different fields, `mean` is [length]. Cost: reads the ensemble (the second time from cache), writes as much.
 */
export const anomalies: Operator<AnomaliesParameters, { ensemble: 'real'; mean: 'real'; anomalies: 'real' }> = {
  name: 'anomalies',
  fields: { ensemble: 'real', mean: 'real', anomalies: 'real' },
  cost: ({ members, length }, elementBytes) => ({
    bytes: elementBytes * (2 * members + 1) * length,
    flops: 4 * members * length,
  }),
  implementations: {
    reference: reference.anomalies,
    wasm: async () => (await import('./wasm.ts')).anomalies,
    webgpu: async () => (await import('./webgpu-elementwise.ts')).anomalies,
  },
};
