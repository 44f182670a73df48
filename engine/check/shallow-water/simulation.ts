/** Simulations for cases: a problem on a grid, run, and compared cell by cell. */
import { createShallowWater, type ShallowWaterDescription } from '../../models/index.ts';
import type { Backend } from '../../compute/backend.ts';
import type { ExactSolution } from './exact.ts';

export interface Cells {
  readonly nx: number;
  readonly ny: number;
  /** The corner of the box with the smallest coordinates, m. */
  readonly x0: number;
  readonly y0: number;
  /** Sides of a cell, m. */
  readonly dx: number;
  readonly dy: number;
}

type Interval = readonly [number, number];

/** [x₀, x₁] × [y₀, y₁] in nx × ny cells. */
export function box(nx: number, ny: number, [x0, x1]: Interval, [y0, y1]: Interval): Cells {
  return { nx, ny, x0, y0, dx: (x1 - x0) / nx, dy: (y1 - y0) / ny };
}

/** One row of square cells along [x₀, x₁]: a problem in x alone. */
export function row(nx: number, [x0, x1]: Interval): Cells {
  const dx = (x1 - x0) / nx;
  return { nx, ny: 1, x0, y0: -dx / 2, dx, dy: dx };
}

/** f at the centres of the cells. */
export function atCentres({ nx, ny, x0, y0, dx, dy }: Cells, f: (x: number, y: number) => number): Float64Array {
  const values = new Float64Array(nx * ny);
  for (let j = 0; j < ny; j++) {
    for (let i = 0; i < nx; i++) values[j * nx + i] = f(x0 + (i + 0.5) * dx, y0 + (j + 0.5) * dy);
  }
  return values;
}

/** Means of f over the cells, by the midpoint rule on `parts` × `parts` parts of each: what a finite-volume state represents. */
export function meansOver(cells: Cells, f: (x: number, y: number) => number, parts = 8): Float64Array {
  const { nx, ny, dx, dy } = cells;
  const fine = { ...cells, nx: nx * parts, ny: ny * parts, dx: dx / parts, dy: dy / parts };
  return coarsen(atCentres(fine, f), fine, parts);
}

/** Means of blocks of `factor` × `factor` cells. */
export function coarsen(fine: Float64Array, { nx, ny }: Pick<Cells, 'nx' | 'ny'>, factor: number): Float64Array {
  const width = nx / factor;
  const coarse = new Float64Array(width * (ny / factor));
  for (let j = 0; j < ny; j++) {
    for (let i = 0; i < nx; i++) coarse[Math.floor(j / factor) * width + Math.floor(i / factor)] += fine[j * nx + i];
  }
  return coarse.map((sum) => sum / factor ** 2);
}

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

/** The state after `seconds`; with the scheme `central-upwind` the elevation of the surface is as it lives on the backend. */
export async function simulate(
  backend: Backend,
  problem: Problem,
  seconds: number,
): Promise<CellState & { readonly eta: Float64Array }> {
  const {
    scheme = 'central-upwind',
    cells,
    gravity,
    bed,
    coriolis = 0,
    boundary = { x: 'wall', y: 'wall' },
    timeStep = 'auto',
    initial,
  } = problem;
  const { nx, ny, dx, dy } = cells;
  const model = createShallowWater({
    scheme,
    grid: { nx, ny, dx, dy, periodicX: boundary.x === 'periodic', periodicY: boundary.y === 'periodic' },
    gravity,
    timeStep,
    coriolis: { f: coriolis, beta: 0 },
    manning: 0,
    boundary,
    bed,
  });
  const external = Float64Array.from([...initial.h, ...initial.hu, ...initial.hv]);
  const state = backend.allocate('verification.state', 'real', external.length);
  backend.write(state, model.toState(external));
  const propagator = await model.prepare(backend, 1);
  await propagator.advance(state, seconds);
  await propagator.check('verification');
  const found = await backend.read(state);
  propagator.dispose();
  state.dispose();
  const size = nx * ny;
  // The bed as the backend has it: a depth below zero is to be seen, not the rounding of the bed.
  const ground = backend.precision === 'float32' ? Float32Array.from(bed) : bed;
  const surface = found.slice(0, size);
  const isElevation = model.surface === 'elevation';
  return {
    eta: isElevation ? surface : surface.map((h, cell) => h + ground[cell]),
    h: isElevation ? surface.map((eta, cell) => eta - ground[cell]) : surface,
    hu: found.slice(size, 2 * size),
    hv: found.slice(2 * size),
  };
}
