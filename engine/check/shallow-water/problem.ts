import { atCentres, meansOver } from './cells.ts';
import type { ShallowWaterDescription } from '../../models/index.ts';
import type { Cells } from './cells.ts';
import type { ExactSolution } from './exact/solution.ts';

export type Boundary = 'wall' | 'periodic' | 'open';

/** Cell values of the state: depth (m) and momenta (m²/s), each [y][x]. */
export interface CellState {
  readonly h: Float64Array;
  readonly hu: Float64Array;
  readonly hv: Float64Array;
}

/** What a case gives the model. */
export interface Problem {
  /** `central-upwind` when absent. */
  readonly scheme?: ShallowWaterDescription['scheme'];
  readonly cells: Cells;
  /** m/s². */
  readonly gravity: number;
  /** Elevation of the bed by cell, m. */
  readonly bed: Float64Array;
  /** Constant Coriolis parameter, 1/s; 0 when absent. */
  readonly coriolis?: number;
  /** Walls when absent. */
  readonly boundary?: { readonly x: Boundary; readonly y: Boundary };
  /** Seconds; when absent the steps follow the Courant number. */
  readonly timeStep?: number;
  readonly initial: CellState;
}

type Laying = (cells: Cells, f: (x: number, y: number) => number) => Float64Array;

function laid(lay: Laying, cells: Cells, exact: ExactSolution, t: number): CellState & { readonly eta: Float64Array } {
  return {
    eta: lay(cells, (x, y) => exact(x, y, t).eta),
    h: lay(cells, (x, y) => exact(x, y, t).h),
    hu: lay(cells, (x, y) => exact(x, y, t).h * exact(x, y, t).u),
    hv: lay(cells, (x, y) => exact(x, y, t).h * exact(x, y, t).v),
  };
}

/** The exact state at the centres of the cells: what errors are measured against. */
export function centresOf(cells: Cells, exact: ExactSolution, t = 0): CellState & { readonly eta: Float64Array } {
  return laid(atCentres, cells, exact, t);
}

/** A flat bed at elevation `level`. */
export function flatBed({ nx, ny }: Cells, level: number): Float64Array {
  return new Float64Array(nx * ny).fill(level);
}

/** Means of the exact state over the cells: what a finite-volume model starts from. */
export function meansOf(cells: Cells, exact: ExactSolution, t = 0): CellState & { readonly eta: Float64Array } {
  return laid(meansOver, cells, exact, t);
}

/** Water without motion whose surface has elevation `eta` where that is above the bed. */
export function stillWater(cells: Cells, bed: Float64Array, eta: (x: number, y: number) => number): CellState {
  const h = atCentres(cells, eta).map((surface, cell) => Math.max(0, surface - bed[cell]));
  return { h, hu: new Float64Array(h.length), hv: new Float64Array(h.length) };
}
