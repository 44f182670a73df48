/**
 * The central-upwind scheme: second order, well balanced, positive [kurganov2007], on any bed, with rotation and friction.
 */
import type { Operator } from '../../../compute/backend.ts';
import { STEP_FIELDS } from '../../stepping.ts';
import type { StepFields, StepParameters } from '../../stepping.ts';
import type { Boundary } from '../boundary.ts';
import { centralUpwindReference } from './reference.ts';

export interface CentralUpwindParameters extends StepParameters {
  readonly nx: number;
  readonly ny: number;
  /** Metres. */
  readonly dx: number;
  readonly dy: number;
  /** m/s² */
  readonly gravity: number;
  readonly boundary: { readonly x: Boundary; readonly y: Boundary };
  /** Elevation of the bed at cell centres, metres, [y][x]. */
  readonly bed: Float64Array;
  /** f + β·(y − y of the middle), 1/s and 1/(m s). */
  readonly coriolis: { readonly f: number; readonly beta: number };
  /** Manning's n, s/m^⅓. */
  readonly manning: number;
  /** A depth up to this, metres, is taken as dry. */
  readonly dryDepth: number;
}

/** `state` is η, hu, hv. */
export const centralUpwind: Operator<CentralUpwindParameters, StepFields> = {
  name: 'central-upwind',
  fields: STEP_FIELDS,
  cost: ({ nx, ny, members, steps }, elementBytes) => ({
    bytes: 18 * nx * ny * members * steps * elementBytes,
    flops: 700 * nx * ny * members * steps,
  }),
  reference: centralUpwindReference,
  webgpu: () => import('./webgpu.ts'),
};
