// Along one axis: the slopes within cells, and the central-upwind flux through the faces before them (face.ts has the reasons).
// Of two numbers `pmax` and `pmin` give the first where the comparison says nothing: what is no number stays so, and is found.

import { multiplyAdd, negatedMultiplyAdd, splat } from '../../../compute/wasm/simd-library.as';
import { ADVECTION, AFTER, BEFORE, DEPTH, ETA, FAR_GROUND, FIRST, FORCE, GAIN, GROUND, NEAR_GROUND, RISE, SHEAR, TANGENTIAL, U, V, WATER, rowBytes, rowOf, slopesOf } from './block-library.as';
import { CentralUpwind } from './devices';

/** θ of the generalised minmod limiter. */
export const THETA: f32 = 1.5;

/** Generalised minmod of two one-sided differences. */
// @ts-ignore: decorator
@inline
function limitedSlope(down: v128, up: v128): v128 {
  const sign = i32x4.splat(0x80000000);
  const mean = f32x4.mul(splat(0.5), f32x4.add(down, up));
  const least = f32x4.pmin(f32x4.abs(down), f32x4.abs(up));
  const size = f32x4.pmin(f32x4.abs(mean), f32x4.mul(splat(THETA), least));
  const alike = i32x4.ge_s(v128.xor(down, up), i32x4.splat(0));
  return v128.and(v128.or(size, v128.and(mean, sign)), alike);
}

/** Where a side that blocks has nothing to say the other side decides, if there is water. */
// @ts-ignore: decorator
@inline
function slope(
  values: usize,
  apart: isize,
  blocksBefore: v128,
  blocksAfter: v128,
  dryBefore: v128,
  dryAfter: v128,
): v128 {
  const here = v128.load(values);
  const down = f32x4.sub(here, v128.load(values - apart));
  const up = f32x4.sub(v128.load(values + apart), here);
  const onlyDown = v128.andnot(down, dryBefore);
  const onlyUp = v128.andnot(up, dryAfter);
  const fromBelow = v128.bitselect(onlyDown, limitedSlope(down, up), blocksAfter);
  return v128.bitselect(onlyUp, fromBelow, blocksBefore);
}

/** The same where no cell is dry. */
// @ts-ignore: decorator
@inline
function slopeOfWater(values: usize, apart: isize): v128 {
  const here = v128.load(values);
  return limitedSlope(f32x4.sub(here, v128.load(values - apart)), f32x4.sub(v128.load(values + apart), here));
}

/**
 * Slopes in the cells first … last of a row; neighbours along the axis are `apart` bytes from each other.
 *
 * @param normal, tangential arrays of the velocities
 */
