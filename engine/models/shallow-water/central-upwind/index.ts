/**
 * The central-upwind scheme of the shallow-water equations on any bed, with rotation and friction: second order, well
 * balanced, and without negative depths [kurganov2007].
 *
 *     ∂η/∂t  + ∂(hu)/∂x + ∂(hv)/∂y = 0,                                 h = η − B
 *     ∂(hu)/∂t + ∂(hu·u)/∂x + ∂(hu·v)/∂y + g h ∂η/∂x =  f hv − g n² |u| u / h^⅓
 *     ∂(hv)/∂t + ∂(hv·u)/∂x + ∂(hv·v)/∂y + g h ∂η/∂y = −f hu − g n² |u| v / h^⅓
 *
 * The state is η, hu, hv. Each stage:
 *
 * 1. η, u, v are reconstructed linearly in every cell, with generalised minmod slopes (θ = 1.5). Beside dry ground that rises
 *    above the water the slope of η is taken from the other side, and so are those of u and v beside any dry cell.
 * 2. The bed at a face is the mean of the two cells, in a dry cell its own; water counts above the higher of the two
 *    (hydrostatic reconstruction, Audusse et al. 2004), and the flux of water and of normal momentum is central-upwind: with
 *    a⁺ = max(0, u + c), a⁻ = min(0, u − c) of both sides,
 *    F = (a⁺F_L − a⁻F_R + a⁺a⁻(q_R − q_L)) / (a⁺ − a⁻). Tangential momentum goes with the water, from upwind.
 * 3. Pressure enters by differences of η alone (face.ts), so a level surface at rest stays as it is to the last bit, whatever
 *    the bed, also around islands.
 * 4. A face takes no more than its share of what the donor cell has left, so no depth falls below zero at any step length.
 * 5. A film of water gets no faster than what is around it can make it, and a cell below the dry depth has no momentum.
 *
 * Two such Euler steps make one of Heun's method (strong-stability preserving, second order); rotation is part of them.
 * Friction acts for half a step before and after, by the exact solution at constant depth. Stable for max(|u| + c)·dt/dx up to
 * 0.5 in two dimensions. Water is conserved to rounding between walls and in a periodic basin.
 */
import type { Operator } from '../../../compute/backend.ts';
import { STEP_FIELDS, type StepFields } from '../../stepping.ts';
import { centralUpwindReference, type CentralUpwindParameters } from './euler.ts';

export { followCentralUpwind, linearCentralUpwind } from './linear.ts';
export { keptLayout } from './linear-euler.ts';
export type { CentralUpwindParameters } from './euler.ts';

/** Moved a cell and step: stage 1 reads state and bed and writes a state; stage 2 reads two and the bed, and writes one. */
const REALS_PER_CELL = 17;
/** Floating-point operations of a cell and step: two stages of 72 for the slopes, 120 for two faces, 58 for the update. */
const FLOPS_PER_CELL = 500;

/** `state` is η, hu, hv. */
export const centralUpwind: Operator<CentralUpwindParameters, StepFields> = {
  name: 'central-upwind',
  fields: STEP_FIELDS,
  cost: ({ nx, ny, members, steps }, elementBytes) => ({
    bytes: REALS_PER_CELL * nx * ny * members * steps * elementBytes,
    flops: FLOPS_PER_CELL * nx * ny * members * steps,
  }),
  implementations: {
    reference: centralUpwindReference,
    wasm: async () => (await import('./devices.ts')).centralUpwindWasm,
    webgpu: async () => (await import('./devices.ts')).centralUpwindWebGpu,
  },
};
