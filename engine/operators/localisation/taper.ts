/** The taper of a covariance between two places [gaspari1999], on axes that may be periodic. */
import { gaspariCohn } from './gaspari-cohn.ts';

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
