// What the schemes for a flat bottom have in common: rows of a member with ghost cells and fluxes, the loop over steps, and the
// search for what went wrong. A band of rows reads one state and writes another, so that bands may be done in any order; where
// a member is a single band it takes all steps of a run by itself.
//
// A row's arrays have the cell i at 4 + i, its ghost cells at 3 and 4 + nx. Boundary rule: basin.ts.

import { loadFirst, multiplyAdd, unlessBelow } from '../../../compute/wasm/simd-library.as';
import {
  AT_REST,
  NEGATIVE_DEPTH,
  WALL,
  clearedReport,
  courantNumber,
  sourceIndex,
  sourceSign,
  tell,
  tellNotFinite,
} from '../water-library.as';
import { FlatBottom } from './index';

/** Arrays of a row, of which the last three are fluxes hu²/h + g h²/2, hu·hv/h, hv²/h + g h²/2. */
export const H: usize = 0;
export const HU: usize = 1;
export const HV: usize = 2;
export const XX: usize = 3;
export const XY: usize = 4;
export const YY: usize = 5;
export const ROW_ARRAYS: usize = 6;

/** Offset of the first cell in an array of a row, bytes. */
export const FIRST: usize = 16;

/** Bytes of one array of a row: cells, ghost cells, and what vectors reach beyond. */
// @ts-ignore: decorator
@inline
export function rowBytes(nx: i32): usize {
  return <usize>(((nx + 4) & ~3) + 12) * 4;
}

/** Depth, momenta and their fluxes for four cells. */
// @ts-ignore: decorator
@inline
export function storeFlow(at: usize, array: usize, halfGravity: v128, h: v128, hu: v128, hv: v128): void {
  const perDepth = f32x4.div(f32x4.splat(1), h);
  const u = f32x4.mul(hu, perDepth);
  const v = f32x4.mul(hv, perDepth);
  const pressure = f32x4.mul(f32x4.mul(halfGravity, h), h);
  v128.store(at, h);
  v128.store(at + HU * array, hu);
  v128.store(at + HV * array, hv);
  v128.store(at + XX * array, multiplyAdd(hu, u, pressure));
  v128.store(at + XY * array, f32x4.mul(hu, v));
  v128.store(at + YY * array, multiplyAdd(hv, v, pressure));
}

function copyCell(row: usize, array: usize, to: i32, from: i32, sign: f32): void {
  const target = row + (<usize>to << 2);
  const source = row + (<usize>from << 2);
  f32.store(target, f32.load(source));
  f32.store(target + HU * array, sign * f32.load(source + HU * array));
  f32.store(target + HV * array, f32.load(source + HV * array));
  f32.store(target + XX * array, f32.load(source + XX * array));
  f32.store(target + XY * array, sign * f32.load(source + XY * array));
  f32.store(target + YY * array, f32.load(source + YY * array));
}

/** Row j of a member, −1 … ny, with its ghost cells: momenta after half a step of drag, with which a step begins. */
export function loadRow(p: FlatBottom, member: usize, j: i32, row: usize): void {
  const nx = p.nx;
  const array = rowBytes(nx);
  const cells = <usize>nx * <usize>p.ny * 4;
  const halfGravity = f32x4.splat(0.5 * p.gravity);
  const from = member + <usize>sourceIndex(j, p.ny, p.boundaryY) * <usize>nx * 4;
  const drag = f32x4.splat(p.drag);
  const signedDrag = f32x4.splat(sourceSign(j, p.ny, p.boundaryY) * p.drag);
  for (let i = 0; i < nx; i += 4) {
    const cell = from + (<usize>i << 2);
    const h = loadFirst(cell, nx - i, 1);
    const least = f32x4.mul(f32x4.splat(AT_REST), h);
    const hu = f32x4.mul(drag, unlessBelow(least, loadFirst(cell + cells, nx - i, 0)));
    const hv = f32x4.mul(signedDrag, unlessBelow(least, loadFirst(cell + 2 * cells, nx - i, 0)));
    storeFlow(row + FIRST + (<usize>i << 2), array, halfGravity, h, hu, hv);
  }
  const sign: f32 = p.boundaryX == WALL ? -1 : 1;
  copyCell(row, array, 3, 4 + sourceIndex(-1, nx, p.boundaryX), sign);
  // Past the ghost cell there is water at rest, so that vectors that reach there stay finite.
  const end = row + (<usize>(4 + nx) << 2);
  for (let beyond: usize = 0; beyond < 4; beyond++) {
    f32.store(end + beyond * 4, 1);
    for (let a = HU; a < ROW_ARRAYS; a++) f32.store(end + a * array + beyond * 4, 0);
  }
  copyCell(row, array, 4 + nx, 4 + sourceIndex(nx, nx, p.boundaryX), sign);
}

