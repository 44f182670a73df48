/** What the Lax–Wendroff scheme is prepared with. */
import type { StepParameters } from '../../stepping.ts';
import type { Boundary } from '../boundary.ts';

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
