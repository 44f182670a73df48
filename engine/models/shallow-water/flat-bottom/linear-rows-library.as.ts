// The rows of frame-library.as.ts for a linearised step (linear.ts): of a state, with its velocities, and of a change of it or a
// sensitivity to it.

import { loadFirst, multiplyAdd, negatedMultiplyAdd, unlessBelow } from '../../../compute/wasm/simd-library.as';
import { AT_REST, LEAST_CHANGE, PERIODIC, WALL, sourceIndex, sourceSign } from '../water-library.as';
import { FIRST, H, HU, HV, XX, XY, YY, rowBytes } from './frame-library.as';
import { LinearFlatBottom } from './linear';

/** Arrays of a row, after the state and its fluxes: its velocities, */
export const U: usize = 6;
export const V: usize = 7;
/** the vector, for the tangent with the changes of the fluxes, */
export const D0: usize = 8;
export const D1: usize = 9;
export const D2: usize = 10;
export const DXX: usize = 11;
export const DXY: usize = 12;
export const DYY: usize = 13;
/** and second differences of the vector along x. */
export const BEND: usize = 14;
export const LINEAR_ROW_ARRAYS: usize = 17;

/** Offset of the ghost cell before the first cell, bytes. */
const GHOST: usize = 12;

// @ts-ignore: decorator
@inline
export function isOpen(boundary: i32): bool {
  return boundary != WALL && boundary != PERIODIC;
}

/** Change of hu²/h + g h²/2 at four cells or places; with v and the change of hv that of hv²/h + g h²/2. */
// @ts-ignore: decorator
@inline
export function changeOfXX(gravity: v128, h: v128, u: v128, d0: v128, d1: v128): v128 {
  const twice = f32x4.add(u, u);
  return multiplyAdd(negatedMultiplyAdd(u, u, f32x4.mul(gravity, h)), d0, f32x4.mul(twice, d1));
}

/** Change of hu·hv/h. */
// @ts-ignore: decorator
@inline
export function changeOfXY(u: v128, v: v128, d0: v128, d1: v128, d2: v128): v128 {
  return multiplyAdd(u, negatedMultiplyAdd(v, d0, d2), f32x4.mul(v, d1));
}

/** Row j of the cells and of the vector, −1 … ny: momenta after half a step of drag. */
export function loadLinearRow(p: LinearFlatBottom, j: i32, row: usize): void {
  const nx = p.nx;
  const array = rowBytes(nx);
  const cells = <usize>nx * <usize>p.ny * 4;
  const from = <usize>sourceIndex(j, p.ny, p.boundaryY) * <usize>nx * 4;
  const drag = f32x4.splat(p.drag);
  const signedDrag = f32x4.splat(sourceSign(j, p.ny, p.boundaryY) * p.drag);
  const leastChange = f32x4.splat(LEAST_CHANGE);
  for (let i = 0; i < nx; i += 4) {
    const place = from + (<usize>i << 2);
    const at = row + FIRST + (<usize>i << 2);
    const state = p.before + place;
    const h = loadFirst(state, nx - i, 1);
    const least = f32x4.mul(f32x4.splat(AT_REST), h);
    v128.store(at + H * array, h);
    v128.store(at + HU * array, f32x4.mul(drag, unlessBelow(least, loadFirst(state + cells, nx - i, 0))));
    v128.store(at + HV * array, f32x4.mul(signedDrag, unlessBelow(least, loadFirst(state + 2 * cells, nx - i, 0))));
    const vector = p.input + place;
    v128.store(at + D0 * array, unlessBelow(leastChange, loadFirst(vector, nx - i, 0)));
    v128.store(at + D1 * array, f32x4.mul(drag, unlessBelow(leastChange, loadFirst(vector + cells, nx - i, 0))));
    v128.store(at + D2 * array, f32x4.mul(signedDrag, unlessBelow(leastChange, loadFirst(vector + 2 * cells, nx - i, 0))));
  }
  const sign: f32 = p.boundaryX == WALL ? -1 : 1;
  // Past the ghost cell there is water at rest, so that vectors that reach there stay finite.
  const end = row + (<usize>(4 + nx) << 2);
  for (let beyond: usize = 0; beyond < 4; beyond++) {
    f32.store(end + beyond * 4, 1);
    f32.store(end + HU * array + beyond * 4, 0);
    f32.store(end + HV * array + beyond * 4, 0);
  }
  copyGhosts(row, p, 1);
  copyGhosts(row + HU * array, p, sign);
  copyGhosts(row + HV * array, p, 1);
  copyGhosts(row + D0 * array, p, 1);
  copyGhosts(row + D1 * array, p, sign);
  copyGhosts(row + D2 * array, p, 1);
  flowsOfRow(p, row);
  if (p.damping > 0) bendsOfRow(p, row);
  if (p.isAdjoint) clearOutside(p, j, row);
}

