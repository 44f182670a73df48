// Along one axis, four at a time: both sides of cells with the weights of their slopes, and the state of faces about which fluxes are
// linearised (linear-face.ts). The arrays follow those of the block (block-library.as.ts) in the work space, and have the same layout.

import { multiplyAdd, negatedMultiplyAdd, splat } from '../../../compute/wasm/simd-library.as';
import { BLOCK_ROWS, DEPTH, ETA, FIRST, GROUND, RINGS, SLOPES, SLOPE_ARRAYS, rowBytes, rowOf } from './block-library.as';
import { CentralUpwind } from './devices';
import { THETA } from './faces-library.as';

/** Arrays of the sides of a row of cells, near and far: elevation, bed, normal and tangential velocity; */
export const NEAR: usize = 0;
export const FAR: usize = 1;
export const SIDE_ETA: usize = 0;
export const SIDE_GROUND: usize = 2;
export const SIDE_NORMAL: usize = 4;
export const SIDE_TANGENTIAL: usize = 6;
/** weights of a cell's differences from the cell before and to the cell after in its slopes, of elevation and of both velocities; */
export const WEIGHT_BEFORE: usize = 8;
export const WEIGHT_AFTER: usize = 9;
/** 1 where the bed at a side, near and far, is the water's own surface; */
export const GROUNDED: usize = 14;
/** and changes of the sides, in the order of the sides. */
export const CHANGED: usize = 16;
const SIDE_ARRAYS: usize = 24;

/** Arrays of a row of faces: depths on the left and on the right above the higher bed, the fastest and the slowest wave, and 1 over the width of the fan; */
export const H_LEFT: usize = 0;
export const H_RIGHT: usize = 1;
export const FASTEST: usize = 2;
export const SLOWEST: usize = 3;
export const INVERSE: usize = 4;
/** whose these waves are, whether a side has water above the bed, and whether the higher bed is the left one, as masks; */
export const FASTEST_LEFT: usize = 5;
export const FASTEST_RIGHT: usize = 6;
export const SLOWEST_LEFT: usize = 7;
export const SLOWEST_RIGHT: usize = 8;
export const ABOVE_LEFT: usize = 9;
export const ABOVE_RIGHT: usize = 10;
export const BED_IS_LEFT: usize = 11;
/** flux of water, and how the speed of a wave grows with the depth, g/(2c). */
export const FACE_WATER: usize = 12;
export const PER_DEPTH_LEFT: usize = 13;
export const PER_DEPTH_RIGHT: usize = 14;
const FACE_ARRAYS: usize = 15;

/** Arrays of the changes or sensitivities of a block, by row. */
const VECTOR_ARRAYS: i32 = 6;

/** The end of the block: address of the first array that is linearised. */
// @ts-ignore: decorator
@inline
function behindBlock(scratch: usize, bytes: usize): usize {
  return scratch + <usize>(SLOPES * (BLOCK_ROWS + 2 * RINGS) + 2 * SLOPE_ARRAYS) * bytes;
}

/** Row `row` (from −3 on, of the block) of an array of changes or sensitivities. */
// @ts-ignore: decorator
@inline
export function vectorOf(scratch: usize, array: i32, row: i32, bytes: usize): usize {
  return behindBlock(scratch, bytes) + <usize>(array * (BLOCK_ROWS + 2 * RINGS) + row + RINGS) * bytes;
}

/** The sides along y of a row: two rows have arrays, an odd and an even one. */
// @ts-ignore: decorator
@inline
export function ySidesOf(scratch: usize, row: i32, bytes: usize): usize {
  return vectorOf(scratch, VECTOR_ARRAYS, -RINGS, bytes) + <usize>(row & 1) * SIDE_ARRAYS * bytes;
}

/** The sides along x of a row. */
// @ts-ignore: decorator
@inline
export function xSidesOf(scratch: usize, bytes: usize): usize {
  return vectorOf(scratch, VECTOR_ARRAYS, -RINGS, bytes) + 2 * SIDE_ARRAYS * bytes;
}

/** The faces of a row. */
// @ts-ignore: decorator
@inline
export function facesOf(scratch: usize, bytes: usize): usize {
  return xSidesOf(scratch, bytes) + SIDE_ARRAYS * bytes;
}

/** Arrays of what is computed from the faces of rows. */
// @ts-ignore: decorator
@inline
export function madeOf(scratch: usize, array: usize, bytes: usize): usize {
  return facesOf(scratch, bytes) + (FACE_ARRAYS + array) * bytes;
}

