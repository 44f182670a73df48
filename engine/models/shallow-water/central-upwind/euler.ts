/**
 * An Euler step of the central-upwind scheme in float64 on arrays with three rings of ghost cells: one for the faces of the cells,
 * one for the slopes of the cells beyond them, and one because a face takes no more than its donor cell has left.
 */
import type { RealArray, ArraysOf } from '../../../compute/backend.ts';
import { referenceSteps, type StepFields } from '../../stepping.ts';
import { sourceCell, sourceSign, dragFactor, cellWaveRate, firstFault, largestRate } from '../basin.ts';
import type { Boundary, SchemeParameters } from '../basin.ts';
import { createFaceFlux, type Faces } from './face.ts';

/** The basin of the central-upwind scheme. */
export interface SchemeBasin extends Pick<
  SchemeParameters,
  'nx' | 'ny' | 'dx' | 'dy' | 'gravity' | 'boundary' | 'drag'
> {
  /** Elevation of the bed at cell centres, metres, [y][x]. */
  readonly bed: Float64Array;
  /** f + β·(y − y of the middle), 1/s and 1/(m s). */
  readonly coriolis: { readonly f: number; readonly beta: number };
  /** Manning's n, s/m^⅓. */
  readonly manning: number;
  /** A depth up to this, metres, is taken as dry. */
  readonly dryDepth: number;
}

const RINGS = 3;

/** The cells that cells and ghost cells along an axis copy, from index −3 on, and the signs of their normal momenta. */
interface Sources {
  readonly cell: Int32Array;
  readonly sign: Int8Array;
}

export interface EulerStep {
  /** On the grid with its ghost cells, [y][x]: how many cells a row has, and where the cell (j, i) is. */
  readonly width: number;
  readonly place: (i: number, j: number) => number;
  readonly columns: Sources;
  readonly rows: Sources;
  /** Elevation, depth and velocities of the member that was loaded last; and the bed. */
  readonly eta: Float64Array;
  readonly h: Float64Array;
  readonly u: Float64Array;
  readonly v: Float64Array;
  readonly ground: Float64Array;
  /** Elevation of the bed at the cells, in the precision of the states. */
  readonly bed: Float64Array;
  /** Fluxes of the last step through the left and the lower faces. */
  readonly xFaces: Faces;
  readonly yFaces: Faces;
  /** Share of its outflow that a cell has the water for. */
  readonly share: Float64Array;
  /** [y][x] */
  readonly slowing: Float64Array;
  /** Gives the bed the precision of the states: dry ground is where the two are the same. */
  readonly roundBed: (state: RealArray) => void;
  /** Loads the member whose η, hu, hv begin at `offset`, with its ghost cells. */
  load(state: RealArray, offset: number): void;
  /** The step from the member that was loaded, which is in `from`; the two may be the same. */
  step(from: RealArray, fromOffset: number, to: RealArray, toOffset: number, seconds: number): void;
}

