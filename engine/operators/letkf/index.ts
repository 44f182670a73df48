/**
 * Local ensemble transform Kalman filter [hunt2007]. At every grid point, with the observations j that are nearer than 2c:
 *
 *   C = Yᵀ R⁻¹ w,   P̃ᵃ = [(k − 1) I/ρ + C Y]⁻¹,   Wᵃ = [(k − 1) P̃ᵃ]^½ (symmetric),   w̄ = P̃ᵃ C (yᵒ − ȳ),
 *   xᵃ⁽ⁱ⁾ = x̄ + X (Wᵃ_i + w̄),
 *
 * X and Y (k columns) are the anomalies of the state and of the observed ensemble about their means, w_j = GC(distance/c) is
 * the Gaspari–Cohn weight, ρ the inflation of the covariance. Where no observation is in reach the anomalies grow by √ρ.
 *
 * The k × k problem (`primal`) and the ℓ × ℓ problem of the ℓ local observations (`dual`) give the same analysis. With
 * S = √(ρ/(k − 1)) √w R^−½ Y (ℓ × k), G = S Sᵀ, d̃ = √w R^−½ (yᵒ − ȳ):
 *
 *   X Wᵃ = √ρ X (I + SᵀS)^−½ = √ρ [X − X Sᵀ f(G) S],   f(λ) = (1 − (1 + λ)^−½)/λ,   f(0) = ½,
 *   X w̄ = √(ρ/(k − 1)) X Sᵀ (I + G)⁻¹ d̃.
 *
 * Cost of one run, n = nx·ny cells, v variables, k members, p observations, ℓ = localCapacity, e bytes a real:
 *   bytes  2 n v k e (the ensemble in, the analysis out) + p (k + 4) e (what is known of the observations)
 *   flops  3 p k + n · (the local problem of order m + the transform):
 *     dual, m = ℓ:    k ℓ (ℓ + 1) + 4/3 ℓ³ + (v + 1)(4 ℓ² + 80 ℓ) + v k (4 ℓ + 8)
 *     primal, m = k:  ℓ k (k + 1) + 4/3 k³ + (v + 1)(4 k² + 80 k) + 2 ℓ k + 8 v k
 *   (Gram matrix; tridiagonal form; reflections of v + 1 vectors and ten poles of eight operations; products with S).
 *
 * `correlatedLetkf` has R whole: the rows of Y and yᵒ − ȳ are scaled by L⁻¹ √w D⁻¹ instead (local-errors.ts). Since the weights differ
 * from point to point, L is made at each of them, ℓ³/3 + ℓ² (k + 1) operations beside a local problem of about as many; one that is
 * kept for each would take n ℓ²/2 reals, which is gigabytes where it would pay. C is p²/2 e bytes at most.
 *
 * `inflatedLetkf` and `inflatedCorrelatedLetkf` have a factor ρ of every grid point's own: rows of S and d̃ that are √ρ times as large
 * make w̄ and Wᵃ/√ρ of it. `pointInflation` finds such factors.
 */
import type { Cost } from '../../compute/backend.ts';
import { defineOperator } from '../../compute/define-operator.ts';
import {
  correlatedLetkfFields,
  inflatedCorrelatedLetkfFields,
  inflatedLetkfFields,
  letkfFields,
  letkfForm,
  letkfRules,
  type CorrelatedLetkfFields,
  type InflatedCorrelatedLetkfFields,
  type InflatedLetkfFields,
  type LetkfFields,
  type LetkfParameters,
} from './parameters.ts';
import { referenceLetkf } from './reference.ts';
export { createSymmetricEigenSolver } from './eigen.ts';
export { rootOfLocal, solveLocal } from './local-errors.ts';
export { letkfForm, roomForLocal, type LetkfFields, type LetkfParameters, type PointEstimate } from './parameters.ts';
export { pointInflation } from './point-inflation.ts';

function cost(parameters: LetkfParameters, elementBytes: number): Cost {
  const { nx, ny, variables: v, members: k, observations: p, localCapacity: l } = parameters;
  const cells = nx * ny;
  const dual = letkfForm(parameters) === 'dual';
  const order = dual ? l : k;
  const gram = dual ? k * l * (l + 1) : l * k * (k + 1);
  const root = (4 / 3) * order ** 3 + (v + 1) * (4 * order * order + 80 * order);
  const transform = dual ? v * k * (4 * l + 8) : 2 * l * k + 8 * v * k;
  return {
    bytes: (2 * cells * v * k + p * (k + 4)) * elementBytes,
    flops: Math.round(3 * p * k + cells * (gram + root + transform)),
  };
}

/** The analysis step of the LETKF on all grid points and members at once. */
export const letkf = defineOperator<LetkfParameters, LetkfFields>({
  name: 'letkf',
  fields: letkfFields,
  parameters: letkfRules,
  cost,
  reference: referenceLetkf,
  wasm: async () => (await import('./wasm.ts')).independentErrors,
  webgpu: async () => (await import('./webgpu.ts')).independentErrors,
});

function correlatedCost(parameters: LetkfParameters, elementBytes: number): Cost {
  const { nx, ny, members: k, observations: p, localCapacity: l } = parameters;
  const { bytes, flops } = cost(parameters, elementBytes);
  return {
    bytes: bytes + ((p * (p + 1)) / 2) * elementBytes,
    flops: flops + Math.round(nx * ny * (l ** 3 / 3 + l ** 2 * (k + 1))),
  };
}

/** The same with correlated observation errors. */
export const correlatedLetkf = defineOperator<LetkfParameters, CorrelatedLetkfFields>({
  name: 'correlated-letkf',
  fields: correlatedLetkfFields,
  parameters: letkfRules,
  cost: correlatedCost,
  reference: referenceLetkf,
  wasm: async () => (await import('./wasm.ts')).correlatedErrors,
  webgpu: async () => (await import('./webgpu.ts')).correlatedErrors,
});

/** The analysis with a factor of every grid point's own. */
export const inflatedLetkf = defineOperator<LetkfParameters, InflatedLetkfFields>({
  name: 'inflated-letkf',
  fields: inflatedLetkfFields,
  parameters: letkfRules,
  cost,
  reference: referenceLetkf,
  wasm: async () => (await import('./wasm.ts')).independentErrors,
  webgpu: async () => (await import('./webgpu.ts')).inflated.independentErrors,
});

/** The same with correlated observation errors. */
export const inflatedCorrelatedLetkf = defineOperator<LetkfParameters, InflatedCorrelatedLetkfFields>({
  name: 'inflated-correlated-letkf',
  fields: inflatedCorrelatedLetkfFields,
  parameters: letkfRules,
  cost: correlatedCost,
  reference: referenceLetkf,
  wasm: async () => (await import('./wasm.ts')).correlatedErrors,
  webgpu: async () => (await import('./webgpu.ts')).inflated.correlatedErrors,
});