/** Stores weights and sides of one variable. */
// @ts-ignore: decorator
@inline
function keepSides(
  values: usize,
  apart: isize,
  to: usize,
  weights: usize,
  bytes: usize,
  blocksBefore: v128,
  blocksAfter: v128,
  dryBefore: v128,
  dryAfter: v128,
  dry: v128,
): void {
  const zero = splat(0);
  const one = splat(1);
  const here = v128.load(values);
  const down = f32x4.sub(here, v128.load(values - apart));
  const up = f32x4.sub(v128.load(values + apart), here);
  const sizeDown = f32x4.abs(down);
  const sizeUp = f32x4.abs(up);
  const mean = f32x4.mul(splat(0.5), f32x4.abs(f32x4.add(down, up)));
  const isSteep = f32x4.gt(mean, f32x4.mul(splat(THETA), f32x4.pmin(sizeDown, sizeUp)));
  const downIsLeast = f32x4.le(sizeDown, sizeUp);
  const isSlope = f32x4.gt(f32x4.mul(down, up), zero);
  const steepBefore = v128.and(splat(THETA), downIsLeast);
  const steepAfter = v128.andnot(splat(THETA), downIsLeast);
  let before = v128.and(v128.bitselect(steepBefore, splat(0.5), isSteep), isSlope);
  let after = v128.and(v128.bitselect(steepAfter, splat(0.5), isSteep), isSlope);
  before = v128.bitselect(v128.andnot(one, dryBefore), before, blocksAfter);
  after = v128.andnot(after, blocksAfter);
  before = v128.andnot(before, v128.or(blocksBefore, dry));
  after = v128.andnot(v128.bitselect(v128.andnot(one, dryAfter), after, blocksBefore), dry);
  const rise = f32x4.mul(splat(0.5), multiplyAdd(before, down, f32x4.mul(after, up)));
  v128.store(to + NEAR * bytes, f32x4.sub(here, rise));
  v128.store(to + FAR * bytes, f32x4.add(here, rise));
  v128.store(weights, before);
  v128.store(weights + bytes, after);
}

/**
 * Sides of the cells first … last of a row; neighbours along the axis are `apart` bytes from each other.
 *
 * @param normal, tangential arrays of the velocities
 * @param sides the first of the arrays that are written
 */
export function sidesInRow(
  p: CentralUpwind,
  scratch: usize,
  row: i32,
  first: i32,
  last: i32,
  apart: isize,
  normal: i32,
  tangential: i32,
  sides: usize,
): void {
  const bytes = rowBytes(p.nx);
  const etaRow = rowOf(scratch, ETA, row, bytes);
  const depthRow = rowOf(scratch, DEPTH, row, bytes);
  const normalRow = rowOf(scratch, normal, row, bytes);
  const tangentialRow = rowOf(scratch, tangential, row, bytes);
  const groundRow = rowOf(scratch, GROUND, row, bytes);
  const dryDepth = splat(p.dryDepth);
  const half = splat(0.5);
  const one = splat(1);
  for (let i = first; i <= last; i += 4) {
    const at = FIRST + (<usize>i << 2);
    const depth = depthRow + at;
    const dry = f32x4.le(v128.load(depth), dryDepth);
    const dryBefore = f32x4.le(v128.load(depth - apart), dryDepth);
    const dryAfter = f32x4.le(v128.load(depth + apart), dryDepth);
    const etas = etaRow + at;
    const eta = v128.load(etas);
    const shoreBefore = v128.and(dryBefore, f32x4.gt(v128.load(etas - apart), eta));
    const shoreAfter = v128.and(dryAfter, f32x4.gt(v128.load(etas + apart), eta));
    const to = sides + at;
    const weights = to + WEIGHT_BEFORE * bytes;
    keepSides(etas, apart, to, weights, bytes, shoreBefore, shoreAfter, dryBefore, dryAfter, dry);
    keepSides(normalRow + at, apart, to + SIDE_NORMAL * bytes, weights + 2 * bytes, bytes, dryBefore, dryAfter, dryBefore, dryAfter, dry);
    keepSides(tangentialRow + at, apart, to + SIDE_TANGENTIAL * bytes, weights + 4 * bytes, bytes, dryBefore, dryAfter, dryBefore, dryAfter, dry);
    const grounds = groundRow + at;
    const ground = v128.load(grounds);
    const nearMean = f32x4.mul(half, f32x4.add(ground, v128.load(grounds - apart)));
    const farMean = f32x4.mul(half, f32x4.add(ground, v128.load(grounds + apart)));
    const nearEta = v128.load(to);
    const farEta = v128.load(to + FAR * bytes);
    v128.store(to + SIDE_GROUND * bytes, v128.bitselect(ground, f32x4.pmin(nearMean, nearEta), dry));
    v128.store(to + (SIDE_GROUND + FAR) * bytes, v128.bitselect(ground, f32x4.pmin(farMean, farEta), dry));
    v128.store(to + GROUNDED * bytes, v128.andnot(v128.and(one, f32x4.gt(nearMean, nearEta)), dry));
    v128.store(to + (GROUNDED + FAR) * bytes, v128.andnot(v128.and(one, f32x4.gt(farMean, farEta)), dry));
  }
}

