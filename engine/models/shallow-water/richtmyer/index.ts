/**
 * The two-step Lax–Wendroff scheme of Richtmyer for the shallow-water equations on a flat bottom: half steps at the corners of
 * cells, so that diagonal waves are of second order and stable too [richtmyer1967].
 *
 *     half step at corners:  q½ = ¼ Σ q − dt/(2dx)·μᵧδₓf(q) − dt/(2dy)·μₓδᵧg(q)
 *     full step:             q ← q − dt/dx·μᵧδₓf(q½) − dt/dy·μₓδᵧg(q½) − ε/16·δₓ²δᵧ²q
 *
 * with μ the mean and δ the difference of neighbours along an axis. With s and c the sine and cosine of half the phase angles,
 * a wave is multiplied in each step by G = 1 − 2m² − 2i m cₓcᵧ (without the last term), where m² ≤ (|u| + √(g h))²·dt²·((sₓcᵧ/dx)² +
 * (sᵧcₓ/dy)²), and |G|² = 1 − 4m²(1 − m² − cₓ²cᵧ²) ≤ 1 as long as (|u| + √(g h))·dt ≤ min(dx, dy), |u| being the speed whatever its
 * direction. Waves at rest are stable up to a Courant number of 1; with the Courant number that is the larger of
 * (|u| + √(g h))·dt/dx and (|v| + √(g h))·dt/dy, every flow is up to 1/√2.
 *
 * The checkerboard (+ − + − along both axes) has the mean 0 at every corner: the two steps alone neither move nor damp it, and
 * every analysis leaves some. The last term takes the share ε of it in each step. It is conservative, 0 for what varies along
 * one axis alone, and of fourth order (dx²dy² ∂⁴q/∂x²∂y²), so the scheme stays of second order.
 *
 * Between walls and in a periodic basin the water's volume is conserved to rounding. Without a limiter the scheme oscillates
 * behind steep fronts, and it does not keep the depth positive.
 */
import type { Operator } from '../../../compute/backend.ts';
import { STEP_FIELDS } from '../../stepping.ts';
import type { StepFields } from '../../stepping.ts';
import { flatBottomCost } from '../flat-bottom/parameters.ts';
import type { FlatBottomParameters } from '../flat-bottom/parameters.ts';
import { richtmyerReference } from './reference.ts';

/** Floating-point operations of a cell and step: two flows of 11, a corner of 33, the update of 21, the damping of 42. */
const FLOPS_PER_CELL = 118;

/** `state` is h, hu, hv. */
export const richtmyer: Operator<FlatBottomParameters, StepFields> = {
  name: 'richtmyer',
  fields: STEP_FIELDS,
  cost: flatBottomCost(FLOPS_PER_CELL),
  implementations: {
    reference: richtmyerReference,
    wasm: async () => (await import('./wasm.ts')).default,
    webgpu: async () => (await import('./webgpu.ts')).default,
  },
};
