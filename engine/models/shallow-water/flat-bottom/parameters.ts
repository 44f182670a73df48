/** What the schemes for a flat bottom have in common: their parameters, and how a step's cost is counted. */
import type { Cost } from '../../../compute/backend.ts';
import type { StepParameters } from '../../stepping.ts';
import type { Boundary } from '../boundary.ts';

export interface FlatBottomParameters extends StepParameters {
  readonly nx: number;
  readonly ny: number;
  /** Metres. */
  readonly dx: number;
  readonly dy: number;
  /** m/s² */
  readonly gravity: number;
  readonly boundary: { readonly x: Boundary; readonly y: Boundary };
  /** Linear drag r of the momenta, 1/s (drag.ts). Default 0. */
  readonly drag?: number;
}

/** Every step reads and writes three reals a cell. @param flopsPerCell of one step */
export function flatBottomCost(flopsPerCell: number) {
  return ({ nx, ny, members, steps }: FlatBottomParameters, elementBytes: number): Cost => ({
    bytes: 6 * nx * ny * members * steps * elementBytes,
    flops: flopsPerCell * nx * ny * members * steps,
  });
}
