// P_HT by its formula (index.ts), a row of cells of a variable a part, eight elements i at a time: with every column that H touches
// within reach the product Σ_l e[i, l] e[column, l] is formed once, four columns together, tapered, and added to each observation
// that uses the column. What is added to lies in the work space, a strip of the row for each observation, and has one owner.

import { multiplyAdd, storeFirst } from '../../compute/wasm/simd-library.as';
import { columnRun, entriesBefore, isTouched, rowRun, taperTableRow, touchedBefore, widthOf } from './columns-library.as';
import { GainCovariance } from './index';

/** Elements i of a block and of a strip, and bytes of them. */
const BLOCK: i32 = 8;
const BLOCK_BYTES: usize = 32;
const STRIP: i32 = 64;
const STRIP_BYTES: usize = 256;
/** Bytes of a listed entry: its observation's place in the work space, and h. */
const ENTRY_BYTES: usize = 8;

/** The anomalies of a block's elements, [L][8], zeros for those that there are not. */
function packBlock(p: GainCovariance, first: usize, count: i32, own: usize): void {
  const stride = <usize>(p.variables * p.nx * p.ny) << 2;
  let from = p.anomalies + first;
  for (let l = 0; l < p.members; l++) {
    if (count >= BLOCK) {
      v128.store(own, v128.load(from));
      v128.store(own, v128.load(from, 16), 16);
    } else {
      memory.fill(own, 0, BLOCK_BYTES);
      memory.copy(own, from, <usize>count << 2);
    }
    from += stride;
    own += BLOCK_BYTES;
  }
}

/** Adds the products with a touched column to the observations that use it. `tapers` is where the lag of the block's first element is. */
// @ts-ignore: decorator
@inline
function addProducts(p: GainCovariance, touched: i32, low: v128, high: v128, tapers: usize, sums: usize): void {
  const at = tapers - (<usize>i32.load(p.columnX + (<usize>touched << 2)) << 2);
  const a = f32x4.mul(v128.load(at), low);
  const b = f32x4.mul(v128.load(at, 16), high);
  const end = p.entries + <usize>entriesBefore(p, touched + 1) * ENTRY_BYTES;
  for (let entry = p.entries + <usize>entriesBefore(p, touched) * ENTRY_BYTES; entry < end; entry += ENTRY_BYTES) {
    const sum = sums + <usize>i32.load(entry);
    const h = v128.load32_splat(entry, 4);
    v128.store(sum, multiplyAdd(h, a, v128.load(sum)));
    v128.store(sum, multiplyAdd(h, b, v128.load(sum, 16)), 16);
  }
}

/** Four touched columns. */
function addFour(p: GainCovariance, touched: i32, tapers: usize, own: usize, sums: usize): void {
  const column = <usize>p.members << 2;
  let first = p.columns + <usize>touched * column;
  const zero = f32x4.splat(0);
  let a0 = zero;
  let b0 = zero;
  let a1 = zero;
  let b1 = zero;
  let a2 = zero;
  let b2 = zero;
  let a3 = zero;
  let b3 = zero;
  for (let l = 0; l < p.members; l++) {
    const low = v128.load(own);
    const high = v128.load(own, 16);
    const e0 = v128.load32_splat(first);
    const e1 = v128.load32_splat(first + column);
    const e2 = v128.load32_splat(first + 2 * column);
    const e3 = v128.load32_splat(first + 3 * column);
    a0 = multiplyAdd(e0, low, a0);
    b0 = multiplyAdd(e0, high, b0);
    a1 = multiplyAdd(e1, low, a1);
    b1 = multiplyAdd(e1, high, b1);
    a2 = multiplyAdd(e2, low, a2);
    b2 = multiplyAdd(e2, high, b2);
    a3 = multiplyAdd(e3, low, a3);
    b3 = multiplyAdd(e3, high, b3);
    first += 4;
    own += BLOCK_BYTES;
  }
  addProducts(p, touched, a0, b0, tapers, sums);
  addProducts(p, touched + 1, a1, b1, tapers, sums);
  addProducts(p, touched + 2, a2, b2, tapers, sums);
  addProducts(p, touched + 3, a3, b3, tapers, sums);
}

function addOne(p: GainCovariance, touched: i32, tapers: usize, own: usize, sums: usize): void {
  let at = p.columns + <usize>touched * (<usize>p.members << 2);
  let a = f32x4.splat(0);
  let b = f32x4.splat(0);
  for (let l = 0; l < p.members; l++) {
    const e = v128.load32_splat(at);
    a = multiplyAdd(e, v128.load(own), a);
    b = multiplyAdd(e, v128.load(own, 16), b);
    at += 4;
    own += BLOCK_BYTES;
  }
  addProducts(p, touched, a, b, tapers, sums);
}

