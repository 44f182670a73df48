// Functions of four symmetric matrices at a time, one a lane [hht2008]: Householder reduction to tridiagonal form, and sums over
// poles of the inverse of the tridiagonal matrix plus a shift. No branches, no test of convergence.
//
// A matrix of order n is the lower triangle by full rows: element (i, j) at i·order + j vectors. Pivots are never below the
// pole's shift (the matrix is positive semidefinite): the clamp holds them there against rounding.

import { multiplyAdd, negatedMultiplyAdd } from '../../compute/wasm/simd-library.as';

/** Four matrices in tridiagonal form, and the work space to apply functions of them. */
@unmanaged
export class Tridiagonal {
  /** Rows of the matrix; after the reduction column s below the diagonal holds reflection s. */
  matrix: usize;
  /** Bytes from one row to the next. */
  stride: usize;
  diagonal: usize;
  /** Between i and i + 1. */
  offDiagonal: usize;
  /** Reflection s is I − beta[s] v vᵀ. */
  beta: usize;
  work: usize;
  /** Pivots of a pole, inverted, and the ratios of its elimination. */
  inverse: usize;
  ratio: usize;
  forward: usize;
}

// @ts-ignore: decorator
@inline
function at(base: usize, i: i32): usize {
  return base + (<usize>i << 4);
}

/** Element (i, j), j ≤ i. */
// @ts-ignore: decorator
@inline
function element(t: Tridiagonal, i: i32, j: i32): usize {
  return t.matrix + <usize>i * t.stride + (<usize>j << 4);
}

/** work ← factor · A v for the trailing block from `head` on, v being column s. Returns vᵀ work. */
function applyTrailing(t: Tridiagonal, n: i32, s: i32, factor: v128): v128 {
  const head = s + 1;
  for (let i = head; i < n; i++) v128.store(at(t.work, i), f32x4.splat(0));
  for (let i = head; i < n; i++) {
    const vi = v128.load(element(t, i, s));
    let sum = f32x4.splat(0);
    let row = element(t, i, head);
    for (let j = head; j < i; j++) {
      const a = v128.load(row);
      sum = multiplyAdd(a, v128.load(element(t, j, s)), sum);
      v128.store(at(t.work, j), multiplyAdd(a, vi, v128.load(at(t.work, j))));
      row += 16;
    }
    sum = multiplyAdd(v128.load(row), vi, sum);
    v128.store(at(t.work, i), f32x4.add(v128.load(at(t.work, i)), sum));
  }
  let inner = f32x4.splat(0);
  for (let i = head; i < n; i++) {
    const w = f32x4.mul(factor, v128.load(at(t.work, i)));
    v128.store(at(t.work, i), w);
    inner = multiplyAdd(w, v128.load(element(t, i, s)), inner);
  }
  return inner;
}

/** Reduces the matrices, keeping the reflections. They must be scaled to a trace of at most 1. */
export function tridiagonalise(t: Tridiagonal, n: i32): void {
  const zero = f32x4.splat(0);
  const one = f32x4.splat(1);
  for (let s = 0; s + 2 < n; s++) {
    const head = s + 1;
    const alpha = v128.load(element(t, head, s));
    let tail = zero;
    for (let i = s + 2; i < n; i++) {
      const v = v128.load(element(t, i, s));
      tail = multiplyAdd(v, v, tail);
    }
    const square = multiplyAdd(alpha, alpha, tail);
    const norm = f32x4.sqrt(square);
    // Below 1e-30 nothing is left to reflect, next to a matrix scaled to trace 1.
    const reflects = f32x4.gt(tail, f32x4.splat(1e-30));
    const away = v128.bitselect(f32x4.neg(norm), norm, f32x4.ge(alpha, zero));
    const edge = v128.bitselect(away, alpha, reflects);
    const factor = v128.and(f32x4.div(one, multiplyAdd(f32x4.abs(alpha), norm, square)), reflects);
    v128.store(at(t.offDiagonal, s), edge);
    v128.store(at(t.beta, s), factor);
    v128.store(element(t, head, s), f32x4.sub(alpha, edge));
    const inner = applyTrailing(t, n, s, factor);
    const half = f32x4.mul(f32x4.mul(f32x4.splat(0.5), factor), inner);
    for (let i = head; i < n; i++) {
      v128.store(
        at(t.work, i),
        negatedMultiplyAdd(half, v128.load(element(t, i, s)), v128.load(at(t.work, i))),
      );
    }
    for (let i = head; i < n; i++) {
      const vi = v128.load(element(t, i, s));
      const wi = v128.load(at(t.work, i));
      let row = element(t, i, head);
      let column = element(t, head, s);
      let work = at(t.work, head);
      for (let j = head; j <= i; j++) {
        const less = negatedMultiplyAdd(vi, v128.load(work), v128.load(row));
        v128.store(row, negatedMultiplyAdd(wi, v128.load(column), less));
        row += 16;
        column += t.stride;
        work += 16;
      }
    }
  }
  for (let i = 0; i < n; i++) v128.store(at(t.diagonal, i), v128.load(element(t, i, i)));
  if (n > 1) v128.store(at(t.offDiagonal, n - 2), v128.load(element(t, n - 1, n - 2)));
}

