// What the tangent and the adjoint of the central-upwind scheme's step share: friction, linearised, the halves of Heun's method, and
// where the shares of the outflow are (linear.ts).

import { loadFirst, multiplyAdd } from '../../../compute/wasm/simd-library.as';
import { frictionFactor, hasFriction } from './block-library.as';
import { CentralUpwind } from './devices';
import { LinearCentralUpwind } from './linear-devices';

/** A number of a vector that is smaller is 0: processors are slow with the smallest ones. */
const LEAST_CHANGE: f32 = 1e-30;
const MANNING_EXPONENT: f32 = 7.0 / 3.0;

/** What the kernels of the scheme itself are given. */
// @ts-ignore: decorator
@inline
export function stageOf(p: LinearCentralUpwind): CentralUpwind {
  return changetype<CentralUpwind>(p);
}

/** The first `count` of four numbers of a vector. */
// @ts-ignore: decorator
@inline
export function loadChange(at: usize, count: i32): v128 {
  const four = loadFirst(at, count, 0);
  return v128.andnot(four, f32x4.lt(f32x4.abs(four), f32x4.splat(LEAST_CHANGE)));
}

/** Where the share of the first cell of row j is, −1 … ny. */
// @ts-ignore: decorator
@inline
export function sharesAt(p: LinearCentralUpwind, j: i32): usize {
  return p.shares + ((<usize>(j + 1) * <usize>(p.nx + 2) + 1) << 2);
}

/** The shares of the outflow through four faces, of the cells that water comes from, whose shares are at `before` and at `after`. */
// @ts-ignore: decorator
@inline
export function sharesThrough(water: v128, before: usize, after: usize): v128 {
  return v128.bitselect(v128.load(before), v128.load(after), f32x4.gt(water, f32x4.splat(0)));
}

/**
 * What half a step of friction makes of a change of four cells, or its adjoint, in place: their change is at `vector`, η, hu, hv 16 bytes
 * apart; the state that friction acts on is given by depth and momenta.
 */
export function changeByFriction(p: LinearCentralUpwind, depth: v128, hu: v128, hv: v128, isAdjoint: bool, vector: usize): void {
  if (!hasFriction(stageOf(p))) return;
  const zero = f32x4.splat(0);
  const one = f32x4.splat(1);
  const square = f32x4.splat(p.drag * p.drag);
  const dry = f32x4.le(depth, f32x4.splat(p.dryDepth));
  const factor = frictionFactor(stageOf(p), depth, hu, hv);
  const speed = f32x4.sqrt(multiplyAdd(hu, hu, f32x4.mul(hv, hv)));
  // factor = drag²/(1 + drain), so 1/(1 + drain) = factor/drag².
  const left = f32x4.div(factor, square);
  const loss = v128.andnot(f32x4.mul(factor, f32x4.sub(one, left)), dry);
  const perDepth = v128.andnot(f32x4.div(f32x4.mul(f32x4.splat(MANNING_EXPONENT), loss), depth), dry);
  const perMomentum = v128.and(f32x4.div(f32x4.div(loss, speed), speed), f32x4.gt(speed, zero));
  const d0 = v128.load(vector);
  const d1 = v128.load(vector, 16);
  const d2 = v128.load(vector, 32);
  const along = multiplyAdd(hu, d1, f32x4.mul(hv, d2));
  let fall: v128;
  if (isAdjoint) {
    v128.store(vector, multiplyAdd(perDepth, along, d0));
    fall = f32x4.mul(perMomentum, along);
  } else {
    fall = f32x4.sub(f32x4.mul(perMomentum, along), f32x4.mul(perDepth, d0));
  }
  v128.store(vector, f32x4.sub(f32x4.mul(factor, d1), f32x4.mul(fall, hu)), 16);
  v128.store(vector, f32x4.sub(f32x4.mul(factor, d2), f32x4.mul(fall, hv)), 32);
}

/** The same about a state at an address, of which `count` of four cells are there. @param bed of those cells */
export function changeByFrictionAt(p: LinearCentralUpwind, state: usize, bed: usize, count: i32, isAdjoint: bool, vector: usize): void {
  if (!hasFriction(stageOf(p))) return;
  const cells = <usize>(p.nx * p.ny) << 2;
  const depth = f32x4.sub(loadFirst(state, count, 0), loadFirst(bed, count, 0));
  changeByFriction(p, depth, loadFirst(state + cells, count, 0), loadFirst(state + 2 * cells, count, 0), isAdjoint, vector);
}

/** Halves four cells of a vector, and takes the momenta where the mean is dry. */
export function halve(p: LinearCentralUpwind, mean: usize, bed: usize, count: i32, vector: usize): void {
  const depth = f32x4.sub(loadFirst(mean, count, 0), loadFirst(bed, count, 0));
  const half = f32x4.splat(0.5);
  const ofMomenta = v128.and(half, f32x4.gt(depth, f32x4.splat(p.dryDepth)));
  v128.store(vector, f32x4.mul(half, v128.load(vector)));
  v128.store(vector, f32x4.mul(ofMomenta, v128.load(vector, 16)), 16);
  v128.store(vector, f32x4.mul(ofMomenta, v128.load(vector, 32)), 32);
}
