/**
 * The two-step Lax–Wendroff scheme of Richtmyer for the shallow-water equations on a flat bottom: half steps at the corners of
 * cells, so that diagonal waves are of second order and stable too [richtmyer1967].
 *
 *     half step at corners:  q½ = ¼ Σ q − dt/(2dx)·μᵧδₓf(q) − dt/(2dy)·μₓδᵧg(q)
 *     full step:             q ← q − dt/dx·μᵧδₓf(q½) − dt/dy·μₓδᵧg(q½) − ε/16·δₓ²δᵧ²q
 *
 * with μ the mean and δ the difference of neighbours along an axis. With s and c the sine and cosine of half the phase angles,
 * a wave is multiplied in each step by G = 1 − 2m² − 2i m cₓcᵧ (without the last term), where m² ≤ (|u| + √(g h))²·dt²·((sₓcᵧ/dx)² +
 * (sᵧcₓ/dy)²), and |G|² = 1 − 4m²(1 − m² − cₓ²cᵧ²) ≤ 1 as long as (|u| + √(g h))·dt ≤ min(dx, dy), |u| being the speed whatever its
 * direction. Waves at rest are stable up to a Courant number of 1; with the Courant number that is the larger of
 * (|u| + √(g h))·dt/dx and (|v| + √(g h))·dt/dy, every flow is up to 1/√2.
 *
 * The checkerboard (+ − + − along both axes) has the mean 0 at every corner: the two steps alone neither move nor damp it, and
 * every analysis leaves some. The last term takes the share ε of it in each step. It is conservative, 0 for what varies along
 * one axis alone, and of fourth order (dx²dy² ∂⁴q/∂x²∂y²), so the scheme stays of second order.
 *
 * Between walls and in a periodic basin the water's volume is conserved to rounding. Without a limiter the scheme oscillates
 * behind steep fronts, and it does not keep the depth positive.
 */
import type { Operator, ArraysOf, RealArray } from '../../../compute/backend.ts';
import { STEP_FIELDS, type StepFields } from '../../stepping.ts';
import { sourceCell, sourceSign, type SchemeParameters } from '../basin.ts';
import { flatBottomCost, flatBottomReference, flatBottomWasm, flatBottomWebGpu } from '../flat-bottom/index.ts';
import source from './richtmyer.wgsl?raw';

/** ε: share of the checkerboard that a step takes away. */
const CHECKERBOARD_DAMPING = 1 / 16;

/** Depth and momenta with their fluxes, at cells or at corners; the flux of depth is the momentum itself. */
interface Flow {
  readonly h: Float64Array;
  readonly hu: Float64Array;
  readonly hv: Float64Array;
  /** hu²/h + g h²/2, hu·hv/h, hv²/h + g h²/2 */
  readonly xx: Float64Array;
  readonly xy: Float64Array;
  readonly yy: Float64Array;
}

/** Factor of δₓ²δᵧ²q, which is 16 times the amplitude of a checkerboard. */
export const DAMPING = CHECKERBOARD_DAMPING / 16;

function allocateFlow(length: number): Flow {
  const array = (): Float64Array => new Float64Array(length);
  return { h: array(), hu: array(), hv: array(), xx: array(), xy: array(), yy: array() };
}