export function createEulerStep(parameters: SchemeBasin): EulerStep {
  const { nx, ny, dx, dy, gravity, boundary, coriolis, dryDepth } = parameters;
  const bed = parameters.bed.slice();
  const cells = nx * ny;
  const width = nx + 2 * RINGS;
  const padded = width * (ny + 2 * RINGS);
  const array = (): Float64Array => new Float64Array(padded);

  // Of one member, with ghost cells: elevation, depth, velocities, bed.
  const eta = array();
  const h = array();
  const u = array();
  const v = array();
  const ground = array();
  // Through the left and the lower face of each cell: flux of water, of normal momentum as felt in the cell before and after
  // the face (the pressure within that cell taken away), and of tangential momentum.
  const faces = () => ({ water: array(), before: array(), after: array(), tangential: array(), advection: array() });
  const xFaces = faces();
  const yFaces = faces();
  /** Slope force of a cell, g·h̄·(η₊ − η₋), along x and y. */
  const xForce = array();
  const yForce = array();
  /** Share of the outflow that the cell can give in a step: 1 but where it would fall dry. */
  const share = array();
  /** What is left of the momentum of a cell that would be too fast: 1 but at a shore. */
  const slowing = new Float64Array(cells);

  const columns = sourcesAlong(nx, boundary.x);
  const rows = sourcesAlong(ny, boundary.y);
  for (let j = -RINGS; j < ny + RINGS; j++) {
    for (let i = -RINGS; i < nx + RINGS; i++) {
      ground[place(i, j)] = bed[rows.cell[j + RINGS] * nx + columns.cell[i + RINGS]];
    }
  }
  const alongX = createFaceFlux({ gravity, dryDepth, eta, h, normal: u, tangential: v, ground, stride: 1 });
  const alongY = createFaceFlux({ gravity, dryDepth, eta, h, normal: v, tangential: u, ground, stride: width });

  function place(i: number, j: number): number {
    return (j + RINGS) * width + i + RINGS;
  }

  /** Loads cells and ghost cells of one member. */
  function load(state: RealArray, offset: number): void {
    for (let j = -RINGS; j < ny + RINGS; j++) {
      const row = rows.cell[j + RINGS] * nx;
      const signY = rows.sign[j + RINGS];
      for (let i = -RINGS; i < nx + RINGS; i++) {
        const from = offset + row + columns.cell[i + RINGS];
        const to = place(i, j);
        eta[to] = state[from];
        h[to] = Math.max(eta[to] - ground[to], 0);
        const wet = h[to] > dryDepth;
        u[to] = wet ? (columns.sign[i + RINGS] * state[from + cells]) / h[to] : 0;
        v[to] = wet ? (signY * state[from + 2 * cells]) / h[to] : 0;
      }
    }
  }

  /** Fluxes through all faces of the cells and of the first ring around them. */
  function fluxes(): void {
    for (let j = -1; j <= ny; j++) alongX(place(-1, j), nx + 3, xFaces, xForce);
    for (let i = -1; i <= nx; i++) alongY(place(i, -1), ny + 3, yFaces, yForce);
  }

  function shares(seconds: number): void {
    for (let j = -1; j <= ny; j++) {
      for (let i = -1; i <= nx; i++) {
        const c = place(i, j);
        const outflow =
          (seconds / dx) * (Math.max(xFaces.water[c + 1], 0) + Math.max(-xFaces.water[c], 0)) +
          (seconds / dy) * (Math.max(yFaces.water[c + width], 0) + Math.max(-yFaces.water[c], 0));
        share[c] = outflow > h[c] ? h[c] / outflow : 1;
      }
    }
  }

  /**
   * Factor that brings the new speed of cell `c` down to the largest that water from it or beside it can have: |u| + 2c, as of
   * water that runs out over dry ground, and what it gains by falling from there [Ritter's front; Bernoulli]. Forces on a
   * film at the shore are those of the deeper water beside it, and would make it faster than anything around.
   */
  function slowdown(c: number, speed: number): number {
    if (speed <= reach(c, c)) return 1;
    const fastest = Math.max(reach(c, c), reach(c - 1, c), reach(c + 1, c), reach(c - width, c), reach(c + width, c));
    return speed > fastest ? fastest / speed : 1;
  }

  /** Largest speed that water of cell `from` can have in cell `to`. */
  function reach(from: number, to: number): number {
    if (h[from] <= dryDepth) return 0;
    const front = Math.sqrt(u[from] * u[from] + v[from] * v[from]) + 2 * Math.sqrt(gravity * h[from]);
    return Math.sqrt(front * front + 2 * gravity * Math.max(eta[from] - eta[to], 0));
  }

  /** Euler step of one member from what was loaded. */
  function step(from: RealArray, fromOffset: number, to: RealArray, toOffset: number, seconds: number): void {
    fluxes();
    shares(seconds);
    const ratioX = seconds / dx;
    const ratioY = seconds / dy;
    for (let j = 0; j < ny; j++) {
      const rotation = seconds * (coriolis.f + coriolis.beta * (j - 0.5 * (ny - 1)) * dy);
      for (let i = 0; i < nx; i++) {
        const c = place(i, j);
        const cell = j * nx + i;
        const west = xFaces.water[c] > 0 ? share[c - 1] : share[c];
        const east = xFaces.water[c + 1] > 0 ? share[c] : share[c + 1];
        const south = yFaces.water[c] > 0 ? share[c - width] : share[c];
        const north = yFaces.water[c + width] > 0 ? share[c] : share[c + width];
        const water =
          ratioX * (east * xFaces.water[c + 1] - west * xFaces.water[c]) +
          ratioY * (north * yFaces.water[c + width] - south * yFaces.water[c]);
        const alongX =
          ratioX *
            (east * xFaces.advection[c + 1] -
              west * xFaces.advection[c] +
              (xFaces.before[c + 1] - xFaces.after[c] + xForce[c])) +
          ratioY * (north * yFaces.tangential[c + width] - south * yFaces.tangential[c]);
        const alongY =
          ratioY *
            (north * yFaces.advection[c + width] -
              south * yFaces.advection[c] +
              (yFaces.before[c + width] - yFaces.after[c] + yForce[c])) +
          ratioX * (east * xFaces.tangential[c + 1] - west * xFaces.tangential[c]);
        const hu = from[fromOffset + cells + cell];
        const hv = from[fromOffset + 2 * cells + cell];
        const elevation = Math.max(from[fromOffset + cell] - water, bed[cell]);
        const wet = elevation - bed[cell] > dryDepth;
        to[toOffset + cell] = elevation;
        const x = wet ? hu - alongX + rotation * hv : 0;
        const y = wet ? hv - alongY - rotation * hu : 0;
        slowing[cell] = wet ? slowdown(c, Math.sqrt(x * x + y * y) / (elevation - bed[cell])) : 1;
        to[toOffset + cells + cell] = slowing[cell] * x;
        to[toOffset + 2 * cells + cell] = slowing[cell] * y;
      }
    }
  }

  function roundBed(state: RealArray): void {
    if (state instanceof Float32Array) for (const table of [bed, ground]) table.set(Float32Array.from(table));
  }

  return {
    width,
    place,
    columns,
    rows,
    eta,
    h,
    u,
    v,
    ground,
    bed,
    xFaces,
    yFaces,
    share,
    slowing,
    roundBed,
    load,
    step,
  };
}

