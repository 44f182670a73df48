// What the tangent and the adjoint of the central-upwind scheme's step share (linear.ts): vectors of four cells, linearised friction,
// the mean of Heun's method, and the shares of the outflow. The η, hu and hv of a vector are 16 bytes apart.

import { loadFirst, multiplyAdd, storeFirst, unlessBelow } from '../../../compute/wasm/simd-library.as';
import { LEAST_CHANGE } from '../water-library.as';
import { frictionFactor, hasFriction } from './block-library.as';
import { CentralUpwind } from './devices';
import { LinearCentralUpwind } from './linear';

const MANNING_EXPONENT: f32 = 7.0 / 3.0;

/** Bytes of a vector of four cells. */
export const VECTOR: usize = 48;

/** The parameters as those of the scheme itself, which begin with the same members. */
// @ts-ignore: decorator
@inline
export function stageOf(p: LinearCentralUpwind): CentralUpwind {
  return changetype<CentralUpwind>(p);
}

/** Loads the first `count` of four cells from a field of changes or of sensitivities. */
// @ts-ignore: decorator
@inline
export function loadVector(p: LinearCentralUpwind, from: usize, count: i32, vector: usize): void {
  const cells = <usize>(p.nx * p.ny) << 2;
  const least = f32x4.splat(LEAST_CHANGE);
  v128.store(vector, unlessBelow(least, loadFirst(from, count, 0)));
  v128.store(vector, unlessBelow(least, loadFirst(from + cells, count, 0)), 16);
  v128.store(vector, unlessBelow(least, loadFirst(from + 2 * cells, count, 0)), 32);
}

/** Stores the first `count` of four cells. */
// @ts-ignore: decorator
@inline
export function storeVector(p: LinearCentralUpwind, vector: usize, to: usize, count: i32): void {
  const cells = <usize>(p.nx * p.ny) << 2;
  storeFirst(to, v128.load(vector), count);
  storeFirst(to + cells, v128.load(vector, 16), count);
  storeFirst(to + 2 * cells, v128.load(vector, 32), count);
}

/** `sum` += `vector` */
// @ts-ignore: decorator
@inline
export function addVector(sum: usize, vector: usize): void {
  for (let at: usize = 0; at < VECTOR; at += 16) {
    v128.store(sum + at, f32x4.add(v128.load(sum + at), v128.load(vector + at)));
  }
}

/** What the limits of the stage leave of the elevation, 1 where it is the water's and 0 where it is the ground's, of four cells; */
// @ts-ignore: decorator
@inline
export function leftOfElevation(limit: v128): v128 {
  return v128.and(f32x4.splat(1), f32x4.ge(limit, f32x4.splat(0)));
}

/** and of the momenta. */
// @ts-ignore: decorator
@inline
export function leftOfMomenta(limit: v128): v128 {
  return f32x4.pmax(limit, f32x4.splat(0));
}

/** Address of the share of the first cell of row j, −1 … ny. */
// @ts-ignore: decorator
@inline
export function sharesAt(p: LinearCentralUpwind, j: i32): usize {
  return p.shares + ((<usize>(j + 1) * <usize>(p.nx + 2) + 1) << 2);
}

/** The shares of the cells that the water through four faces comes from: those before the faces have theirs at `before`, the others at `after`. */
// @ts-ignore: decorator
@inline
export function sharesThrough(water: v128, before: usize, after: usize): v128 {
  return v128.bitselect(v128.load(before), v128.load(after), f32x4.gt(water, f32x4.splat(0)));
}

/**
 * Half a step of friction, linearised about the first `count` of four cells of a state, or its adjoint: in place.
 *
 * @param bed of those cells
 */
export function changeByFriction(p: LinearCentralUpwind, state: usize, bed: usize, count: i32, isAdjoint: bool, vector: usize): void {
  if (!hasFriction(stageOf(p))) return;
  const cells = <usize>(p.nx * p.ny) << 2;
  const depth = f32x4.sub(loadFirst(state, count, 0), loadFirst(bed, count, 0));
  const hu = loadFirst(state + cells, count, 0);
  const hv = loadFirst(state + 2 * cells, count, 0);
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

/** Halves a vector of four cells; momenta are 0 where the mean is dry. */
export function halve(p: LinearCentralUpwind, mean: usize, bed: usize, count: i32, vector: usize): void {
  const depth = f32x4.sub(loadFirst(mean, count, 0), loadFirst(bed, count, 0));
  const half = f32x4.splat(0.5);
  const ofMomenta = v128.and(half, f32x4.gt(depth, f32x4.splat(p.dryDepth)));
  v128.store(vector, f32x4.mul(half, v128.load(vector)));
  v128.store(vector, f32x4.mul(ofMomenta, v128.load(vector, 16)), 16);
  v128.store(vector, f32x4.mul(ofMomenta, v128.load(vector, 32)), 32);
}
