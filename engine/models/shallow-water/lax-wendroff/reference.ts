/** The Lax–Wendroff scheme in float64 on arrays with one ring of ghost cells. */
import type { ArraysOf } from '../../../compute/backend.ts';
import { referenceSteps } from '../../stepping.ts';
import type { StepFields } from '../../stepping.ts';
import { sourceCell, sourceSign } from '../boundary.ts';
import { cellWaveRate, firstFault, largestRate } from '../diagnosis.ts';
import type { LaxWendroffParameters } from './index.ts';

export function laxWendroffReference(parameters: LaxWendroffParameters): (arrays: ArraysOf<StepFields>) => void {
  const { nx, ny, dx, dy, gravity: g, boundary, members } = parameters;
  const cells = nx * ny;
  const width = nx + 2;
  const padded = width * (ny + 2);
  const h = new Float64Array(padded);
  const hu = new Float64Array(padded);
  const hv = new Float64Array(padded);
  // Half-step states: x-face (j, i) lies between the cells (j, i − 1) and (j, i), y-face (j, i) between (j − 1, i) and (j, i).
  const xFaces = [0, 1, 2].map(() => new Float64Array((nx + 1) * ny));
  const yFaces = [0, 1, 2].map(() => new Float64Array(nx * (ny + 1)));

  /** Cells and ghost cells of one member. */
  function load(state: Float64Array, offset: number): void {
    for (let j = -1; j <= ny; j++) {
      const row = sourceCell(j, ny, boundary.y) * nx;
      const signY = sourceSign(j, ny, boundary.y);
      for (let i = -1; i <= nx; i++) {
        const from = offset + row + sourceCell(i, nx, boundary.x);
        const to = (j + 1) * width + i + 1;
        h[to] = state[from];
        hu[to] = sourceSign(i, nx, boundary.x) * state[from + cells];
        hv[to] = signY * state[from + 2 * cells];
      }
    }
  }

  function halfSteps(seconds: number): void {
    for (let j = 0; j < ny; j++) {
      for (let i = 0; i <= nx; i++) {
        const a = (j + 1) * width + i;
        halfStep(xFaces, j * (nx + 1) + i, a, a + 1, hu, hv, seconds / (2 * dx));
      }
    }
    for (let j = 0; j <= ny; j++) {
      for (let i = 0; i < nx; i++) {
        const a = j * width + i + 1;
        halfStep(yFaces, j * nx + i, a, a + width, hv, hu, seconds / (2 * dy));
      }
    }
  }

  /** q½ between the cells a and b, with the momenta normal and tangential to the face. */
  function halfStep(
    faces: readonly Float64Array[],
    face: number,
    a: number,
    b: number,
    normal: Float64Array,
    tangential: Float64Array,
    ratio: number,
  ): void {
    const pressure = (c: number): number => normal[c] ** 2 / h[c] + 0.5 * g * h[c] ** 2;
    const transport = (c: number): number => (normal[c] * tangential[c]) / h[c];
    faces[0][face] = 0.5 * (h[a] + h[b]) - ratio * (normal[b] - normal[a]);
    faces[1][face] = 0.5 * (normal[a] + normal[b]) - ratio * (pressure(b) - pressure(a));
    faces[2][face] = 0.5 * (tangential[a] + tangential[b]) - ratio * (transport(b) - transport(a));
  }

  /** Differences over a cell of the fluxes through faces a and b: of depth, normal and tangential momentum. */
  const difference = new Float64Array(3);
  function fluxDifference([depth, normal, tangential]: readonly Float64Array[], a: number, b: number): void {
    const pressure = (f: number): number => normal[f] ** 2 / depth[f] + 0.5 * g * depth[f] ** 2;
    const transport = (f: number): number => (normal[f] * tangential[f]) / depth[f];
    difference[0] = normal[b] - normal[a];
    difference[1] = pressure(b) - pressure(a);
    difference[2] = transport(b) - transport(a);
  }

  function fullStep(state: Float64Array, offset: number, seconds: number): void {
    for (let j = 0; j < ny; j++) {
      for (let i = 0; i < nx; i++) {
        const cell = offset + j * nx + i;
        fluxDifference(xFaces, j * (nx + 1) + i, j * (nx + 1) + i + 1);
        state[cell] -= (seconds / dx) * difference[0];
        state[cell + cells] -= (seconds / dx) * difference[1];
        state[cell + 2 * cells] -= (seconds / dx) * difference[2];
        fluxDifference(yFaces, j * nx + i, (j + 1) * nx + i);
        state[cell] -= (seconds / dy) * difference[0];
        state[cell + 2 * cells] -= (seconds / dy) * difference[1];
        state[cell + cells] -= (seconds / dy) * difference[2];
      }
    }
  }

  return referenceSteps(parameters, (state) => {
    const rateOf = (i: number): number =>
      cellWaveRate(parameters, state[i], state[i + cells] / state[i], state[i + 2 * cells] / state[i]);
    return {
      step(seconds) {
        for (let member = 0; member < members; member++) {
          const offset = member * 3 * cells;
          load(state, offset);
          halfSteps(seconds);
          fullStep(state, offset, seconds);
        }
      },
      waveRate: () => largestRate(parameters, rateOf),
      fault: (seconds) => firstFault(parameters, state, seconds, rateOf, (h) => h <= 0),
    };
  });
}
