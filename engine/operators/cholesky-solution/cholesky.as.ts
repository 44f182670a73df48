// Cholesky by panels of columns (index.ts): of each panel first the rows through its diagonal block, one after the other, then the
// rows beneath, each by itself. What is before a row's first entry stays 0 and is omitted, as in index.ts.

import { loadFirst, multiplyAdd, negatedMultiplyAdd, storeFirst, sumOf } from '../../compute/wasm/simd-library.as';
import { Cholesky } from './index';

// @ts-ignore: decorator
@inline
function rowOf(p: Cholesky, i: i32): usize {
  return p.matrix + (<usize>(i * p.size) << 2);
}

// @ts-ignore: decorator
@inline
function firstOf(p: Cholesky, i: i32): i32 {
  return i32.load(p.first + (<usize>i << 2));
}

/** Σ a_k b_k over from ≤ k < to. */
// @ts-ignore: decorator
@inline
function product(a: usize, b: usize, from: i32, to: i32): f32 {
  let even = f32x4.splat(0);
  let odd = f32x4.splat(0);
  let k = from;
  for (; k + 8 <= to; k += 8) {
    const at = <usize>k << 2;
    even = multiplyAdd(v128.load(a + at), v128.load(b + at), even);
    odd = multiplyAdd(v128.load(a + at, 16), v128.load(b + at, 16), odd);
  }
  for (; k < to; k += 4) {
    const at = <usize>k << 2;
    even = multiplyAdd(loadFirst(a + at, to - k, 0), loadFirst(b + at, to - k, 0), even);
  }
  return sumOf(f32x4.add(even, odd));
}

/** In place of a pivot that is not positive and finite: division by it is to give 0. */
const NO_PIVOT: f32 = <f32>Infinity;

// @ts-ignore: decorator
@inline
function overPivot(value: f32, pivot: f32): f32 {
  return pivot == NO_PIVOT ? 0 : value / pivot;
}

/** The entries j0 … j1 − 1 of row i, of those that are in its lower triangle; all before them are done. */
function factoriseRow(p: Cholesky, i: i32, j0: i32, j1: i32): void {
  const row = rowOf(p, i);
  const first = firstOf(p, i);
  const end = min(j1, i);
  for (let j = max(j0, first); j < end; j++) {
    const other = rowOf(p, j);
    const at = row + (<usize>j << 2);
    const value = f32.load(at) - product(row, other, max(first, firstOf(p, j)), j);
    f32.store(at, overPivot(value, f32.load(other + (<usize>j << 2))));
  }
}

/** The diagonal entry of row i, of which all others are done. @returns whether it is a pivot */
function factoriseDiagonal(p: Cholesky, i: i32): bool {
  const row = rowOf(p, i);
  const at = row + (<usize>i << 2);
  const square = f32.load(at) - product(row, row, firstOf(p, i), i);
  const isPivot = square > 0 && square < NO_PIVOT;
  f32.store(at, isPivot ? sqrt<f32>(square) : NO_PIVOT);
  return isPivot;
}

/** Finds the first entries of a run of rows. */
export function choleskyFirstEntries(p: Cholesky, part: i32, scratch: usize): void {
  const end = min((part + 1) * p.segment, p.size);
  for (let i = part * p.segment; i < end; i++) {
    const row = rowOf(p, i);
    let column = 0;
    while (column + 4 <= i && !v128.any_true(f32x4.ne(v128.load(row + (<usize>column << 2)), f32x4.splat(0)))) column += 4;
    while (column < i && f32.load(row + (<usize>column << 2)) == 0) column++;
    i32.store(p.first + (<usize>i << 2), column);
  }
}

/** The rows through the panel's diagonal block. The status becomes 1 + the first row without a pivot. */
export function choleskyDiagonal(p: Cholesky, part: i32, scratch: usize): void {
  const end = min(p.column + p.width, p.size);
  for (let i = p.column; i < end; i++) {
    factoriseRow(p, i, p.column, end);
    if (!factoriseDiagonal(p, i) && i32.load(p.status) == 0) i32.store(p.status, i + 1);
  }
}

/** The panel's columns of a run of rows beneath its diagonal block. */
export function choleskyRows(p: Cholesky, part: i32, scratch: usize): void {
  const start = p.column + p.width + part * p.segment;
  const end = min(start + p.segment, p.size);
  for (let i = start; i < end; i++) factoriseRow(p, i, p.column, p.column + p.width);
}

/** x ← L⁻ᵀ L⁻¹ x of one right-hand side. */
export function choleskySubstitute(p: Cholesky, part: i32, scratch: usize): void {
  const m = p.size;
  const x = p.solution + (<usize>(part * m) << 2);
  for (let i = 0; i < m; i++) {
    const row = rowOf(p, i);
    const at = x + (<usize>i << 2);
    const value = f32.load(at) - product(row, x, firstOf(p, i), i);
    f32.store(at, overPivot(value, f32.load(row + (<usize>i << 2))));
  }
  for (let i = m - 1; i >= 0; i--) {
    const row = rowOf(p, i);
    const at = x + (<usize>i << 2);
    const value = overPivot(f32.load(at), f32.load(row + (<usize>i << 2)));
    f32.store(at, value);
    const factor = f32x4.splat(value);
    for (let k = firstOf(p, i); k < i; k += 4) {
      const place = <usize>k << 2;
      const known = loadFirst(x + place, i - k, 0);
      storeFirst(x + place, negatedMultiplyAdd(factor, loadFirst(row + place, i - k, 0), known), i - k);
    }
  }
}