/** vectors ← reflection s of vectors. */
// @ts-ignore: decorator
@inline
function reflect(t: Tridiagonal, n: i32, s: i32, vectors: usize): void {
  let sum = f32x4.splat(0);
  for (let i = s + 1; i < n; i++) sum = multiplyAdd(v128.load(element(t, i, s)), v128.load(at(vectors, i)), sum);
  sum = f32x4.mul(sum, v128.load(at(t.beta, s)));
  for (let i = s + 1; i < n; i++) {
    v128.store(
      at(vectors, i),
      negatedMultiplyAdd(v128.load(element(t, i, s)), sum, v128.load(at(vectors, i))),
    );
  }
}

/** Into the basis of the tridiagonal form. */
export function intoBasis(t: Tridiagonal, n: i32, vectors: usize): void {
  for (let s = 0; s + 2 < n; s++) reflect(t, n, s, vectors);
}

/** And back. */
export function outOfBasis(t: Tridiagonal, n: i32, vectors: usize): void {
  for (let s = n - 3; s >= 0; s--) reflect(t, n, s, vectors);
}

/** Prepares (T + shift)⁻¹. */
export function factorise(t: Tridiagonal, n: i32, shift: v128): void {
  let pivot = f32x4.pmax(f32x4.add(v128.load(t.diagonal), shift), shift);
  let inverse = f32x4.div(f32x4.splat(1), pivot);
  v128.store(t.inverse, inverse);
  for (let i = 1; i < n; i++) {
    const edge = v128.load(at(t.offDiagonal, i - 1));
    const ratio = f32x4.mul(edge, inverse);
    pivot = f32x4.pmax(negatedMultiplyAdd(ratio, edge, f32x4.add(v128.load(at(t.diagonal, i)), shift)), shift);
    inverse = f32x4.div(f32x4.splat(1), pivot);
    v128.store(at(t.ratio, i), ratio);
    v128.store(at(t.inverse, i), inverse);
  }
}

/** results += weight (T + shift)⁻¹ vectors, for the shift that was factorised. */
export function addSolution(t: Tridiagonal, n: i32, weight: v128, vectors: usize, results: usize): void {
  let side = v128.load(vectors);
  v128.store(t.forward, side);
  for (let i = 1; i < n; i++) {
    side = negatedMultiplyAdd(v128.load(at(t.ratio, i)), side, v128.load(at(vectors, i)));
    v128.store(at(t.forward, i), side);
  }
  let next = f32x4.splat(0);
  for (let i = n - 1; i >= 0; i--) {
    const sum =
      i == n - 1
        ? v128.load(at(t.forward, i))
        : negatedMultiplyAdd(v128.load(at(t.offDiagonal, i)), next, v128.load(at(t.forward, i)));
    next = f32x4.mul(sum, v128.load(at(t.inverse, i)));
    v128.store(at(results, i), multiplyAdd(weight, next, v128.load(at(results, i))));
  }
}
