// The vectors of conjugate gradients (operators.ts): a part is a run of elements, and leaves up to two float64 sums.

import { loadFirst, multiplyAdd, negatedMultiplyAdd, storeFirst, accumulate, total } from '../../compute/wasm/simd-library.as';

import { ConjugateGradient } from './devices';

// @ts-ignore: decorator
@inline
function endOf(p: ConjugateGradient, part: i32): i32 {
  return min((part + 1) * p.segment, p.length);
}

/** A p = M p + shift · p of four elements. */
// @ts-ignore: decorator
@inline
function applied(p: ConjugateGradient, at: usize, count: i32): v128 {
  return multiplyAdd(
    f32x4.splat(p.shift),
    loadFirst(p.direction + at, count, 0),
    loadFirst(p.product + at, count, 0),
  );
}

/** v = 0, r = p = b; rᵀr */
export function startFromRest(p: ConjugateGradient, part: i32, scratch: usize): void {
  const end = endOf(p, part);
  let residuals = f64x2.splat(0);
  for (let i = part * p.segment; i < end; i += 4) {
    const at = <usize>i << 2;
    const count = end - i;
    const b = loadFirst(p.rightHandSide + at, count, 0);
    storeFirst(p.solution + at, f32x4.splat(0), count);
    storeFirst(p.residual + at, b, count);
    storeFirst(p.direction + at, b, count);
    residuals = accumulate(residuals, f32x4.mul(b, b));
  }
  f64.store(p.sums + (<usize>part << 4), total(residuals));
}

/** pᵀAp */
export function curvature(p: ConjugateGradient, part: i32, scratch: usize): void {
  const end = endOf(p, part);
  let sums = f64x2.splat(0);
  for (let i = part * p.segment; i < end; i += 4) {
    const at = <usize>i << 2;
    sums = accumulate(sums, f32x4.mul(loadFirst(p.direction + at, end - i, 0), applied(p, at, end - i)));
  }
  f64.store(p.sums + (<usize>part << 4), total(sums));
}

/** v ← v + αp;  r ← r − αAp; rᵀr and vᵀv */
export function stepAlong(p: ConjugateGradient, part: i32, scratch: usize): void {
  const end = endOf(p, part);
  const alpha = f32x4.splat(p.factor);
  let residuals = f64x2.splat(0);
  let solutions = f64x2.splat(0);
  for (let i = part * p.segment; i < end; i += 4) {
    const at = <usize>i << 2;
    const count = end - i;
    const v = multiplyAdd(alpha, loadFirst(p.direction + at, count, 0), loadFirst(p.solution + at, count, 0));
    const r = negatedMultiplyAdd(alpha, applied(p, at, count), loadFirst(p.residual + at, count, 0));
    storeFirst(p.solution + at, v, count);
    storeFirst(p.residual + at, r, count);
    residuals = accumulate(residuals, f32x4.mul(r, r));
    solutions = accumulate(solutions, f32x4.mul(v, v));
  }
  f64.store(p.sums + (<usize>part << 4), total(residuals));
  f64.store(p.sums + (<usize>part << 4), total(solutions), 8);
}

/** p ← r + βp */
export function newDirection(p: ConjugateGradient, part: i32, scratch: usize): void {
  const end = endOf(p, part);
  const beta = f32x4.splat(p.factor);
  for (let i = part * p.segment; i < end; i += 4) {
    const at = <usize>i << 2;
    const direction = p.direction + at;
    const next = multiplyAdd(beta, loadFirst(direction, end - i, 0), loadFirst(p.residual + at, end - i, 0));
    storeFirst(direction, next, end - i);
  }
}
