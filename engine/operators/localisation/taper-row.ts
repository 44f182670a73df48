/** The first row of the taper matrix C, from the Gaspari–Cohn function [gaspari1999] of the distance in grid points. */
import { gaspariCohn } from './gaspari-cohn.ts';

export interface TaperGrid {
  readonly nx: number;
  readonly ny: number;
  readonly periodicX: boolean;
  readonly periodicY: boolean;
  /** c in cells along x: the taper is 0 from a distance of 2c on. */
  readonly halfWidthCells: number;
  /** dy/dx, 1 if omitted: what a cell along y counts. */
  readonly aspect?: number;
}

export interface Taper {
  /** [ny][nx]: the taper at the distance of cell (y, x) from cell (0, 0). */
  readonly row: Float64Array;
  /** Largest distance along x and y (the shorter way round where periodic) with a taper other than 0. */
  readonly reachX: number;
  readonly reachY: number;
}

/** The shorter way from index 0 to `index`. */
function lag(index: number, size: number, periodic: boolean): number {
  return periodic ? Math.min(index, size - index) : index;
}

/**
 * Distances on periodic axes go the shorter way round; |x₁ − x₂| alone determines which that is, so that C stays block Toeplitz.
 * C is positive semidefinite where twice the half-width is at most half of each periodic axis.
 */
export function taperRow({ nx, ny, periodicX, periodicY, halfWidthCells, aspect = 1 }: TaperGrid): Taper {
  const row = new Float64Array(nx * ny);
  let reachX = 0;
  let reachY = 0;
  for (let y = 0; y < ny; y++) {
    const lagY = lag(y, ny, periodicY);
    for (let x = 0; x < nx; x++) {
      const lagX = lag(x, nx, periodicX);
      const taper = gaspariCohn(Math.hypot(lagX, aspect * lagY) / halfWidthCells);
      row[y * nx + x] = taper;
      if (taper === 0) continue;
      reachX = Math.max(reachX, lagX);
      reachY = Math.max(reachY, lagY);
    }
  }
  return { row, reachX, reachY };
}
