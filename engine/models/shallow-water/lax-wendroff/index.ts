/**
 * Moler's two-step Lax–Wendroff scheme of the shallow-water equations on a flat bottom [moler].
 *
 *     half step on x-faces:  q½ = (q_i + q_{i+1})/2 − dt/(2dx)·(f(q_{i+1}) − f(q_i)),  f = (hu, hu²/h + g h²/2, hu·hv/h)
 *     likewise on y-faces with g(q) = (hv, hu·hv/h, hv²/h + g h²/2)
 *     full step:             q ← q − dt/dx·δₓf(q½) − dt/dy·δᵧg(q½)
 *
 * Between walls and in a periodic basin the water's volume is conserved to rounding, because what a face takes from one cell
 * it gives to the next. The scheme is of second order, without a limiter: it oscillates behind steep fronts, and it does not
 * keep the depth positive. Stable for (|u| + c)·dt/dx up to about 1/√2.
 */
import type { Operator } from '../../../compute/backend.ts';
import { STEP_FIELDS } from '../../stepping.ts';
import type { StepFields, StepParameters } from '../../stepping.ts';
import type { Boundary } from '../boundary.ts';
import { laxWendroffReference } from './reference.ts';

export interface LaxWendroffParameters extends StepParameters {
  readonly nx: number;
  readonly ny: number;
  /** Metres. */
  readonly dx: number;
  readonly dy: number;
  /** m/s² */
  readonly gravity: number;
  readonly boundary: { readonly x: Boundary; readonly y: Boundary };
}

/** Floating-point operations of a cell and step: two faces of about 40, their two fluxes of 10, the update. */
const FLOPS_PER_CELL = 112;

/** `state` is h, hu, hv. Every step reads and writes three reals a cell. */
export const laxWendroff: Operator<LaxWendroffParameters, StepFields> = {
  name: 'lax-wendroff',
  fields: STEP_FIELDS,
  cost: ({ nx, ny, members, steps }, elementBytes) => ({
    bytes: 6 * nx * ny * members * steps * elementBytes,
    flops: FLOPS_PER_CELL * nx * ny * members * steps,
  }),
  reference: laxWendroffReference,
  webgpu: () => import('./webgpu.ts'),
};
