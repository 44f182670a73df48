/** What the central-upwind scheme is prepared with. */
import type { StepParameters } from '../../stepping.ts';
import type { Boundary } from '../boundary.ts';

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
  /** Linear drag r of the momenta, 1/s (drag.ts). Default 0. */
  readonly drag?: number;
  /** A depth up to this, metres, is taken as dry. */
  readonly dryDepth: number;
}
