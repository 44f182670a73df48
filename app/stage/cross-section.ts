/** A straight cut through planes of numbers: where it runs, and the values along it. */
import type { BasinInfo } from '../../engine/index.ts';
import type { CrossSection } from '../document/views/view-state.ts';

/** Points along a cut. */
export interface CutPath {
  /** Metres from the beginning. */
  readonly distance: Float64Array;
  /** Grid units; the middle of cell i is i. */
  readonly x: Float64Array;
  readonly y: Float64Array;
}

/** @returns points along the cut, two for each cell that it crosses, at least 2 and at most 600 */
export function cutPath({ from, to }: CrossSection, { dx, dy }: Pick<BasinInfo, 'dx' | 'dy'>): CutPath {
  const [acrossX, acrossY] = [to.x - from.x, to.y - from.y];
  const count = Math.min(600, Math.max(2, Math.ceil(2 * Math.hypot(acrossX, acrossY)) + 1));
  const path = { distance: new Float64Array(count), x: new Float64Array(count), y: new Float64Array(count) };
  const length = Math.hypot(acrossX * dx, acrossY * dy);
  for (let k = 0; k < count; k++) {
    const share = k / (count - 1);
    path.distance[k] = share * length;
    path.x[k] = from.x + share * acrossX;
    path.y[k] = from.y + share * acrossY;
  }
  return path;
}

/**
 * @param value of cell (i, j)
 * @returns the values along the path, bilinear between the cells' middles; beyond the outermost middles theirs
 */
export function valuesAlong(
  path: CutPath,
  value: (i: number, j: number) => number,
  nx: number,
  ny: number,
): Float64Array {
  const out = new Float64Array(path.x.length);
  for (let k = 0; k < out.length; k++) {
    const x = Math.min(nx - 1, Math.max(0, path.x[k] ?? 0));
    const y = Math.min(ny - 1, Math.max(0, path.y[k] ?? 0));
    const [i, j] = [Math.min(Math.floor(x), Math.max(0, nx - 2)), Math.min(Math.floor(y), Math.max(0, ny - 2))];
    const [east, north] = [Math.min(i + 1, nx - 1), Math.min(j + 1, ny - 1)];
    const [s, t] = [x - i, y - j];
    out[k] =
      (1 - t) * ((1 - s) * value(i, j) + s * value(east, j)) + t * ((1 - s) * value(i, north) + s * value(east, north));
  }
  return out;
}