/**
 * Which of four cells are surely right: with water, and with waves that are not nearly too fast. |u| + c ≤ s is asked as
 * |hu| + h c ≤ s h; what is no number is not right.
 */
// @ts-ignore: decorator
@inline
export function areFine(p: FlatBottom, h: v128, hu: v128, hv: v128): v128 {
  const carried = f32x4.mul(h, f32x4.sqrt(f32x4.mul(f32x4.splat(p.gravity), h)));
  return v128.and(
    f32x4.gt(h, f32x4.splat(0)),
    v128.and(
      f32x4.le(f32x4.add(f32x4.abs(hu), carried), f32x4.mul(f32x4.splat(p.fastX), h)),
      f32x4.le(f32x4.add(f32x4.abs(hv), carried), f32x4.mul(f32x4.splat(p.fastY), h)),
    ),
  );
}

/** Whether any of the first `count` of four is not among those that are fine. */
// @ts-ignore: decorator
@inline
export function anyElse(fine: v128, count: i32): bool {
  const mask = count >= 4 ? 15 : (1 << count) - 1;
  return (i32x4.bitmask(fine) & mask) != mask;
}

/** Looks at rows j0 … j1 − 1 cell by cell (basin.ts). @returns whether something is wrong, and reports the first such cell */
function examine(p: FlatBottom, member: usize, j0: i32, j1: i32, step: i32, report: usize): bool {
  const nx = p.nx;
  const cells = <usize>nx * <usize>p.ny * 4;
  for (let cell = j0 * nx; cell < j1 * nx; cell++) {
    const at = member + (<usize>cell << 2);
    if (tellNotFinite(at, cells, step, cell, report)) return true;
    const h = f32.load(at);
    if (h <= 0) {
      tell(report, step, cell, NEGATIVE_DEPTH, 0, h);
      return true;
    }
    const courant = courantNumber(at, cells, h, p.gravity, p.seconds, p.dx, p.dy);
    if (courant > <f64>p.courant) {
      tell(report, step, cell, p.courantKind, 0, <f32>courant);
      return true;
    }
  }
  return false;
}

/** Steps the rows j0 … j1 − 1 of a member from one state to another. @returns whether one of the new rows is suspicious */
type Rows = (p: FlatBottom, from: usize, to: usize, j0: i32, j1: i32, scratch: usize) => bool;

/** All steps of a part; the state of a member that is a single band is where it was, whatever their number. */
// @ts-ignore: decorator
@inline
export function stepPart(p: FlatBottom, part: i32, scratch: usize, rows: Rows): void {
  const member = part / p.bands;
  const j0 = (part % p.bands) * p.rowsPerBand;
  const j1 = min(j0 + p.rowsPerBand, p.ny);
  const bytes = <usize>p.nx * <usize>p.ny * 12;
  const home = p.state + <usize>member * bytes;
  let from = home;
  let to = p.other + <usize>member * bytes;
  const report = clearedReport(p.reports, part);
  for (let step = 0; step < p.steps; step++) {
    const suspicious = rows(p, from, to, j0, j1, scratch);
    const swapped = from;
    from = to;
    to = swapped;
    if (suspicious && examine(p, from, j0, j1, step, report)) break;
  }
  if (p.bands == 1 && from != home) memory.copy(home, from, bytes);
}
