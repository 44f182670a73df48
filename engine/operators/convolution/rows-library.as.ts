// Σ_q w[q] · row(q) over rows of neighbouring points, whose places are in a table: two sums at a time, the second of which
// begins a row later, so that a vector that is read serves twice. A sum is made in the order of its taps, whatever block it is in.

import { multiplyAdd, storeFirst } from '../../compute/wasm/simd-library.as';

/** Where a row of the table begins. */
// @ts-ignore: decorator
@inline
export function rowAt(rows: usize, row: i32): usize {
  return load<u32>(rows + (<usize>row << 2));
}

// @ts-ignore: decorator
@inline
export function placeRow(rows: usize, row: i32, address: usize): void {
  store<u32>(rows + (<usize>row << 2), <u32>address);
}

// @ts-ignore: decorator
@inline
function tap(weights: usize, q: i32): v128 {
  return v128.load32_splat(weights + (<usize>q << 2));
}

/** Two sums at sixteen points, `at` bytes from where the rows begin. */
// @ts-ignore: decorator
@inline
function sixteenOfTwo(weights: usize, width: i32, rows: usize, at: usize, first: usize, second: usize): void {
  let a = f32x4.splat(0);
  let b = a;
  let c = a;
  let d = a;
  let e = a;
  let f = a;
  let g = a;
  let h = a;
  let w = tap(weights, 0);
  let row = rowAt(rows, 0) + at;
  a = multiplyAdd(w, v128.load(row), a);
  b = multiplyAdd(w, v128.load(row, 16), b);
  c = multiplyAdd(w, v128.load(row, 32), c);
  d = multiplyAdd(w, v128.load(row, 48), d);
  for (let q = 1; q < width; q++) {
    row = rowAt(rows, q) + at;
    const x = v128.load(row);
    const y = v128.load(row, 16);
    const z = v128.load(row, 32);
    const u = v128.load(row, 48);
    e = multiplyAdd(w, x, e);
    f = multiplyAdd(w, y, f);
    g = multiplyAdd(w, z, g);
    h = multiplyAdd(w, u, h);
    w = tap(weights, q);
    a = multiplyAdd(w, x, a);
    b = multiplyAdd(w, y, b);
    c = multiplyAdd(w, z, c);
    d = multiplyAdd(w, u, d);
  }
  row = rowAt(rows, width) + at;
  v128.store(first, a);
  v128.store(first, b, 16);
  v128.store(first, c, 32);
  v128.store(first, d, 48);
  v128.store(second, multiplyAdd(w, v128.load(row), e));
  v128.store(second, multiplyAdd(w, v128.load(row, 16), f), 16);
  v128.store(second, multiplyAdd(w, v128.load(row, 32), g), 32);
  v128.store(second, multiplyAdd(w, v128.load(row, 48), h), 48);
}

/** One sum at sixteen points, of which the first `count` are kept. */
function sixteenOfOne(weights: usize, width: i32, rows: usize, at: usize, target: usize, count: i32): void {
  let a = f32x4.splat(0);
  let b = a;
  let c = a;
  let d = a;
  for (let q = 0; q < width; q++) {
    const w = tap(weights, q);
    const row = rowAt(rows, q) + at;
    a = multiplyAdd(w, v128.load(row), a);
    b = multiplyAdd(w, v128.load(row, 16), b);
    c = multiplyAdd(w, v128.load(row, 32), c);
    d = multiplyAdd(w, v128.load(row, 48), d);
  }
  storeFirst(target, a, count);
  if (count > 4) storeFirst(target + 16, b, count - 4);
  if (count > 8) storeFirst(target + 32, c, count - 8);
  if (count > 12) storeFirst(target + 48, d, count - 12);
}

/** Two sums at four points, of which the first `count` are kept. */
function fourOfTwo(weights: usize, width: i32, rows: usize, at: usize, first: usize, second: usize, count: i32): void {
  let a = f32x4.splat(0);
  let e = a;
  let w = tap(weights, 0);
  a = multiplyAdd(w, v128.load(rowAt(rows, 0) + at), a);
  for (let q = 1; q < width; q++) {
    const x = v128.load(rowAt(rows, q) + at);
    e = multiplyAdd(w, x, e);
    w = tap(weights, q);
    a = multiplyAdd(w, x, a);
  }
  e = multiplyAdd(w, v128.load(rowAt(rows, width) + at), e);
  storeFirst(first, a, count);
  storeFirst(second, e, count);
}

/** `count` points of the sum over rows 0 … width − 1 of the table. */
export function sumRows(weights: usize, width: i32, rows: usize, target: usize, count: i32): void {
  for (let i = 0; i < count; i += 16) {
    const at = <usize>i << 2;
    sixteenOfOne(weights, width, rows, at, target + at, count - i);
  }
}

/** The same, and the sum over rows 1 … width into `second`. */
export function sumRowsTwice(
  weights: usize,
  width: i32,
  rows: usize,
  first: usize,
  second: usize,
  count: i32,
): void {
  let i = 0;
  for (; i + 16 <= count; i += 16) {
    const at = <usize>i << 2;
    sixteenOfTwo(weights, width, rows, at, first + at, second + at);
  }
  for (; i < count; i += 4) {
    const at = <usize>i << 2;
    fourOfTwo(weights, width, rows, at, first + at, second + at, count - i);
  }
}
