/** An Euler step of the central-upwind scheme (euler.ts), linearised about the state that it is taken from. */
import type { RealArray } from '../../../compute/backend.ts';
import { createEulerStep } from './euler.ts';
import { createLinearFaces, type CellValues, type FaceValues } from './linear-face.ts';
import type { FollowedStepParameters } from './linear-kept.ts';

export interface LinearEuler {
  /** Elevation of the bed, [y][x]. */
  readonly bed: Float64Array;
  /** As `EulerStep.roundBed`. */
  roundBed(state: RealArray): void;
  /** Prepares the derivative of the step from `from`, η, hu, hv, with what was kept of its limits and shares (linear-kept.ts). */
  prepare(from: RealArray, limits: RealArray, shares: RealArray): void;
  /** `output` = the change of the state after the step. */
  tangent(input: Float64Array, output: Float64Array): void;
  /** `output` = the sensitivity to the state before, of that to the state after. */
  adjoint(input: Float64Array, output: Float64Array): void;
}

export function createLinearEuler(parameters: FollowedStepParameters): LinearEuler {
  const { nx, ny, dx, dy, gravity, coriolis, dryDepth, timeStep: seconds } = parameters;
  const euler = createEulerStep(parameters);
  const { width, place, columns, rows, eta, h, u, v, ground, bed, share } = euler;
  const cells = nx * ny;
  const array = (): Float64Array => new Float64Array(eta.length);
  const member = { gravity, dryDepth, eta, h, ground, share };
  const alongX = createLinearFaces({ ...member, normal: u, tangential: v, stride: 1 });
  const alongY = createLinearFaces({ ...member, normal: v, tangential: u, stride: width });
  // With ghost cells: elevation and velocities, fluxes and forces; changes of them, or sensitivities to them.
  const [etas, us, vs] = [array(), array(), array()];
  const faces = (): FaceValues => ({
    water: array(),
    advection: array(),
    before: array(),
    after: array(),
    tangential: array(),
  });
  const [xChanged, yChanged] = [faces(), faces()];
  const [xForce, yForce] = [array(), array()];
  const [xShare, yShare] = [alongX.share, alongY.share];
  const ofX: CellValues = { eta: etas, normal: us, tangential: vs };
  const ofY: CellValues = { eta: etas, normal: vs, tangential: us };
  /** After the step: whether the elevation of a cell is that of its water. */
  const isWater = new Uint8Array(cells);
  /** What is left of the momentum of a cell: 0 where it is dry. */
  const momentum = new Float64Array(cells);

  /** Calls with every cell and ghost cell, the cell that it copies, and the signs of its momenta. */
  function eachPlace(visit: (at: number, cell: number, signX: number, signY: number) => void): void {
    rows.cell.forEach((row, j) => {
      columns.cell.forEach((column, i) => visit(j * width + i, row * nx + column, columns.sign[i], rows.sign[j]));
    });
  }

  /** Calls with every cell, its place, and its rotation in a step. */
  function eachCell(visit: (cell: number, at: number, rotation: number) => void): void {
    for (let j = 0; j < ny; j++) {
      const rotation = seconds * (coriolis.f + coriolis.beta * (j - 0.5 * (ny - 1)) * dy);
      for (let i = 0; i < nx; i++) visit(j * nx + i, place(i, j), rotation);
    }
  }

  function tangent(input: Float64Array, output: Float64Array): void {
    eachPlace((at, cell, signX, signY) => {
      const dEta = input[cell];
      etas[at] = dEta;
      us[at] = vs[at] = 0;
      if (h[at] <= dryDepth) return;
      us[at] = (signX * input[cell + cells] - u[at] * dEta) / h[at];
      vs[at] = (signY * input[cell + 2 * cells] - v[at] * dEta) / h[at];
    });
    for (let j = 0; j < ny; j++) alongX.tangent(place(0, j), nx + 1, ofX, xChanged, xForce);
    for (let i = 0; i < nx; i++) alongY.tangent(place(i, 0), ny + 1, ofY, yChanged, yForce);
    const [ratioX, ratioY] = [seconds / dx, seconds / dy];
    eachCell((cell, c, rotation) => {
      const [east, north] = [c + 1, c + width];
      const water =
        ratioX * (xShare[east] * xChanged.water[east] - xShare[c] * xChanged.water[c]) +
        ratioY * (yShare[north] * yChanged.water[north] - yShare[c] * yChanged.water[c]);
      const x =
        ratioX *
          (xShare[east] * xChanged.advection[east] -
            xShare[c] * xChanged.advection[c] +
            (xChanged.before[east] - xChanged.after[c] + xForce[c])) +
        ratioY * (yShare[north] * yChanged.tangential[north] - yShare[c] * yChanged.tangential[c]);
      const y =
        ratioY *
          (yShare[north] * yChanged.advection[north] -
            yShare[c] * yChanged.advection[c] +
            (yChanged.before[north] - yChanged.after[c] + yForce[c])) +
        ratioX * (xShare[east] * xChanged.tangential[east] - xShare[c] * xChanged.tangential[c]);
      const [hu, hv] = [input[cell + cells], input[cell + 2 * cells]];
      const kept = momentum[cell];
      output[cell] = isWater[cell] * (input[cell] - water);
      output[cell + cells] = kept * (hu - x + rotation * hv);
      output[cell + 2 * cells] = kept * (hv - y - rotation * hu);
    });
  }

  function adjoint(input: Float64Array, output: Float64Array): void {
    for (const { water, advection, before, after, tangential } of [xChanged, yChanged]) {
      for (const values of [water, advection, before, after, tangential]) values.fill(0);
    }
    for (const values of [etas, us, vs, xForce, yForce]) values.fill(0);
    const [ratioX, ratioY] = [seconds / dx, seconds / dy];
    eachCell((cell, c, rotation) => {
      const [east, north] = [c + 1, c + width];
      const water = isWater[cell] * input[cell];
      const kept = momentum[cell];
      const [x, y] = [kept * input[cell + cells], kept * input[cell + 2 * cells]];
      output[cell] = water;
      output[cell + cells] = x - rotation * y;
      output[cell + 2 * cells] = y + rotation * x;
      xChanged.water[east] -= ratioX * xShare[east] * water;
      xChanged.water[c] += ratioX * xShare[c] * water;
      yChanged.water[north] -= ratioY * yShare[north] * water;
      yChanged.water[c] += ratioY * yShare[c] * water;
      xChanged.advection[east] -= ratioX * xShare[east] * x;
      xChanged.advection[c] += ratioX * xShare[c] * x;
      xChanged.before[east] -= ratioX * x;
      xChanged.after[c] += ratioX * x;
      xForce[c] -= ratioX * x;
      yChanged.tangential[north] -= ratioY * yShare[north] * x;
      yChanged.tangential[c] += ratioY * yShare[c] * x;
      yChanged.advection[north] -= ratioY * yShare[north] * y;
      yChanged.advection[c] += ratioY * yShare[c] * y;
      yChanged.before[north] -= ratioY * y;
      yChanged.after[c] += ratioY * y;
      yForce[c] -= ratioY * y;
      xChanged.tangential[east] -= ratioX * xShare[east] * y;
      xChanged.tangential[c] += ratioX * xShare[c] * y;
    });
    for (let j = 0; j < ny; j++) alongX.adjoint(place(0, j), nx + 1, xChanged, xForce, ofX);
    for (let i = 0; i < nx; i++) alongY.adjoint(place(i, 0), ny + 1, yChanged, yForce, ofY);
    eachPlace((at, cell, signX, signY) => {
      output[cell] += etas[at];
      if (h[at] <= dryDepth) return;
      output[cell] -= (u[at] * us[at] + v[at] * vs[at]) / h[at];
      output[cell + cells] += (signX * us[at]) / h[at];
      output[cell + 2 * cells] += (signY * vs[at]) / h[at];
    });
  }

  return {
    bed,
    roundBed: euler.roundBed,
    prepare(from, limits, shares) {
      euler.load(from, 0);
      for (let cell = 0; cell < cells; cell++) {
        isWater[cell] = Number(limits[cell] >= 0);
        momentum[cell] = Math.max(limits[cell], 0);
      }
      for (let j = -1; j <= ny; j++) {
        const row = (j + 1) * (nx + 2);
        share.set(shares.subarray(row, row + nx + 2), place(-1, j));
      }
      for (let j = 0; j < ny; j++) alongX.prepare(place(0, j), nx + 1);
      for (let i = 0; i < nx; i++) alongY.prepare(place(i, 0), ny + 1);
    },
    tangent,
    adjoint,
  };
}
