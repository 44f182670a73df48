/** What an exact solution of the shallow-water equations is here, and how it is laid on cells. */

/** The water at one point and time. */
export interface Water {
  /** Elevation of the surface above the level z = 0, m. Where it is dry, that of the bed. */
  readonly eta: number;
  /** Depth, m. */
  readonly h: number;
  /** Velocity along x, m/s; 0 where it is dry. */
  readonly u: number;
  /** Velocity along y, m/s; 0 where it is dry. */
  readonly v: number;
}

/** (x, y in m, t in s) ↦ the water there and then. */
export type ExactSolution = (x: number, y: number, t: number) => Water;

/** Elevation of the bed above the level z = 0, m. */
export type Bed = (x: number, y: number) => number;

/** A surface over a bed, dry where it would lie below it. */
export function waterOver(bed: number, eta: number, u: number, v: number): Water {
  const h = eta - bed;
  return h > 0 ? { eta, h, u, v } : { eta: bed, h: 0, u: 0, v: 0 };
}

/** Water of depth `h` and velocity `u` along x over a flat bed at z = 0. */
export function flowAlongX(h: number, u: number): Water {
  return { eta: h, h, u, v: 0 };
}
