/** The bottom of the scenario's basin as elevations at cell centres. */
import type { ScenarioFiles } from '../scenario/index.ts';
import type { Bathymetry } from '../scenario/index.ts';
import type { Grid } from '../models/index.ts';

/** Share of the way along an axis of `n` cells at which cell `i` lies, 0 at the first centre and 1 at the last. */
function share(i: number, n: number): number {
  return n > 1 ? i / (n - 1) : 0.5;
}

/** Cells from the middle of the breakwater to its foot, along x: a slope that the grid resolves. */
const BREAKWATER_HALF_WIDTH = 2;

/**
 * The elevation of a breakwater over the slope that it stands on: a ridge along y, as high as its crest in the middle and
 * falling to the slope within `BREAKWATER_HALF_WIDTH` cells, absent in the opening.
 */
function harbourElevation(
  { depth, endDepth, breakwater, crest, opening }: Extract<Bathymetry, { kind: 'harbour' }>,
  { nx, ny }: Grid,
  j: number,
  i: number,
): number {
  const slope = -depth + (depth - endDepth) * share(i, nx);
  if (Math.abs(share(j, ny) - 0.5) < opening / 2) return slope;
  const away = Math.abs(i - breakwater * (nx - 1)) / BREAKWATER_HALF_WIDTH;
  return away < 1 ? Math.max(slope, crest + (slope - crest) * away) : slope;
}

/** @returns elevation of the bed above the surface of the water at rest, metres, [ny][nx]: −depth under water */
export function bedElevation(bathymetry: Bathymetry, grid: Grid, files: ScenarioFiles): Float64Array {
  const { nx, ny, dx, dy } = grid;
  const byCell = (elevation: (j: number, i: number) => number): Float64Array =>
    Float64Array.from({ length: nx * ny }, (_, cell) => elevation(Math.floor(cell / nx), cell % nx));
  switch (bathymetry.kind) {
    case 'flat':
      return byCell(() => -bathymetry.depth);
    case 'basin': {
      // A parabola in the distance from the middle, measured so that it is 1 at the middle of each side.
      const { depth, edgeDepth } = bathymetry;
      return byCell((j, i) => {
        const x = 2 * share(i, nx) - 1;
        const y = 2 * share(j, ny) - 1;
        return -depth + (depth - edgeDepth) * (x * x + y * y);
      });
    }
    case 'bump': {
      const { depth, height, width, x, y } = bathymetry;
      return byCell((j, i) => {
        const along = (i - x * (nx - 1)) * dx;
        const across = (j - y * (ny - 1)) * dy;
        return -depth + height * Math.exp(-(along * along + across * across) / (2 * width * width));
      });
    }
    case 'slope': {
      const { axis, depth, endDepth } = bathymetry;
      return byCell((j, i) => -depth + (depth - endDepth) * (axis === 'x' ? share(i, nx) : share(j, ny)));
    }
    case 'harbour':
      return byCell((j, i) => harbourElevation(bathymetry, grid, j, i));
    case 'file':
      return Float64Array.from(files.array(bathymetry.file).data);
    default:
      return bathymetry satisfies never;
  }
}
