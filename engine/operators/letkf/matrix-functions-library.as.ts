// Functions of the matrix, scaled by its trace: (I + G)⁻¹ for the mean, and sums over the poles for the anomalies [hht2008].

import { multiplyAdd } from '../../compute/wasm/simd-library.as';
import { Letkf } from './wasm';
import { Tridiagonal, addSolution, factorise, intoBasis } from './tridiagonal-library.as';
import { Workspace, at } from './workspace-library.as';

/** Entries of a pole class; no class has more poles. Class c holds for conditions up to 4^(c + 1). */
const POLE_STRIDE: i32 = 16;
const POLE_CLASSES: i32 = 10;

/**
 * The unit of the scaled matrix is at least this share of the trace: observations more accurate than a thousandth of the
 * spread count as that accurate, since float32 cannot resolve the smallest eigenvalues of I + G any more.
 */
export const SMALLEST_UNIT: f32 = 1.0 / 1048576.0;

export function scale(t: Tridiagonal, n: i32, factor: v128): void {
  for (let i = 0; i < n; i++) {
    let target = t.matrix + <usize>i * t.stride;
    for (let j = 0; j <= i; j++) {
      v128.store(target, f32x4.mul(factor, v128.load(target)));
      target += 16;
    }
  }
}

// @ts-ignore: decorator
@inline
function largestOf(v: v128): f32 {
  return max(
    max(f32x4.extract_lane(v, 0), f32x4.extract_lane(v, 1)),
    max(f32x4.extract_lane(v, 2), f32x4.extract_lane(v, 3)),
  );
}

/** Where the poles begin that hold for eigenvalues of the matrix up to `bound`. */
function polesFor(p: Letkf, bound: f32): usize {
  let c = 0;
  for (let most: f32 = 4; c < POLE_CLASSES - 1 && bound > most; most *= 4) c++;
  return at(p.poles, c * POLE_STRIDE);
}

/** results of all variables ← Σ over poles of weight (T + unit·shift)⁻¹ vectors; weights are word `which` of a pole times `factor`. */
export function applyPoles(p: Letkf, w: Workspace, n: i32, unit: v128, factor: v128, which: usize): void {
  const t = w.triangle;
  const column = <usize>p.order << 4;
  const smallest = f32x4.div(f32x4.splat(1), unit);
  const first = polesFor(p, largestOf(smallest));
  const count = <i32>f32.load(first, 12);
  for (let e: usize = 0; e < column * <usize>p.variables; e += 16) v128.store(w.results + e, f32x4.splat(0));
  for (let m = 0; m < count; m++) {
    const pole = at(first, m);
    factorise(t, n, f32x4.mul(unit, v128.load32_splat(pole)));
    const weight = f32x4.mul(factor, v128.load32_splat(pole + which));
    for (let v: usize = 0; v < <usize>p.variables; v++) {
      addSolution(t, n, weight, w.vectors + v * column, w.results + v * column);
    }
  }
}

/** `meanWeights`, in the basis of the tridiagonal form: factor (T + unit)⁻¹ of what is in `side`. */
export function solveMean(w: Workspace, n: i32, unit: v128, factor: v128, side: usize): void {
  const t = w.triangle;
  intoBasis(t, n, side);
  for (let i = 0; i < n; i++) v128.store(at(t.work, i), f32x4.splat(0));
  factorise(t, n, unit);
  addSolution(t, n, factor, side, t.work);
  for (let i = 0; i < n; i++) v128.store(at(w.meanWeights, i), v128.load(at(t.work, i)));
}

/** Σ meanWeights · vectors, in the basis of the tridiagonal form. */
export function alongMeanWeights(w: Workspace, n: i32, vectors: usize): v128 {
  let sum = f32x4.splat(0);
  for (let i = 0; i < n; i++) sum = multiplyAdd(v128.load(at(w.meanWeights, i)), v128.load(at(vectors, i)), sum);
  return sum;
}
