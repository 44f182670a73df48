/**
 * Moler's two-step Lax–Wendroff scheme of the shallow-water equations on a flat bottom [moler].
 *
 *     half step on x-faces:  q½ = (q_i + q_{i+1})/2 − dt/(2dx)·(f(q_{i+1}) − f(q_i)),  f = (hu, hu²/h + g h²/2, hu·hv/h)
 *     likewise on y-faces with g(q) = (hv, hu·hv/h, hv²/h + g h²/2)
 *     full step:             q ← q − dt/dx·δₓf(q½) − dt/dy·δᵧg(q½)
 *
 * It is kept to reproduce what others computed with it. The half steps on faces omit the transverse terms of the Taylor
 * series: along an axis the scheme is of second order and stable, along diagonals it is of first order and **unstable at every
 * time step**. On water at rest, in square cells and with C = √(g h)·dt/dx, the wave that grows fastest is multiplied in
 * each step by
 *
 *     max|G| = √(1 + C²/(8(1 − C²))),  e-folding time ≈ 16 dx²/(g h dt) for small C:
 *
 * 15 s with dt = 0.1 s, 82 s with 0.02 s, for h = 1 m, g = 9.8 m/s², dx = 1 m (scenario/diagonal-growth.ts has it for any cells;
 * the verification's V12 measures it). Its stable relative is `richtmyer`.
 *
 * Between walls and in a periodic basin the water's volume is conserved to rounding, because what a face takes from one cell
 * it gives to the next. Without a limiter the scheme oscillates behind steep fronts, and it does not keep the depth positive.
 */
import type { Operator, ArraysOf, RealArray } from '../../../compute/backend.ts';
import { STEP_FIELDS, type StepFields } from '../../stepping.ts';
import { sourceCell, sourceSign, type SchemeParameters } from '../basin.ts';
import { flatBottomCost, flatBottomReference, flatBottomWasm, flatBottomWebGpu } from '../flat-bottom/index.ts';
import source from './lax-wendroff.wgsl?raw';

/** What flows through the faces across one axis: depth, momentum normal to the face, and tangential to it. */
interface Fluxes {
  readonly depth: Float64Array;
  readonly normal: Float64Array;
  readonly tangential: Float64Array;
}

function allocateFluxes(faces: number): Fluxes {
  return { depth: new Float64Array(faces), normal: new Float64Array(faces), tangential: new Float64Array(faces) };
}

/** The Lax–Wendroff scheme in float64 on arrays with one ring of ghost cells. */
function laxWendroffReference(parameters: SchemeParameters): (arrays: ArraysOf<StepFields>) => void {
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

/** Floating-point operations of a cell and step: two faces of about 40, their two fluxes of 10, the update. */
const FLOPS_PER_CELL = 112;

/** `state` is h, hu, hv. */
export const laxWendroff: Operator<SchemeParameters, StepFields> = {
  name: 'lax-wendroff',
  fields: STEP_FIELDS,
  cost: flatBottomCost(FLOPS_PER_CELL),
  implementations: {
    reference: laxWendroffReference,
    wasm: async () => flatBottomWasm('laxWendroff', false),
    webgpu: async () => flatBottomWebGpu('lax-wendroff', source),
  },
};