/** The near faces of the cells first … last: sides of the cells before them begin at `left`, of the cells after them at `right`. */
export function facesInRow(p: CentralUpwind, left: usize, right: usize, first: i32, last: i32, into: usize): void {
  const bytes = rowBytes(p.nx);
  const gravity = splat(p.gravity);
  const halfGravity = splat(0.5 * p.gravity);
  const zero = splat(0);
  for (let i = first; i <= last; i += 4) {
    const at = FIRST + (<usize>i << 2);
    const l = left + at + FAR * bytes;
    const r = right + at;
    const to = into + at;
    const leftGround = v128.load(l + SIDE_GROUND * bytes);
    const rightGround = v128.load(r + SIDE_GROUND * bytes);
    const leftNormal = v128.load(l + SIDE_NORMAL * bytes);
    const rightNormal = v128.load(r + SIDE_NORMAL * bytes);
    const bedIsLeft = f32x4.ge(leftGround, rightGround);
    const bed = v128.bitselect(leftGround, rightGround, bedIsLeft);
    const leftEta = v128.load(l);
    const rightEta = v128.load(r);
    const leftIsAbove = f32x4.gt(leftEta, bed);
    const rightIsAbove = f32x4.gt(rightEta, bed);
    const hLeft = v128.and(f32x4.sub(leftEta, bed), leftIsAbove);
    const hRight = v128.and(f32x4.sub(rightEta, bed), rightIsAbove);
    const cLeft = f32x4.sqrt(f32x4.mul(gravity, hLeft));
    const cRight = f32x4.sqrt(f32x4.mul(gravity, hRight));
    const upLeft = f32x4.add(leftNormal, cLeft);
    const upRight = f32x4.add(rightNormal, cRight);
    let fastestLeft = v128.and(leftIsAbove, f32x4.gt(upLeft, zero));
    const fastestOfLeft = v128.and(upLeft, fastestLeft);
    const fastestRight = v128.and(rightIsAbove, f32x4.gt(upRight, fastestOfLeft));
    fastestLeft = v128.andnot(fastestLeft, fastestRight);
    const fastest = v128.bitselect(upRight, fastestOfLeft, fastestRight);
    const downLeft = f32x4.sub(leftNormal, cLeft);
    const downRight = f32x4.sub(rightNormal, cRight);
    let slowestLeft = v128.and(leftIsAbove, f32x4.lt(downLeft, zero));
    const slowestOfLeft = v128.and(downLeft, slowestLeft);
    const slowestRight = v128.and(rightIsAbove, f32x4.lt(downRight, slowestOfLeft));
    slowestLeft = v128.andnot(slowestLeft, slowestRight);
    const slowest = v128.bitselect(downRight, slowestOfLeft, slowestRight);
    const inverse = v128.and(f32x4.div(splat(1), f32x4.sub(fastest, slowest)), f32x4.gt(fastest, slowest));
    const weightLeft = f32x4.mul(fastest, inverse);
    const weightRight = f32x4.mul(f32x4.neg(slowest), inverse);
    const carried = multiplyAdd(
      weightLeft,
      f32x4.mul(hLeft, leftNormal),
      f32x4.mul(weightRight, f32x4.mul(hRight, rightNormal)),
    );
    const rise = f32x4.sub(hRight, hLeft);
    v128.store(to + H_LEFT * bytes, hLeft);
    v128.store(to + H_RIGHT * bytes, hRight);
    v128.store(to + FASTEST * bytes, fastest);
    v128.store(to + SLOWEST * bytes, slowest);
    v128.store(to + INVERSE * bytes, inverse);
    v128.store(to + FASTEST_LEFT * bytes, fastestLeft);
    v128.store(to + FASTEST_RIGHT * bytes, fastestRight);
    v128.store(to + SLOWEST_LEFT * bytes, slowestLeft);
    v128.store(to + SLOWEST_RIGHT * bytes, slowestRight);
    v128.store(to + ABOVE_LEFT * bytes, leftIsAbove);
    v128.store(to + ABOVE_RIGHT * bytes, rightIsAbove);
    v128.store(to + BED_IS_LEFT * bytes, bedIsLeft);
    v128.store(to + FACE_WATER * bytes, negatedMultiplyAdd(f32x4.mul(fastest, weightRight), rise, carried));
    v128.store(to + PER_DEPTH_LEFT * bytes, v128.and(f32x4.div(halfGravity, cLeft), leftIsAbove));
    v128.store(to + PER_DEPTH_RIGHT * bytes, v128.and(f32x4.div(halfGravity, cRight), rightIsAbove));
  }
}