/** All touched columns of a row of cells, in every variable, that are in reach of the block x0 … x1 − 1 of row y. */
function addRow(p: GainCovariance, x0: i32, x1: i32, y: i32, columnY: i32, own: usize, sums: usize): void {
  const tableRow = taperTableRow(p, abs(y - columnY));
  const tapers = p.tapers + (<usize>(tableRow * p.tableWidth + p.nx - 1 + x0) << 2);
  const width = widthOf(p, tableRow);
  if (width < 0) return;
  for (let variable = 0; variable < p.variables; variable++) {
    const row = (variable * p.ny + columnY) * p.nx;
    if (!isTouched(p, row)) continue;
    for (let which = 0; which < 2; which++) {
      const run = columnRun(p, x0, x1, width, which);
      const end = touchedBefore(p, row + <i32>(run >> 32));
      let touched = touchedBefore(p, row + <i32>run);
      for (; touched + 4 <= end; touched += 4) addFour(p, touched, tapers, own, sums);
      for (; touched < end; touched++) addOne(p, touched, tapers, own, sums);
    }
  }
}

/** Begins the sums of the observations that use a column of a row of cells in reach of x0 … x1 − 1, and marks them. */
function beginSums(p: GainCovariance, x0: i32, x1: i32, columnY: i32, reached: usize, sums: usize): void {
  for (let variable = 0; variable < p.variables; variable++) {
    const row = (variable * p.ny + columnY) * p.nx;
    if (!isTouched(p, row)) continue;
    for (let which = 0; which < 2; which++) {
      const run = columnRun(p, x0, x1, p.reachX, which);
      // The entries of columns that follow each other do so too.
      const last = entriesBefore(p, touchedBefore(p, row + <i32>(run >> 32)));
      for (let entry = entriesBefore(p, touchedBefore(p, row + <i32>run)); entry < last; entry++) {
        const place = <usize>i32.load(p.entries + <usize>entry * ENTRY_BYTES);
        const mark = reached + (place / STRIP_BYTES << 2);
        if (i32.load(mark) != 0) continue;
        i32.store(mark, 1);
        for (let at: usize = 0; at < STRIP_BYTES; at += 16) v128.store(sums + place + at, f32x4.splat(0));
      }
    }
  }
}

/** The strip x0 … x1 − 1 of row y of a variable. */
function formStrip(p: GainCovariance, part: i32, x0: i32, x1: i32, scratch: usize): void {
  const y = part % p.ny;
  const row = part * p.nx;
  const reached = scratch + <usize>p.observations * STRIP_BYTES;
  const own = reached + (<usize>((p.observations + 3) & ~3) << 2);
  memory.fill(reached, 0, <usize>p.observations << 2);
  for (let which = 0; which < 2; which++) {
    const run = rowRun(p, y, which);
    for (let columnY = <i32>run; columnY < <i32>(run >> 32); columnY++) beginSums(p, x0, x1, columnY, reached, scratch);
  }
  for (let x = x0; x < x1; x += BLOCK) {
    const end = min(x + BLOCK, x1);
    const sums = scratch + (<usize>(x - x0) << 2);
    packBlock(p, <usize>(row + x) << 2, end - x, own);
    for (let which = 0; which < 2; which++) {
      const run = rowRun(p, y, which);
      for (let columnY = <i32>run; columnY < <i32>(run >> 32); columnY++) addRow(p, x, end, y, columnY, own, sums);
    }
  }
  const state = <usize>(p.variables * p.nx * p.ny) << 2;
  const zero = f32x4.splat(0);
  let target = p.output + (<usize>(row + x0) << 2);
  for (let j = 0; j < p.observations; j++) {
    const sums = scratch + <usize>j * STRIP_BYTES;
    const isReached = i32.load(reached + (<usize>j << 2)) != 0;
    for (let x = x0; x < x1; x += 4) {
      const at = <usize>(x - x0) << 2;
      storeFirst(target + at, isReached ? v128.load(sums + at) : zero, x1 - x);
    }
    target += state;
  }
}

export function gainCovariance(p: GainCovariance, part: i32, scratch: usize): void {
  for (let x0 = 0; x0 < p.nx; x0 += STRIP) formStrip(p, part, x0, min(x0 + STRIP, p.nx), scratch);
}