// @ts-ignore: decorator
@inline
export function slopesInRow(
  p: CentralUpwind,
  scratch: usize,
  row: i32,
  first: i32,
  last: i32,
  apart: isize,
  normal: i32,
  tangential: i32,
): void {
  const bytes = rowBytes(p.nx);
  const etaRow = rowOf(scratch, ETA, row, bytes);
  const depthRow = rowOf(scratch, DEPTH, row, bytes);
  const normalRow = rowOf(scratch, normal, row, bytes);
  const tangentialRow = rowOf(scratch, tangential, row, bytes);
  const groundRow = rowOf(scratch, GROUND, row, bytes);
  const rises = slopesOf(scratch, RISE, row, bytes);
  const gains = slopesOf(scratch, GAIN, row, bytes);
  const shears = slopesOf(scratch, SHEAR, row, bytes);
  const nearGrounds = slopesOf(scratch, NEAR_GROUND, row, bytes);
  const farGrounds = slopesOf(scratch, FAR_GROUND, row, bytes);
  const dryDepth = splat(p.dryDepth);
  const half = splat(0.5);
  for (let i = first; i <= last; i += 4) {
    const at = FIRST + (<usize>i << 2);
    const depth = depthRow + at;
    const dry = f32x4.le(v128.load(depth), dryDepth);
    const dryBefore = f32x4.le(v128.load(depth - apart), dryDepth);
    const dryAfter = f32x4.le(v128.load(depth + apart), dryDepth);
    const etas = etaRow + at;
    const eta = v128.load(etas);
    let etaSlope: v128;
    let normalSlope: v128;
    let tangentialSlope: v128;
    const isShore = v128.any_true(v128.or(dry, v128.or(dryBefore, dryAfter)));
    if (isShore) {
      // Dry ground above the water is no surface to go by, and has no velocity; lower ground is where the water goes.
      const shoreBefore = v128.and(dryBefore, f32x4.gt(v128.load(etas - apart), eta));
      const shoreAfter = v128.and(dryAfter, f32x4.gt(v128.load(etas + apart), eta));
      etaSlope = v128.andnot(slope(etas, apart, shoreBefore, shoreAfter, dryBefore, dryAfter), dry);
      normalSlope = v128.andnot(slope(normalRow + at, apart, dryBefore, dryAfter, dryBefore, dryAfter), dry);
      tangentialSlope = v128.andnot(slope(tangentialRow + at, apart, dryBefore, dryAfter, dryBefore, dryAfter), dry);
    } else {
      etaSlope = slopeOfWater(etas, apart);
      normalSlope = slopeOfWater(normalRow + at, apart);
      tangentialSlope = slopeOfWater(tangentialRow + at, apart);
    }
    const rise = f32x4.mul(half, etaSlope);
    const grounds = groundRow + at;
    const ground = v128.load(grounds);
    const nearMean = f32x4.mul(half, f32x4.add(ground, v128.load(grounds - apart)));
    const farMean = f32x4.mul(half, f32x4.add(ground, v128.load(grounds + apart)));
    const nearGround = f32x4.pmin(nearMean, f32x4.sub(eta, rise));
    const farGround = f32x4.pmin(farMean, f32x4.add(eta, rise));
    v128.store(rises + at, rise);
    v128.store(gains + at, f32x4.mul(half, normalSlope));
    v128.store(shears + at, f32x4.mul(half, tangentialSlope));
    v128.store(nearGrounds + at, v128.bitselect(ground, nearGround, dry));
    v128.store(farGrounds + at, v128.bitselect(ground, farGround, dry));
  }
}

/**
 * Fluxes through the near faces of the cells first … last of a row, and the force of the surface's slope within them. The cells
 * before the faces are in `rowBefore`, `back` bytes further to the front.
 *
 * @param faces the first of the arrays that are written
 */