function richtmyerReference(parameters: SchemeParameters): (arrays: ArraysOf<StepFields>) => void {
  const { nx, ny, dx, dy, gravity, boundary } = parameters;
  const cells = nx * ny;
  // Cell (j, i) has index (j + 1)·width + i + 1; the corner to its south-west, of four cells, has j·columns + i.
  const width = nx + 2;
  const columns = nx + 1;
  const flow = allocateFlow(width * (ny + 2));
  const corners = allocateFlow(columns * (ny + 1));

  function setFlow({ h, hu, hv, xx, xy, yy }: Flow, at: number, depth: number, alongX: number, alongY: number): void {
    const u = alongX / depth;
    const v = alongY / depth;
    const pressure = 0.5 * gravity * depth * depth;
    h[at] = depth;
    hu[at] = alongX;
    hv[at] = alongY;
    xx[at] = alongX * u + pressure;
    xy[at] = alongX * v;
    yy[at] = alongY * v + pressure;
  }

  /** Cells and ghost cells of one member. */
  function load(state: RealArray, offset: number): void {
    for (let j = -1; j <= ny; j++) {
      const row = offset + sourceCell(j, ny, boundary.y) * nx;
      const signY = sourceSign(j, ny, boundary.y);
      for (let i = -1; i <= nx; i++) {
        const inside = i >= 0 && i < nx;
        const from = row + (inside ? i : sourceCell(i, nx, boundary.x));
        const signX = inside ? 1 : sourceSign(i, nx, boundary.x);
        const at = (j + 1) * width + i + 1;
        setFlow(flow, at, state[from], signX * state[from + cells], signY * state[from + 2 * cells]);
      }
    }
  }

  /** ¼ Σ q − ratioX·δₓf − ratioY·δᵧg over the four cells around a corner, the south-western one being `sw`. */
  function halfway(
    q: Float64Array,
    f: Float64Array,
    g: Float64Array,
    sw: number,
    ratioX: number,
    ratioY: number,
  ): number {
    const se = sw + 1;
    const nw = sw + width;
    const ne = nw + 1;
    // Sums of pairs across a wall are exactly 0 where they are odd: no water passes it.
    return (
      0.25 * (q[sw] + q[se] + (q[nw] + q[ne])) -
      ratioX * (f[se] + f[ne] - (f[sw] + f[nw])) -
      ratioY * (g[nw] + g[ne] - (g[sw] + g[se]))
    );
  }

  function halfStep(seconds: number): void {
    const ratioX = seconds / (4 * dx);
    const ratioY = seconds / (4 * dy);
    const { h, hu, hv, xx, xy, yy } = flow;
    for (let j = 0; j <= ny; j++) {
      for (let i = 0; i <= nx; i++) {
        const sw = j * width + i;
        setFlow(
          corners,
          j * columns + i,
          halfway(h, hu, hv, sw, ratioX, ratioY),
          halfway(hu, xx, xy, sw, ratioX, ratioY),
          halfway(hv, xy, yy, sw, ratioX, ratioY),
        );
      }
    }
  }

  /** ratioX·δₓf + ratioY·δᵧg over the four corners of a cell, the south-western one being `sw`. */
  function divergence(f: Float64Array, g: Float64Array, sw: number, ratioX: number, ratioY: number): number {
    const se = sw + 1;
    const nw = sw + columns;
    const ne = nw + 1;
    return ratioX * (f[se] + f[ne] - (f[sw] + f[nw])) + ratioY * (g[nw] + g[ne] - (g[sw] + g[se]));
  }

  /** δₓ²δᵧ²q at a cell, 0 for what varies along one axis alone. */
  function checkerboard(q: Float64Array, at: number): number {
    const north = q[at + width - 1] - 2 * q[at + width] + q[at + width + 1];
    const here = q[at - 1] - 2 * q[at] + q[at + 1];
    const south = q[at - width - 1] - 2 * q[at - width] + q[at - width + 1];
    return north - 2 * here + south;
  }

  function fullStep(state: RealArray, offset: number, seconds: number): void {
    const ratioX = seconds / (2 * dx);
    const ratioY = seconds / (2 * dy);
    const { hu, hv, xx, xy, yy } = corners;
    for (let j = 0; j < ny; j++) {
      for (let i = 0; i < nx; i++) {
        const cell = offset + j * nx + i;
        const sw = j * columns + i;
        state[cell] -= divergence(hu, hv, sw, ratioX, ratioY);
        state[cell + cells] -= divergence(xx, xy, sw, ratioX, ratioY);
        state[cell + 2 * cells] -= divergence(xy, yy, sw, ratioX, ratioY);
        const at = (j + 1) * width + i + 1;
        state[cell] -= DAMPING * checkerboard(flow.h, at);
        state[cell + cells] -= DAMPING * checkerboard(flow.hu, at);
        state[cell + 2 * cells] -= DAMPING * checkerboard(flow.hv, at);
      }
    }
  }

  return flatBottomReference(parameters, (state, offset, seconds) => {
    load(state, offset);
    halfStep(seconds);
    fullStep(state, offset, seconds);
  });
}

/** Floating-point operations of a cell and step: two flows of 11, a corner of 33, the update of 21, the damping of 42. */
const FLOPS_PER_CELL = 118;

/** `state` is h, hu, hv. */
export const richtmyer: Operator<SchemeParameters, StepFields> = {
  name: 'richtmyer',
  fields: STEP_FIELDS,
  cost: flatBottomCost(FLOPS_PER_CELL),
  implementations: {
    reference: richtmyerReference,
    wasm: async () => flatBottomWasm('richtmyer', true),
    webgpu: async () => flatBottomWebGpu('richtmyer', source, { DAMPING }),
  },
};
