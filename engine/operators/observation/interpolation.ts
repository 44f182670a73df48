/** Points of the grid to the four cells around them and their bilinear weights, in float64 on the host. */
import { CaseError } from '../../errors.ts';
import type { SparseRows } from './sparse.ts';

/** Cell (i, j) has its centre at x = i, y = j. Along a periodic axis cell n is cell 0 again. */
export interface InterpolationGrid {
  readonly nx: number;
  readonly ny: number;
  readonly periodicX: boolean;
  readonly periodicY: boolean;
}

/** Four corners a point, in the order (i, j), (i + 1, j), (i, j + 1), (i + 1, j + 1). */
export interface Stencil {
  /** Cell index j·nx + i, `[points][4]`. */
  readonly corners: Uint32Array;
  /** `[points][4]`, each four of sum 1. */
  readonly weights: Float64Array;
}

interface Bracket {
  readonly lower: number;
  readonly upper: number;
  /** Weight of the upper cell, 0 … 1. */
  readonly fraction: number;
}

/** The two cells of one axis around a position. The last centre of a bounded axis is reached from below. */
function bracket(position: number, size: number, periodic: boolean): Bracket {
  const lower = Math.min(Math.floor(position), periodic ? size - 1 : Math.max(0, size - 2));
  const upper = periodic ? (lower + 1) % size : Math.min(lower + 1, size - 1);
  return { lower, upper, fraction: position - lower };
}

function assertInside(axis: 'x' | 'y', position: number, size: number, periodic: boolean, point: string): void {
  if (position >= 0 && (periodic ? position < size : position <= size - 1)) return;
  const range = periodic ? `0 ≤ ${axis} < ${size}` : `0 ≤ ${axis} ≤ ${size - 1}`;
  throw new CaseError(`${point} is outside the grid: ${range} is allowed, in cells; move it or omit it`);
}

/**
 * @param x positions in grid units, 0 … nx − 1, or below nx where the axis is periodic
 * @param y likewise
 * @throws CaseError naming the point that is outside the grid
 */
export function bilinearStencil(
  { nx, ny, periodicX, periodicY }: InterpolationGrid,
  x: ArrayLike<number>,
  y: ArrayLike<number>,
): Stencil {
  if (x.length !== y.length) throw new CaseError(`${x.length} x positions and ${y.length} y positions are given`);
  const corners = new Uint32Array(4 * x.length);
  const weights = new Float64Array(4 * x.length);
  for (let point = 0; point < x.length; point++) {
    const name = `observation ${point} at (x ${x[point]}, y ${y[point]})`;
    assertInside('x', x[point], nx, periodicX, name);
    assertInside('y', y[point], ny, periodicY, name);
    const column = bracket(x[point], nx, periodicX);
    const row = bracket(y[point], ny, periodicY);
    corners.set(
      [
        row.lower * nx + column.lower,
        row.lower * nx + column.upper,
        row.upper * nx + column.lower,
        row.upper * nx + column.upper,
      ],
      4 * point,
    );
    weights.set(
      [
        (1 - row.fraction) * (1 - column.fraction),
        (1 - row.fraction) * column.fraction,
        row.fraction * (1 - column.fraction),
        row.fraction * column.fraction,
      ],
      4 * point,
    );
  }
  return { corners, weights };
}

/**
 * The matrix H that interpolates state components to points: four entries a row, in the stencil's order.
 *
 * @param points positions as in `bilinearStencil`, and the state component that each sees
 * @returns H of `points` rows and variables·ny·nx columns
 * @throws CaseError naming the point that is outside the grid
 */
export function interpolation(
  grid: InterpolationGrid,
  points: {
    readonly x: ArrayLike<number>;
    readonly y: ArrayLike<number>;
    readonly component: ArrayLike<number>;
  },
): SparseRows & { readonly data: Float64Array } {
  const { corners, weights } = bilinearStencil(grid, points.x, points.y);
  const plane = grid.nx * grid.ny;
  return {
    indptr: Uint32Array.from({ length: points.x.length + 1 }, (_, row) => 4 * row),
    indices: corners.map((cell, entry) => points.component[entry >> 2] * plane + cell),
    data: weights,
  };
}
