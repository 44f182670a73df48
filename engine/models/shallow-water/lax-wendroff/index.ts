/**
 * Moler's two-step Lax–Wendroff scheme of the shallow-water equations on a flat bottom [moler].
 *
 *     half step on x-faces:  q½ = (q_i + q_{i+1})/2 − dt/(2dx)·(f(q_{i+1}) − f(q_i)),  f = (hu, hu²/h + g h²/2, hu·hv/h)
 *     likewise on y-faces with g(q) = (hv, hu·hv/h, hv²/h + g h²/2)
 *     full step:             q ← q − dt/dx·δₓf(q½) − dt/dy·δᵧg(q½)
 *
 * It is kept to reproduce what others computed with it. The half steps on faces omit the transverse terms of the Taylor
 * series: along an axis the scheme is of second order and stable, along diagonals it is of first order and **unstable at every
 * time step**. On water at rest, in square cells and with C = √(g h)·dt/dx, the wave that grows fastest is multiplied in
 * each step by
 *
 *     max|G| = √(1 + C²/(8(1 − C²))),  e-folding time ≈ 16 dx²/(g h dt) for small C:
 *
 * 15 s with dt = 0.1 s, 82 s with 0.02 s, for h = 1 m, g = 9.8 m/s², dx = 1 m (scenario/diagonal-growth.ts has it for any cells;
 * the verification's V12 measures it). Its stable relative is `richtmyer`.
 *
 * Between walls and in a periodic basin the water's volume is conserved to rounding, because what a face takes from one cell
 * it gives to the next. Without a limiter the scheme oscillates behind steep fronts, and it does not keep the depth positive.
 */
import type { Operator } from '../../../compute/backend.ts';
import { STEP_FIELDS } from '../../stepping.ts';
import type { StepFields } from '../../stepping.ts';
import { flatBottomCost } from '../flat-bottom/parameters.ts';
import type { FlatBottomParameters } from '../flat-bottom/parameters.ts';
import { laxWendroffReference } from './reference.ts';

/** Floating-point operations of a cell and step: two faces of about 40, their two fluxes of 10, the update. */
const FLOPS_PER_CELL = 112;

/** `state` is h, hu, hv. */
export const laxWendroff: Operator<FlatBottomParameters, StepFields> = {
  name: 'lax-wendroff',
  fields: STEP_FIELDS,
  cost: flatBottomCost(FLOPS_PER_CELL),
  implementations: {
    reference: laxWendroffReference,
    wasm: async () => (await import('./wasm.ts')).default,
    webgpu: async () => (await import('./webgpu.ts')).default,
  },
};
