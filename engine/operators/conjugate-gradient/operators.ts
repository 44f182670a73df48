/** The steps of conjugate gradients for A v = b, A = shift·I + M, as operators; M is applied between them. */
import { defineOperator } from '../../compute/define-operator.ts';
import { initialisationFields, iterationFields } from './parameters.ts';
import type { InitialisationParameters, IterationParameters } from './parameters.ts';
import * as reference from './reference.ts';

/**
 * Starts from v = 0: `solution` = 0, `residual` = `direction` = `rightHandSide`, all `[length]`; resets `history` and `progress`
 * (layout.ts).
 * Cost: four arrays, and the right-hand side again for its norm; 2 flops an element.
 */
export const initialisation = defineOperator<InitialisationParameters, typeof initialisationFields>({
  name: 'conjugate-gradient-initialisation',
  fields: initialisationFields,
  cost: ({ length }, elementBytes) => ({ bytes: 5 * length * elementBytes, flops: 2 * length }),
  reference: reference.initialisation,
  wasm: async () => (await import('./wasm.ts')).initialisation,
  webgpu: async () => (await import('./webgpu.ts')).initialisation,
});

/**
 * One iteration, given `product` = M p, with p = `direction`:
 *
 *   α = rᵀr / pᵀAp;  v ← v + αp;  r ← r − αAp;  β = r₊ᵀr₊ / rᵀr;  p ← r + βp.
 *
 * It is a no-op once ‖r‖ ≤ tolerance·‖b‖, once the energy that an iteration still gains, ½αrᵀr, is below ε² of what the first
 * one gained (ε half a unit in the last place: v no longer changes), when pᵀAp is not positive, and after `maxIterations`.
 * Cost: p and Mp for the curvature, six arrays for the step, three for the direction; 12 flops an element.
 */
export const iteration = defineOperator<IterationParameters, typeof iterationFields>({
  name: 'conjugate-gradient-iteration',
  fields: iterationFields,
  cost: ({ length }, elementBytes) => ({ bytes: 11 * length * elementBytes, flops: 12 * length }),
  reference: reference.iteration,
  wasm: async () => (await import('./wasm.ts')).iteration,
  webgpu: async () => (await import('./webgpu.ts')).iteration,
});
