/** Ensembles made of others: new mean, spread, noise, or a linear combination of the members. */
import type { Operator } from '../../compute/backend.ts';
import type { EnsembleSize, RelaxationParameters, ScaledParameters } from './parameters.ts';
import * as reference from './recombination-reference.ts';

/** x_l = mean + factor · anomaly_l. `mean` is [length], `anomalies` and `ensemble` (written) are [members][length]. */
export const recentring: Operator<ScaledParameters, { mean: 'real'; anomalies: 'real'; ensemble: 'real' }> = {
  name: 'recentring',
  fields: { mean: 'real', anomalies: 'real', ensemble: 'real' },
  cost: ({ members, length }, elementBytes) => ({
    bytes: elementBytes * (2 * members + 1) * length,
    flops: 2 * members * length,
  }),
  implementations: {
    reference: reference.recentring,
    wasm: async () => (await import('./wasm.ts')).recentring,
    webgpu: async () => (await import('./webgpu-elementwise.ts')).recentring,
  },
};

/**
 * x_l ← x̄ + factor · (x_l − x̄) in place. The factor multiplies anomalies: it is √ρ for an inflation ρ of the covariance.
 * `ensemble` is [members][length].
 */
export const inflation: Operator<EnsembleSize & { readonly factor: number }, { ensemble: 'real' }> = {
  name: 'inflation',
  fields: { ensemble: 'real' },
  cost: ({ members, length }, elementBytes) => ({
    bytes: elementBytes * 2 * members * length,
    flops: 4 * members * length,
  }),
  implementations: {
    reference: reference.inflation,
    wasm: async () => (await import('./wasm.ts')).inflation,
    webgpu: async () => (await import('./webgpu-elementwise.ts')).inflation,
  },
};

/**
 * x_l ← x̄ + √ρ (x_l − x̄) in place, with an inflation ρ of the covariance that is known on the backend alone: `factor`, [1].
 * `ensemble` is [members][length].
 */
export const inflationBy: Operator<EnsembleSize, { factor: 'real'; ensemble: 'real' }> = {
  name: 'inflation-by',
  fields: { factor: 'real', ensemble: 'real' },
  cost: ({ members, length }, elementBytes) => ({
    bytes: elementBytes * (2 * members * length + 1),
    flops: 4 * members * length,
  }),
  implementations: {
    reference: reference.inflationBy,
    wasm: async () => (await import('./wasm.ts')).inflationBy,
    webgpu: async () => (await import('./webgpu-elementwise.ts')).inflationBy,
  },
};

/** x_l ← x_l + factor · noise_l in place. `noise` and `ensemble` are [members][length]. */
export const perturbation: Operator<ScaledParameters, { noise: 'real'; ensemble: 'real' }> = {
  name: 'perturbation',
  fields: { noise: 'real', ensemble: 'real' },
  cost: ({ members, length }, elementBytes) => ({
    bytes: elementBytes * 3 * members * length,
    flops: 2 * members * length,
  }),
  implementations: {
    reference: reference.perturbation,
    wasm: async () => (await import('./wasm.ts')).perturbation,
    webgpu: async () => (await import('./webgpu-elementwise.ts')).perturbation,
  },
};

/**
 * Relaxation of the analysis' anomalies x′ᵃ towards the background's x′ᵇ [whitaker2012], the mean kept, in place:
 * RTPS: x′ᵃ ← x′ᵃ (1 + α (σᵇ − σᵃ)/σᵃ), left alone where σᵃ = 0; RTPP: x′ᵃ ← x′ᵃ + α (x′ᵇ − x′ᵃ).
 * `background` and `ensemble` (the analysis) are whole ensembles [members][length].
 */
export const relaxation: Operator<RelaxationParameters, { background: 'real'; ensemble: 'real' }> = {
  name: 'relaxation',
  fields: { background: 'real', ensemble: 'real' },
  cost: ({ members, length }, elementBytes) => ({
    bytes: elementBytes * 3 * members * length,
    flops: 12 * members * length,
  }),
  implementations: {
    reference: reference.relaxation,
    wasm: async () => (await import('./wasm.ts')).relaxation,
    webgpu: async () => (await import('./webgpu-elementwise.ts')).relaxation,
  },
};

/**
 * transformed_j = Σ_l ensemble_l · transform[l][j], X U with the members as columns of X. `ensemble` and `transformed` are
 * [members][length] and two different fields, `transform` is [members][members]. In float32 give it anomalies: rounding is
 * relative to what is multiplied.
 */
export const ensembleTransform: Operator<EnsembleSize, { ensemble: 'real'; transform: 'real'; transformed: 'real' }> = {
  name: 'ensemble-transform',
  fields: { ensemble: 'real', transform: 'real', transformed: 'real' },
  cost: ({ members, length }, elementBytes) => ({
    bytes: elementBytes * (Math.ceil(members / 64) + 1) * members * length,
    flops: 2 * members * members * length,
  }),
  implementations: {
    reference: reference.ensembleTransform,
    wasm: async () => (await import('./wasm.ts')).ensembleTransform,
    webgpu: async () => (await import('./webgpu-transform.ts')).ensembleTransform,
  },
};
