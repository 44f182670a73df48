/** The Lax–Wendroff scheme in float64 on arrays with one ring of ghost cells. */
import type { ArraysOf, RealArray } from '../../../compute/backend.ts';
import type { StepFields } from '../../stepping.ts';
import { sourceCell, sourceSign } from '../boundary.ts';
import type { FlatBottomParameters } from '../flat-bottom/parameters.ts';
import { flatBottomReference } from '../flat-bottom/reference.ts';

/** What flows through the faces across one axis: depth, momentum normal to the face, and tangential to it. */
interface Fluxes {
  readonly depth: Float64Array;
  readonly normal: Float64Array;
  readonly tangential: Float64Array;
}

function allocateFluxes(faces: number): Fluxes {
  return { depth: new Float64Array(faces), normal: new Float64Array(faces), tangential: new Float64Array(faces) };
}

export function laxWendroffReference(parameters: FlatBottomParameters): (arrays: ArraysOf<StepFields>) => void {
  const { nx, ny, dx, dy, gravity: g, boundary } = parameters;
  const cells = nx * ny;
  const width = nx + 2;
  const padded = width * (ny + 2);
  const h = new Float64Array(padded);
  const hu = new Float64Array(padded);
  const hv = new Float64Array(padded);
  /** 1/h */
  const perDepth = new Float64Array(padded);
  // x-face (j, i) lies between the cells (j, i − 1) and (j, i), y-face (j, i) between (j − 1, i) and (j, i).
  const throughX = allocateFluxes((nx + 1) * ny);
  const throughY = allocateFluxes(nx * (ny + 1));

  /** Cells and ghost cells of one member. */
  function load(state: RealArray, offset: number): void {
    for (let j = -1; j <= ny; j++) {
      const row = sourceCell(j, ny, boundary.y) * nx;
      const signY = sourceSign(j, ny, boundary.y);
      for (let i = -1; i <= nx; i++) {
        const inside = i >= 0 && i < nx;
        const from = offset + row + (inside ? i : sourceCell(i, nx, boundary.x));
        const to = (j + 1) * width + i + 1;
        h[to] = state[from];
        hu[to] = (inside ? 1 : sourceSign(i, nx, boundary.x)) * state[from + cells];
        hv[to] = signY * state[from + 2 * cells];
        perDepth[to] = 1 / state[from];
      }
    }
  }

  /**
   * Flux f(q½) through the face between the cells a and b, q½ = (q_a + q_b)/2 − ratio·(f(q_b) − f(q_a)), for momenta normal
   * and tangential to it.
   */
  function faceFlux(
    into: Fluxes,
    face: number,
    a: number,
    b: number,
    normal: Float64Array,
    tangential: Float64Array,
    ratio: number,
  ): void {
    const na = normal[a];
    const nb = normal[b];
    const ta = tangential[a];
    const tb = tangential[b];
    const ha = h[a];
    const hb = h[b];
    const ua = na * perDepth[a];
    const ub = nb * perDepth[b];
    const depth = 0.5 * (ha + hb) - ratio * (nb - na);
    const along = 0.5 * (na + nb) - ratio * (nb * ub + 0.5 * g * hb * hb - (na * ua + 0.5 * g * ha * ha));
    const across = 0.5 * (ta + tb) - ratio * (tb * ub - ta * ua);
    const speed = along / depth;
    into.depth[face] = along;
    into.normal[face] = along * speed + 0.5 * g * depth * depth;
    into.tangential[face] = across * speed;
  }

  function fluxes(seconds: number): void {
    const ratioX = seconds / (2 * dx);
    const ratioY = seconds / (2 * dy);
    for (let j = 0; j < ny; j++) {
      const first = (j + 1) * width;
      for (let i = 0; i <= nx; i++) faceFlux(throughX, j * (nx + 1) + i, first + i, first + i + 1, hu, hv, ratioX);
    }
    for (let j = 0; j <= ny; j++) {
      const first = j * width + 1;
      for (let i = 0; i < nx; i++) faceFlux(throughY, j * nx + i, first + i, first + i + width, hv, hu, ratioY);
    }
  }

  /** q ← q − dt/dx·δₓf(q½) − dt/dy·δᵧg(q½) */
  function fullStep(state: RealArray, offset: number, seconds: number): void {
    const perX = seconds / dx;
    const perY = seconds / dy;
    for (let j = 0; j < ny; j++) {
      for (let i = 0; i < nx; i++) {
        const cell = offset + j * nx + i;
        const west = j * (nx + 1) + i;
        const south = j * nx + i;
        const north = south + nx;
        state[cell] -=
          perX * (throughX.depth[west + 1] - throughX.depth[west]) +
          perY * (throughY.depth[north] - throughY.depth[south]);
        state[cell + cells] -=
          perX * (throughX.normal[west + 1] - throughX.normal[west]) +
          perY * (throughY.tangential[north] - throughY.tangential[south]);
        state[cell + 2 * cells] -=
          perX * (throughX.tangential[west + 1] - throughX.tangential[west]) +
          perY * (throughY.normal[north] - throughY.normal[south]);
      }
    }
  }

  return flatBottomReference(parameters, (state, offset, seconds) => {
    load(state, offset);
    fluxes(seconds);
    fullStep(state, offset, seconds);
  });
}
