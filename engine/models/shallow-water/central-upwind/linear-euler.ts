/** An Euler step of the central-upwind scheme (euler.ts), linearised about the state that it is taken from. */
import type { RealArray } from '../../../compute/backend.ts';
import type { LinearStepParameters } from '../../model.ts';
import { createEulerStep, type SchemeBasin } from './euler.ts';
import { createLinearFaces, type FaceChanges } from './linear-face.ts';

/** What the linearised step of the central-upwind scheme is prepared with. */
export interface LinearCentralUpwindParameters extends LinearStepParameters, SchemeBasin {}

/** A step that is followed: both directions keep the same. */
export type FollowedStepParameters = Omit<LinearCentralUpwindParameters, 'direction'>;

/** Reals beyond the shares that vectors of SIMD reach. */
const BEYOND = 8;

/**
 * What is kept of a step of the central-upwind scheme for its derivative. A step is followed once, and linearised as often as a
 * minimisation asks.
 *
 * Where it is, in reals from the beginning, and by Euler step.
 */
interface KeptLayout {
  /** η, hu, hv between the Euler steps, [variable][y][x]. */
  readonly once: number;
  /** The mean of Heun's method, before the last friction: the same. */
  readonly mean: number;
  /** What is left of the momentum of a cell, 1 but at a shore; −1 where the cell's elevation is that of the ground, [y][x]. */
  readonly limits: readonly [number, number];
  /** Share of its outflow that a cell has the water for, with a ring of cells around the basin, [y][x]. */
  readonly shares: readonly [number, number];
  readonly length: number;
}

export function keptLayout({ nx, ny }: { readonly nx: number; readonly ny: number }): KeptLayout {
  const cells = nx * ny;
  const withRing = (nx + 2) * (ny + 2);
  return {
    once: 0,
    mean: 3 * cells,
    limits: [6 * cells, 7 * cells],
    shares: [8 * cells, 8 * cells + withRing],
    length: 8 * cells + 2 * withRing + BEYOND,
  };
}

export interface LinearEuler {
  /** Elevation of the bed, [y][x]. */
  readonly bed: Float64Array;
  /** As `EulerStep.roundBed`. */
  roundBed(state: RealArray): void;
  /** Prepares the derivative of the step from `from`, η, hu, hv, with what was kept of its limits and shares. */
  prepare(from: RealArray, limits: RealArray, shares: RealArray): void;
  /** `output` = the change of the state after the step. */
  tangent(input: Float64Array, output: Float64Array): void;
  /** `output` = the sensitivity to the state before, of that to the state after. */
  adjoint(input: Float64Array, output: Float64Array): void;
}

