/** The Gaspari–Cohn function, and the taper of a covariance made of it [gaspari1999], on axes that may be periodic. */

interface TaperGrid {
  readonly nx: number;
  readonly ny: number;
  readonly periodicX: boolean;
  readonly periodicY: boolean;
  /** c in cells along x: the taper is 0 from a distance of 2c on. */
  readonly halfWidthCells: number;
  /** dy/dx, 1 if omitted: what a cell along y counts. */
  readonly aspect?: number;
}

interface Taper {
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
 * The first row of the taper matrix C. Distances on periodic axes go the shorter way round; |x₁ − x₂| alone determines which that is, so that C stays block Toeplitz.
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

/**
 * The fifth-order compactly supported correlation function [gaspari1999, eq. 4.10], as localisation weight.
 *
 * The outer branch is written with its fourfold root at 2 taken out, (2 − z)⁴(z² + 2z − ½)/(12 z), which keeps all digits of
 * the small weights near the edge and never falls below zero; expanded, the polynomial cancels there.
 *
 * @param z distance over half-width c, at least 0; the support is z < 2
 * @returns weight in [0, 1]: 1 at 0, 5/24 at 1, 0 from 2 on
 */
export function gaspariCohn(z: number): number {
  if (z >= 2) return 0;
  if (z <= 1) return 1 - z * z * (5 / 3 - z * (5 / 8 + z * (1 / 2 - z / 4)));
  const toEdge = (2 - z) * (2 - z);
  return (toEdge * toEdge * (z * (z + 2) - 0.5)) / (12 * z);
}

/** How far what is related: distances in cells along x, the shorter way round where periodic. */
export interface TaperGeometry {
  readonly nx: number;
  readonly ny: number;
  readonly periodicX: boolean;
  readonly periodicY: boolean;
  /** dy/dx: what a cell along y counts. */
  readonly aspect: number;
  /** c in cells along x: nothing is related from a distance of 2c on. */
  readonly halfWidthCells: number;
}

/** A difference of coordinates on a periodic axis, brought to the shortest of its images. */
export function shortest(difference: number, period: number): number {
  return difference - period * Math.round(difference / period);
}

/** @returns the taper between two places a difference apart, cells; exactly 0 out of reach */
export function taperBetween({ nx, ny, periodicX, periodicY, aspect, halfWidthCells }: TaperGeometry) {
  const support = (2 * halfWidthCells) ** 2;
  return (differenceX: number, differenceY: number): number => {
    const x = periodicX ? shortest(differenceX, nx) : differenceX;
    const y = aspect * (periodicY ? shortest(differenceY, ny) : differenceY);
    const square = x * x + y * y;
    return square >= support ? 0 : gaspariCohn(Math.sqrt(square) / halfWidthCells);
  };
}
