// Moler's two-step Lax–Wendroff scheme, row by row (index.ts has the equations): fluxes through the x-faces of a row, through the
// y-faces below and above it, and the full step. Four cells at a time; every face is computed once in a band.

import { multiplyAdd, negatedMultiplyAdd, storeFirst } from '../../../compute/wasm/simd-library.as';
import { FIRST, H, HU, HV, ROW_ARRAYS, XX, XY, YY, anyElse, areFine, loadRow, rowBytes, stepPart } from '../flat-bottom/frame-library.as';
import { FlatBottom } from '../flat-bottom/index';

/** Arrays of a row of faces: flux of water, of normal and of tangential momentum. */
const WATER: usize = 0;
const NORMAL: usize = 1;
const TANGENTIAL: usize = 2;
const FACE_ARRAYS: usize = 3;

/** Fluxes f(q½) through four faces: the cells before them at `a`, those after them at `b`, `normal` and `tangential` by array. */
// @ts-ignore: decorator
@inline
function faceFlux(
  into: usize,
  a: usize,
  b: usize,
  array: usize,
  normal: usize,
  tangential: usize,
  along: usize,
  ratio: v128,
  halfGravity: v128,
): void {
  const half = f32x4.splat(0.5);
  const na = v128.load(a + normal * array);
  const nb = v128.load(b + normal * array);
  const depth = negatedMultiplyAdd(
    ratio,
    f32x4.sub(nb, na),
    f32x4.mul(half, f32x4.add(v128.load(a + H * array), v128.load(b + H * array))),
  );
  const water = negatedMultiplyAdd(
    ratio,
    f32x4.sub(v128.load(b + along * array), v128.load(a + along * array)),
    f32x4.mul(half, f32x4.add(na, nb)),
  );
  const across = negatedMultiplyAdd(
    ratio,
    f32x4.sub(v128.load(b + XY * array), v128.load(a + XY * array)),
    f32x4.mul(half, f32x4.add(v128.load(a + tangential * array), v128.load(b + tangential * array))),
  );
  const speed = f32x4.div(water, depth);
  v128.store(into + WATER * array, water);
  v128.store(into + NORMAL * array, multiplyAdd(water, speed, f32x4.mul(f32x4.mul(halfGravity, depth), depth)));
  v128.store(into + TANGENTIAL * array, f32x4.mul(across, speed));
}

function xFaces(p: FlatBottom, row: usize, into: usize): void {
  const array = rowBytes(p.nx);
  const ratio = f32x4.splat(p.halfX);
  const halfGravity = f32x4.splat(0.5 * p.gravity);
  const end = FIRST + (<usize>(p.nx + 1) << 2);
  for (let at = FIRST; at < end; at += 16) {
    faceFlux(into + at, row + at - 4, row + at, array, HU, HV, XX, ratio, halfGravity);
  }
}

function yFaces(p: FlatBottom, south: usize, north: usize, into: usize): void {
  const array = rowBytes(p.nx);
  const ratio = f32x4.splat(p.halfY);
  const halfGravity = f32x4.splat(0.5 * p.gravity);
  const end = FIRST + (<usize>p.nx << 2);
  for (let at = FIRST; at < end; at += 16) {
    faceFlux(into + at, south + at, north + at, array, HV, HU, YY, ratio, halfGravity);
  }
}

/** q − dt/dx·δₓf − dt/dy·δᵧg for four cells, the fluxes of the cells' near faces at `x`, `below` and `above`. */
// @ts-ignore: decorator
@inline
function updated(q: v128, x: usize, below: usize, above: usize, perX: v128, perY: v128): v128 {
  const alongX = f32x4.sub(v128.load(x, 4), v128.load(x));
  const alongY = f32x4.sub(v128.load(above), v128.load(below));
  return f32x4.sub(q, multiplyAdd(perX, alongX, f32x4.mul(perY, alongY)));
}

/**
 * The full step of four cells, of which the first `count` are kept; returns which are fine. Each variable is stored before the
 * next is read, since engines read all that they can before they compute: what they have no registers for goes through memory.
 */
// @ts-ignore: decorator
@inline
function fourCells(p: FlatBottom, row: usize, x: usize, below: usize, above: usize, to: usize, count: i32): v128 {
  const array = rowBytes(p.nx);
  const cells = <usize>p.nx * <usize>p.ny * 4;
  const perX = f32x4.splat(p.fullX);
  const perY = f32x4.splat(p.fullY);
  const drag = f32x4.splat(p.drag);
  const normal = NORMAL * array;
  const tangential = TANGENTIAL * array;
  const h = updated(v128.load(row), x, below, above, perX, perY);
  storeFirst(to, h, count);
  const hu = f32x4.mul(
    drag,
    updated(v128.load(row + HU * array), x + normal, below + tangential, above + tangential, perX, perY),
  );
  storeFirst(to + cells, hu, count);
  const hv = f32x4.mul(
    drag,
    updated(v128.load(row + HV * array), x + tangential, below + normal, above + normal, perX, perY),
  );
  storeFirst(to + 2 * cells, hv, count);
  return areFine(p, h, hu, hv);
}

function fullStep(p: FlatBottom, row: usize, x: usize, below: usize, above: usize, to: usize): bool {
  const bytes = <usize>p.nx << 2;
  let fine = i32x4.splat(-1);
  let at: usize = 0;
  for (; at + 16 <= bytes; at += 16) {
    fine = v128.and(fine, fourCells(p, row + at, x + at, below + at, above + at, to + at, 4));
  }
  if (at == bytes) return anyElse(fine, 4);
  const rest = p.nx & 3;
  return anyElse(fine, 4) || anyElse(fourCells(p, row + at, x + at, below + at, above + at, to + at, rest), rest);
}

function laxWendroffRows(p: FlatBottom, from: usize, to: usize, j0: i32, j1: i32, scratch: usize): bool {
  const array = rowBytes(p.nx);
  let south = scratch;
  let north = south + ROW_ARRAYS * array;
  const x = north + ROW_ARRAYS * array;
  let below = x + FACE_ARRAYS * array;
  let above = below + FACE_ARRAYS * array;
  let suspicious = false;
  loadRow(p, from, j0 - 1, south);
  loadRow(p, from, j0, north);
  yFaces(p, south, north, below);
  for (let j = j0; j < j1; j++) {
    const row = north;
    north = south;
    south = row;
    loadRow(p, from, j + 1, north);
    yFaces(p, row, north, above);
    xFaces(p, row, x);
    if (fullStep(p, row + FIRST, x + FIRST, below + FIRST, above + FIRST, to + <usize>j * <usize>p.nx * 4)) suspicious = true;
    const swapped = below;
    below = above;
    above = swapped;
  }
  return suspicious;
}

/** A part is a band of rows of one member. */
export function laxWendroff(p: FlatBottom, part: i32, scratch: usize): void {
  stepPart(p, part, scratch, laxWendroffRows);
}
