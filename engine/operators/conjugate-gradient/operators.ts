/** The steps of conjugate gradients for A v = b, A = shift·I + M, as operators; M is applied between them. */
import type { Operator } from '../../compute/backend.ts';
import * as reference from './reference.ts';

/**
 * `result[0]` = factor·xᵀy, summed pairwise. `x` and `y` may be the same field.
 * Cost: x and y once; 2 flops an element.
 */
export const dotProduct: Operator<
  { readonly length: number; readonly factor: number },
  { x: 'real'; y: 'real'; result: 'real' }
> = {
  name: 'dot-product',
  fields: { x: 'real', y: 'real', result: 'real' },
  cost: ({ length }, elementBytes) => ({ bytes: 2 * length * elementBytes, flops: 2 * length }),
  reference: reference.dotProduct,
  webgpu: async () => ({ default: (await import('./webgpu.ts')).dotProduct }),
};

/**
 * y ← y + factor·x, both `[length]`; the factor is 1 where it is left out.
 * Cost: x once, y in and out; 2 flops an element.
 */
export const axpy: Operator<{ readonly length: number; readonly factor?: number }, { x: 'real'; y: 'real' }> = {
  name: 'axpy',
  fields: { x: 'real', y: 'real' },
  cost: ({ length }, elementBytes) => ({ bytes: 3 * length * elementBytes, flops: 2 * length }),
  reference: reference.axpy,
  webgpu: async () => ({ default: (await import('./webgpu.ts')).axpy }),
};

/**
 * Starts from v = 0: `solution` = 0, `residual` = `direction` = `rightHandSide`, all `[length]`; resets `history` and `progress`
 * (layout.ts).
 * Cost: four arrays, and the right-hand side again for its norm; 2 flops an element.
 */
export const begin: Operator<
  { readonly length: number },
  { rightHandSide: 'real'; solution: 'real'; residual: 'real'; direction: 'real'; history: 'real'; progress: 'index' }
> = {
  name: 'conjugate-gradient-begin',
  fields: {
    rightHandSide: 'real',
    solution: 'real',
    residual: 'real',
    direction: 'real',
    history: 'real',
    progress: 'index',
  },
  cost: ({ length }, elementBytes) => ({ bytes: 5 * length * elementBytes, flops: 2 * length }),
  reference: reference.begin,
  webgpu: async () => ({ default: (await import('./webgpu.ts')).begin }),
};

export interface AdvanceParameters {
  readonly length: number;
  /** The multiple of the identity in A: added here, so that M alone need be applied. */
  readonly shift: number;
  /** ‖r‖/‖b‖ at which to stop. */
  readonly tolerance: number;
  /** Iterations that `history` has room for. */
  readonly maxIterations: number;
}

/**
 * One iteration, given `product` = M p, with p = `direction`:
 *
 *   α = rᵀr / pᵀAp;  v ← v + αp;  r ← r − αAp;  β = r₊ᵀr₊ / rᵀr;  p ← r + βp.
 *
 * It is a no-op once ‖r‖ ≤ tolerance·‖b‖, once the energy that an iteration still gains, ½αrᵀr, is below ε² of what the first
 * one gained (ε half a unit in the last place: v no longer changes), when pᵀAp is not positive, and after `maxIterations`.
 * Cost: p and Mp for the curvature, six arrays for the step, three for the direction; 12 flops an element.
 */
export const advance: Operator<
  AdvanceParameters,
  { product: 'real'; solution: 'real'; residual: 'real'; direction: 'real'; history: 'real'; progress: 'index' }
> = {
  name: 'conjugate-gradient',
  fields: {
    product: 'real',
    solution: 'real',
    residual: 'real',
    direction: 'real',
    history: 'real',
    progress: 'index',
  },
  cost: ({ length }, elementBytes) => ({ bytes: 11 * length * elementBytes, flops: 12 * length }),
  reference: reference.advance,
  webgpu: async () => ({ default: (await import('./webgpu.ts')).advance }),
};