/** Sources along an axis of `n` cells and its ghost cells, from index −RINGS on: the cell that represents each, and the sign of its normal momentum. */
function sourcesAlong(n: number, rule: Boundary): Sources {
  const indices = Array.from({ length: n + 2 * RINGS }, (_, k) => k - RINGS);
  return {
    cell: Int32Array.from(indices, (i) => sourceCell(i, n, rule)),
    sign: Int8Array.from(indices, (i) => sourceSign(i, n, rule)),
  };
}

/** What the central-upwind scheme is prepared with. */
export interface CentralUpwindParameters extends SchemeParameters, SchemeBasin {}

/** The central-upwind scheme in float64: friction, Heun's step of two Euler steps, friction. */
export function centralUpwindReference(parameters: CentralUpwindParameters): (arrays: ArraysOf<StepFields>) => void {
  const { nx, ny, gravity, members, manning, drag = 0, dryDepth } = parameters;
  const cells = nx * ny;
  const euler = createEulerStep(parameters);
  const { bed } = euler;
  const stage = new Float64Array(3 * cells);

  /** Heun's step: the mean of the state and of two Euler steps from it. */
  function heun(state: RealArray, offset: number, seconds: number): void {
    friction(state, offset, seconds / 2);
    euler.load(state, offset);
    euler.step(state, offset, stage, 0, seconds);
    euler.load(stage, 0);
    euler.step(stage, 0, stage, 0, seconds);
    for (let cell = 0; cell < cells; cell++) {
      const i = offset + cell;
      state[i] = 0.5 * (state[i] + stage[cell]);
      const wet = state[i] - bed[cell] > dryDepth;
      state[i + cells] = wet ? 0.5 * (state[i + cells] + stage[cell + cells]) : 0;
      state[i + 2 * cells] = wet ? 0.5 * (state[i + 2 * cells] + stage[cell + 2 * cells]) : 0;
    }
    friction(state, offset, seconds / 2);
  }

  /** The exact solution of dq/dt = −g n² |q| q / h^(7/3) at constant depth, between two halves of the linear drag. */
  function friction(state: RealArray, offset: number, seconds: number): void {
    if (manning === 0 && drag === 0) return;
    const half = dragFactor(drag, seconds / 2);
    for (let cell = 0; cell < cells; cell++) {
      const i = offset + cell;
      const depth = state[i] - bed[cell];
      if (depth <= dryDepth) continue;
      const speed = half * Math.hypot(state[i + cells], state[i + 2 * cells]);
      const factor = half ** 2 / (1 + (seconds * gravity * manning ** 2 * speed) / depth ** (7 / 3));
      state[i + cells] *= factor;
      state[i + 2 * cells] *= factor;
    }
  }

  return referenceSteps(parameters, (state) => {
    euler.roundBed(state);
    const rateOf = (i: number, cell: number): number => {
      const depth = state[i] - bed[cell];
      if (depth <= dryDepth) return 0;
      return cellWaveRate(parameters, depth, state[i + cells] / depth, state[i + 2 * cells] / depth);
    };
    return {
      step(seconds) {
        for (let member = 0; member < members; member++) heun(state, member * 3 * cells, seconds);
      },
      waveRate: () => largestRate(parameters, rateOf),
      fault: (bound) => firstFault(parameters, state, bound, rateOf, () => false),
    };
  });
}
