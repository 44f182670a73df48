/**
 * What is kept of a step of the central-upwind scheme for its derivative. A step is followed once, and linearised as often as a
 * minimisation asks.
 */
import type { LinearStepParameters } from '../../linear-step.ts';
import type { SchemeBasin } from './euler.ts';

/** What the linearised step of the central-upwind scheme is prepared with. */
export interface LinearCentralUpwindParameters extends LinearStepParameters, SchemeBasin {}

/** A step that is followed: both directions keep the same. */
export type FollowedStepParameters = Omit<LinearCentralUpwindParameters, 'direction'>;

/** Reals beyond the shares that vectors of SIMD reach. */
const BEYOND = 8;

/** Where it is, in reals from the beginning, and by Euler step. */
interface KeptLayout {
  /** η, hu, hv between the Euler steps, [variable][y][x]. */
  readonly once: number;
  /** The mean of Heun's method, before the last friction: the same. */
  readonly mean: number;
  /** What is left of the momentum of a cell, 1 but at a shore; −1 where the cell's elevation is that of the ground, [y][x]. */
  readonly limits: readonly [number, number];
  /** Share of its outflow that a cell has the water for, with a ring of cells around the basin, [y][x]. */
  readonly shares: readonly [number, number];
  readonly length: number;
}

export function keptLayout({ nx, ny }: { readonly nx: number; readonly ny: number }): KeptLayout {
  const cells = nx * ny;
  const withRing = (nx + 2) * (ny + 2);
  return {
    once: 0,
    mean: 3 * cells,
    limits: [6 * cells, 7 * cells],
    shares: [8 * cells, 8 * cells + withRing],
    length: 8 * cells + 2 * withRing + BEYOND,
  };
}