export function createLinearEuler(parameters: FollowedStepParameters): LinearEuler {
  const { nx, ny, dx, dy, gravity, coriolis, dryDepth, timeStep } = parameters;
  const euler = createEulerStep(parameters);
  const { width, place, columns, rows, eta, h, u, v, ground, bed, share } = euler;
  const cells = nx * ny;
  const array = (): Float64Array => new Float64Array(eta.length);
  const member = { gravity, dryDepth, eta, h, ground, share, longest: Math.max(nx, ny) };
  const alongX = createLinearFaces({ ...member, normal: u, tangential: v, stride: 1 });
  const alongY = createLinearFaces({ ...member, normal: v, tangential: u, stride: width });
  // With ghost cells: changes of elevation and velocities, or sensitivities to them.
  const [etas, us, vs] = [array(), array(), array()];
  const ofX = { eta: etas, normal: us, tangential: vs };
  const ofY = { eta: etas, normal: vs, tangential: us };
  const faces = (): FaceChanges => ({
    water: array(),
    advection: array(),
    tangential: array(),
    before: array(),
    after: array(),
    force: array(),
  });
  const [x, y] = [faces(), faces()];
  // Sensitivities to the water and to the momenta after the step, with its limits: 0 beyond the basin.
  const [toWater, toHu, toHv] = [array(), array(), array()];
  const afterX = { water: toWater, normal: toHu, tangential: toHv };
  const afterY = { water: toWater, normal: toHv, tangential: toHu };
  const ratioX = timeStep / dx;
  const ratioY = timeStep / dy;
  /** After the step: 1 if the elevation of a cell is that of its water, else 0; and what is left of its momentum. */
  const isWater = new Uint8Array(cells);
  const slowed = new Float64Array(cells);

  /** The rotation of a row of cells in a step. */
  function rotationOf(j: number): number {
    return timeStep * (coriolis.f + coriolis.beta * (j - 0.5 * (ny - 1)) * dy);
  }

  /** Changes of elevation and velocities, with those of ghost cells. */
  function loadChanges(input: Float64Array): void {
    for (let j = 0; j < rows.cell.length; j++) {
      for (let i = 0; i < width; i++) {
        const at = j * width + i;
        const cell = rows.cell[j] * nx + columns.cell[i];
        const dEta = input[cell];
        const isWet = h[at] > dryDepth;
        etas[at] = dEta;
        us[at] = isWet ? (columns.sign[i] * input[cell + cells] - u[at] * dEta) / h[at] : 0;
        vs[at] = isWet ? (rows.sign[j] * input[cell + 2 * cells] - v[at] * dEta) / h[at] : 0;
      }
    }
  }

  function tangent(input: Float64Array, output: Float64Array): void {
    loadChanges(input);
    for (let j = 0; j < ny; j++) alongX.tangent(place(0, j), nx + 1, ofX, x);
    for (let i = 0; i < nx; i++) alongY.tangent(place(i, 0), ny + 1, ofY, y);
    for (let j = 0; j < ny; j++) {
      const rotation = rotationOf(j);
      for (let i = 0; i < nx; i++) {
        const cell = j * nx + i;
        const c = place(i, j);
        const east = c + 1;
        const north = c + width;
        const dWater = ratioX * (x.water[east] - x.water[c]) + ratioY * (y.water[north] - y.water[c]);
        const dX =
          ratioX * (x.advection[east] - x.advection[c] + (x.before[east] - x.after[c] + x.force[c])) +
          ratioY * (y.tangential[north] - y.tangential[c]);
        const dY =
          ratioY * (y.advection[north] - y.advection[c] + (y.before[north] - y.after[c] + y.force[c])) +
          ratioX * (x.tangential[east] - x.tangential[c]);
        const hu = input[cell + cells];
        const hv = input[cell + 2 * cells];
        output[cell] = isWater[cell] * (input[cell] - dWater);
        output[cell + cells] = slowed[cell] * (hu - dX + rotation * hv);
        output[cell + 2 * cells] = slowed[cell] * (hv - dY - rotation * hu);
      }
    }
  }

  function adjoint(input: Float64Array, output: Float64Array): void {
    for (const values of [etas, us, vs]) values.fill(0);
    for (let j = 0; j < ny; j++) {
      const rotation = rotationOf(j);
      for (let i = 0; i < nx; i++) {
        const cell = j * nx + i;
        const c = place(i, j);
        const water = isWater[cell] * input[cell];
        const hu = slowed[cell] * input[cell + cells];
        const hv = slowed[cell] * input[cell + 2 * cells];
        output[cell] = toWater[c] = water;
        output[cell + cells] = hu - rotation * hv;
        output[cell + 2 * cells] = hv + rotation * hu;
        toHu[c] = hu;
        toHv[c] = hv;
      }
    }
    for (let j = 0; j < ny; j++) alongX.adjoint(place(0, j), nx + 1, afterX, ratioX, ofX);
    for (let i = 0; i < nx; i++) alongY.adjoint(place(i, 0), ny + 1, afterY, ratioY, ofY);
    for (let j = 0; j < rows.cell.length; j++) {
      for (let i = 0; i < width; i++) {
        const at = j * width + i;
        const cell = rows.cell[j] * nx + columns.cell[i];
        output[cell] += etas[at];
        if (h[at] <= dryDepth) continue;
        output[cell] -= (u[at] * us[at] + v[at] * vs[at]) / h[at];
        output[cell + cells] += (columns.sign[i] * us[at]) / h[at];
        output[cell + 2 * cells] += (rows.sign[j] * vs[at]) / h[at];
      }
    }
  }

  return {
    bed,
    roundBed: euler.roundBed,
    prepare(from, limits, shares) {
      euler.load(from, 0);
      for (let cell = 0; cell < cells; cell++) {
        isWater[cell] = Number(limits[cell] >= 0);
        slowed[cell] = Math.max(limits[cell], 0);
      }
      for (let j = -1; j <= ny; j++) {
        const row = (j + 1) * (nx + 2);
        share.set(shares.subarray(row, row + nx + 2), place(-1, j));
      }
    },
    tangent,
    adjoint,
  };
}
