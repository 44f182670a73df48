// The Richtmyer scheme, row by row (index.ts has the equations): half steps at a row of corners, and the full step of the row of
// cells beneath it, with the damping of the checkerboard. Four cells at a time; every corner is computed once in a band.

import { multiplyAdd, negatedMultiplyAdd, storeFirst } from '../../../compute/wasm/simd-library.as';
import { divergence, halfway } from '../flat-bottom/corners-library.as';
import { FIRST, H, HU, HV, ROW_ARRAYS, XX, XY, YY, anyElse, areFine, loadRow, rowBytes, stepPart, storeFlow } from '../flat-bottom/frame-library.as';
import { FlatBottom } from '../flat-bottom/index';

/** A sixteenth of CHECKERBOARD_DAMPING (index.ts): δₓ²δᵧ²q is 16 times the amplitude of a checkerboard. */
const DAMPING: f32 = 1.0 / 256.0;

function cornersBetween(p: FlatBottom, south: usize, north: usize, into: usize): void {
  const array = rowBytes(p.nx);
  const ratioX = f32x4.splat(p.halfX);
  const ratioY = f32x4.splat(p.halfY);
  const halfGravity = f32x4.splat(0.5 * p.gravity);
  const hu = HU * array;
  const hv = HV * array;
  const xx = XX * array;
  const xy = XY * array;
  const yy = YY * array;
  const end = FIRST + (<usize>(p.nx + 1) << 2);
  for (let at = FIRST; at < end; at += 16) {
    const s = south + at;
    const n = north + at;
    const depth = halfway(s, n, H, hu, hv, ratioX, ratioY);
    const alongX = halfway(s, n, hu, xx, xy, ratioX, ratioY);
    const alongY = halfway(s, n, hv, xy, yy, ratioX, ratioY);
    storeFlow(into + at, array, halfGravity, depth, alongX, alongY);
  }
}

/** q₋₁ − 2q + q₊₁ along a row. */
// @ts-ignore: decorator
@inline
function secondDifference(at: usize): v128 {
  const q = v128.load(at);
  return f32x4.add(f32x4.sub(v128.load(at - 4), f32x4.add(q, q)), v128.load(at, 4));
}

/** δₓ²δᵧ²q at four cells, 0 for what varies along one axis alone. */
// @ts-ignore: decorator
@inline
function checkerboard(south: usize, row: usize, north: usize): v128 {
  const here = secondDifference(row);
  return f32x4.add(f32x4.sub(secondDifference(north), f32x4.add(here, here)), secondDifference(south));
}

function fullStep(p: FlatBottom, south: usize, row: usize, north: usize, below: usize, above: usize, to: usize): bool {
  const nx = p.nx;
  const array = rowBytes(nx);
  const cells = <usize>nx * <usize>p.ny * 4;
  const ratioX = f32x4.splat(p.fullX);
  const ratioY = f32x4.splat(p.fullY);
  const damping = f32x4.splat(DAMPING);
  const drag = f32x4.splat(p.drag);
  const hu = HU * array;
  const hv = HV * array;
  const xx = XX * array;
  const xy = XY * array;
  const yy = YY * array;
  let suspicious = false;
  for (let i = 0; i < nx; i += 4) {
    const at = FIRST + (<usize>i << 2);
    const b = below + at;
    const a = above + at;
    const s = south + at;
    const c = row + at;
    const n = north + at;
    let depth = f32x4.sub(v128.load(c), divergence(b, a, hu, hv, ratioX, ratioY));
    let alongX = f32x4.sub(v128.load(c + hu), divergence(b, a, xx, xy, ratioX, ratioY));
    let alongY = f32x4.sub(v128.load(c + hv), divergence(b, a, xy, yy, ratioX, ratioY));
    depth = negatedMultiplyAdd(damping, checkerboard(s, c, n), depth);
    alongX = f32x4.mul(drag, negatedMultiplyAdd(damping, checkerboard(s + hu, c + hu, n + hu), alongX));
    alongY = f32x4.mul(drag, negatedMultiplyAdd(damping, checkerboard(s + hv, c + hv, n + hv), alongY));
    const target = to + (<usize>i << 2);
    storeFirst(target, depth, nx - i);
    storeFirst(target + cells, alongX, nx - i);
    storeFirst(target + 2 * cells, alongY, nx - i);
    if (anyElse(areFine(p, depth, alongX, alongY), nx - i)) suspicious = true;
  }
  return suspicious;
}

function richtmyerRows(p: FlatBottom, from: usize, to: usize, j0: i32, j1: i32, scratch: usize): bool {
  const array = rowBytes(p.nx);
  let south = scratch;
  let row = south + ROW_ARRAYS * array;
  let north = row + ROW_ARRAYS * array;
  let below = north + ROW_ARRAYS * array;
  let above = below + ROW_ARRAYS * array;
  let suspicious = false;
  loadRow(p, from, j0 - 1, row);
  loadRow(p, from, j0, north);
  cornersBetween(p, row, north, below);
  for (let j = j0; j < j1; j++) {
    const freed = south;
    south = row;
    row = north;
    north = freed;
    loadRow(p, from, j + 1, north);
    cornersBetween(p, row, north, above);
    if (fullStep(p, south, row, north, below, above, to + <usize>j * <usize>p.nx * 4)) suspicious = true;
    const swapped = below;
    below = above;
    above = swapped;
  }
  return suspicious;
}

/** A part is a band of rows of one member. */
export function richtmyer(p: FlatBottom, part: i32, scratch: usize): void {
  stepPart(p, part, scratch, richtmyerRows);
}
