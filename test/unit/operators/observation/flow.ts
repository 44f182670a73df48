/** What the tests of this room share: a small grid, and a state of shallow water on its cells. */
import { noise } from '../../../../engine/check/measures.ts';

export const bounded = { nx: 7, ny: 5, periodicX: false, periodicY: false };

/** Depth near 2, momenta near ±1, `[3][plane]`. */
export function flow(plane: number, index = 1): Float64Array {
  const state = noise(3 * plane, index);
  for (let i = 0; i < plane; i++) state[i] = 2 + 0.5 * state[i];
  return state;
}

export function norm(a: Float64Array): number {
  return Math.hypot(...a);
}