/** Ghost cells of an array. */
function copyGhosts(values: usize, p: LinearFlatBottom, sign: f32): void {
  const nx = p.nx;
  const west = f32.load(values + (<usize>(4 + sourceIndex(-1, nx, p.boundaryX)) << 2));
  const east = f32.load(values + (<usize>(4 + sourceIndex(nx, nx, p.boundaryX)) << 2));
  f32.store(values + GHOST, sign * west);
  f32.store(values + (<usize>(4 + nx) << 2), sign * east);
}

/** Fluxes and velocities of a row and, for the tangent, changes of the fluxes, ghost cells included. */
function flowsOfRow(p: LinearFlatBottom, row: usize): void {
  const array = rowBytes(p.nx);
  const end = FIRST + (<usize>(p.nx + 1) << 2);
  const gravity = f32x4.splat(p.gravity);
  const halfGravity = f32x4.splat(0.5 * p.gravity);
  for (let offset = GHOST; offset < end; offset += 16) {
    const at = row + offset;
    const h = v128.load(at);
    const hu = v128.load(at + HU * array);
    const hv = v128.load(at + HV * array);
    const perDepth = f32x4.div(f32x4.splat(1), h);
    const u = f32x4.mul(hu, perDepth);
    const v = f32x4.mul(hv, perDepth);
    const pressure = f32x4.mul(f32x4.mul(halfGravity, h), h);
    v128.store(at + XX * array, multiplyAdd(hu, u, pressure));
    v128.store(at + XY * array, f32x4.mul(hu, v));
    v128.store(at + YY * array, multiplyAdd(hv, v, pressure));
    v128.store(at + U * array, u);
    v128.store(at + V * array, v);
    if (p.isAdjoint) continue;
    const d0 = v128.load(at + D0 * array);
    const d1 = v128.load(at + D1 * array);
    const d2 = v128.load(at + D2 * array);
    v128.store(at + DXX * array, changeOfXX(gravity, h, u, d0, d1));
    v128.store(at + DXY * array, changeOfXY(u, v, d0, d1, d2));
    v128.store(at + DYY * array, changeOfXX(gravity, h, v, d0, d2));
  }
}

/** d₋₁ − 2d + d₊₁ along a row. */
function bendsOfRow(p: LinearFlatBottom, row: usize): void {
  const array = rowBytes(p.nx);
  const end = FIRST + (<usize>p.nx << 2);
  for (let variable: usize = 0; variable < 3; variable++) {
    const values = row + (D0 + variable) * array;
    const bends = row + (BEND + variable) * array;
    for (let at = FIRST; at < end; at += 16) {
      const d = v128.load(values + at);
      const beside = f32x4.add(v128.load(values + at - 4), v128.load(values + at, 4));
      v128.store(bends + at, f32x4.sub(beside, f32x4.add(d, d)));
    }
  }
}

/** No sensitivity comes to places from beyond an open side. */
function clearOutside(p: LinearFlatBottom, j: i32, row: usize): void {
  const array = rowBytes(p.nx);
  if (isOpen(p.boundaryY) && (j < 0 || j >= p.ny)) memory.fill(row + D0 * array, 0, 3 * array);
  if (!isOpen(p.boundaryX)) return;
  for (let d = D0; d <= D2; d++) {
    f32.store(row + d * array + GHOST, 0);
    f32.store(row + d * array + (<usize>(4 + p.nx) << 2), 0);
  }
}