// @ts-ignore: decorator
@inline
export function fluxesOfRow(
  p: CentralUpwind,
  scratch: usize,
  row: i32,
  rowBefore: i32,
  back: usize,
  first: i32,
  last: i32,
  normal: i32,
  tangential: i32,
  faces: i32,
): void {
  const bytes = rowBytes(p.nx);
  const gravity = splat(p.gravity);
  const halfGravity = splat(0.5 * p.gravity);
  const zero = splat(0);
  const one = splat(1);
  const etaHere = rowOf(scratch, ETA, row, bytes);
  const etaBefore = rowOf(scratch, ETA, rowBefore, bytes) - back;
  const normalHere = rowOf(scratch, normal, row, bytes);
  const normalBefore = rowOf(scratch, normal, rowBefore, bytes) - back;
  const tangentialHere = rowOf(scratch, tangential, row, bytes);
  const tangentialBefore = rowOf(scratch, tangential, rowBefore, bytes) - back;
  const riseHere = slopesOf(scratch, RISE, row, bytes);
  const riseBefore = slopesOf(scratch, RISE, rowBefore, bytes) - back;
  const gainHere = slopesOf(scratch, GAIN, row, bytes);
  const gainBefore = slopesOf(scratch, GAIN, rowBefore, bytes) - back;
  const shearHere = slopesOf(scratch, SHEAR, row, bytes);
  const shearBefore = slopesOf(scratch, SHEAR, rowBefore, bytes) - back;
  const nearHere = slopesOf(scratch, NEAR_GROUND, row, bytes);
  const farHere = slopesOf(scratch, FAR_GROUND, row, bytes);
  const farBefore = slopesOf(scratch, FAR_GROUND, rowBefore, bytes) - back;
  const waters = rowOf(scratch, faces + WATER, row, bytes);
  const advections = rowOf(scratch, faces + ADVECTION, row, bytes);
  const befores = rowOf(scratch, faces + BEFORE, row, bytes);
  const afters = rowOf(scratch, faces + AFTER, row, bytes);
  const tangentials = rowOf(scratch, faces + TANGENTIAL, row, bytes);
  const forces = rowOf(scratch, faces + FORCE, row, bytes);
  for (let i = first; i <= last; i += 4) {
    const at = FIRST + (<usize>i << 2);
    const eta = v128.load(etaHere + at);
    const rise = v128.load(riseHere + at);
    const nearGround = v128.load(nearHere + at);
    const nearEta = f32x4.sub(eta, rise);
    const farEta = f32x4.add(eta, rise);
    // g h̄ (η₊ − η₋)
    const depths = f32x4.add(f32x4.sub(nearEta, nearGround), f32x4.sub(farEta, v128.load(farHere + at)));
    v128.store(forces + at, f32x4.mul(f32x4.mul(halfGravity, depths), f32x4.sub(farEta, nearEta)));

    const leftGround = v128.load(farBefore + at);
    const leftEta = f32x4.add(v128.load(etaBefore + at), v128.load(riseBefore + at));
    const leftNormal = f32x4.add(v128.load(normalBefore + at), v128.load(gainBefore + at));
    const rightNormal = f32x4.sub(v128.load(normalHere + at), v128.load(gainHere + at));
    // Water on either side counts only as far as it is above the higher bed (hydrostatic reconstruction).
    const bed = f32x4.pmax(leftGround, nearGround);
    const etaLeft = f32x4.pmax(leftEta, bed);
    const etaRight = f32x4.pmax(nearEta, bed);
    const hLeft = f32x4.sub(etaLeft, bed);
    const hRight = f32x4.sub(etaRight, bed);
    const cLeft = f32x4.sqrt(f32x4.mul(gravity, hLeft));
    const cRight = f32x4.sqrt(f32x4.mul(gravity, hRight));
    const wetLeft = f32x4.gt(hLeft, zero);
    const wetRight = f32x4.gt(hRight, zero);
    const fastest = f32x4.pmax(
      f32x4.pmax(v128.and(f32x4.add(leftNormal, cLeft), wetLeft), v128.and(f32x4.add(rightNormal, cRight), wetRight)),
      zero,
    );
    const slowest = f32x4.pmin(
      f32x4.pmin(v128.and(f32x4.sub(leftNormal, cLeft), wetLeft), v128.and(f32x4.sub(rightNormal, cRight), wetRight)),
      zero,
    );
    const inverse = v128.and(f32x4.div(one, f32x4.sub(fastest, slowest)), f32x4.gt(fastest, slowest));
    const weightLeft = f32x4.mul(fastest, inverse);
    const weightRight = f32x4.mul(f32x4.neg(slowest), inverse);
    const diffusion = f32x4.mul(fastest, weightRight);
    const step = f32x4.sub(etaRight, etaLeft);
    const pressure = f32x4.mul(f32x4.mul(halfGravity, f32x4.add(hLeft, hRight)), step);
    const qLeft = f32x4.mul(hLeft, leftNormal);
    const qRight = f32x4.mul(hRight, rightNormal);
    const carried = multiplyAdd(weightLeft, qLeft, f32x4.mul(weightRight, qRight));
    const water = negatedMultiplyAdd(diffusion, step, carried);
    const momentum = multiplyAdd(
      f32x4.mul(weightLeft, qLeft),
      leftNormal,
      f32x4.mul(f32x4.mul(weightRight, qRight), rightNormal),
    );
    v128.store(waters + at, water);
    v128.store(advections + at, negatedMultiplyAdd(diffusion, f32x4.sub(qRight, qLeft), momentum));
    v128.store(befores + at, f32x4.mul(weightRight, pressure));
    v128.store(afters + at, f32x4.mul(f32x4.neg(weightLeft), pressure));
    const leftTangential = f32x4.add(v128.load(tangentialBefore + at), v128.load(shearBefore + at));
    const rightTangential = f32x4.sub(v128.load(tangentialHere + at), v128.load(shearHere + at));
    const upwind = v128.bitselect(leftTangential, rightTangential, f32x4.gt(water, zero));
    v128.store(tangentials + at, f32x4.mul(water, upwind));
  }
}
