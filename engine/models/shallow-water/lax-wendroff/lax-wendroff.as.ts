// Moler's two-step Lax–Wendroff scheme, row by row (index.ts has the equations): fluxes through the x-faces of a row, through the
// y-faces below and above it, and the full step. Four cells at a time; every face is computed once in a band.

import { multiplyAdd, negatedMultiplyAdd, storeFirst } from '../../../compute/wasm/simd-library.as';
import { FIRST, H, HU, HV, ROW_ARRAYS, XX, XY, YY, fastX, fastY, isSuspicious, loadRow, rowBytes, stepPart } from '../flat-bottom/frame-library.as';
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

function fullStep(p: FlatBottom, row: usize, x: usize, below: usize, above: usize, to: usize): bool {
  const nx = p.nx;
  const array = rowBytes(nx);
  const cells = <usize>nx * <usize>p.ny * 4;
  const perX = f32x4.splat(p.fullX);
  const perY = f32x4.splat(p.fullY);
  const gravity = f32x4.splat(p.gravity);
  const drag = f32x4.splat(p.drag);
  const limitX = fastX(p);
  const limitY = fastY(p);
  let suspicious = false;
  for (let i = 0; i < nx; i += 4) {
    const at = FIRST + (<usize>i << 2);
    const water = at + WATER * array;
    const normal = at + NORMAL * array;
    const tangential = at + TANGENTIAL * array;
    const h = updated(v128.load(row + at), x + water, below + water, above + water, perX, perY);
    const hu = f32x4.mul(drag, updated(v128.load(row + at + HU * array), x + normal, below + tangential, above + tangential, perX, perY));
    const hv = f32x4.mul(drag, updated(v128.load(row + at + HV * array), x + tangential, below + normal, above + normal, perX, perY));
    const target = to + (<usize>i << 2);
    storeFirst(target, h, nx - i);
    storeFirst(target + cells, hu, nx - i);
    storeFirst(target + 2 * cells, hv, nx - i);
    if (isSuspicious(h, hu, hv, gravity, limitX, limitY, nx - i)) suspicious = true;
  }
  return suspicious;
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
    if (fullStep(p, row, x, below, above, to + <usize>j * <usize>p.nx * 4)) suspicious = true;
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
