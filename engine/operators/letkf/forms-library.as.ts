// The analysis in the space of the members (analysis.as.ts has the formula).

import { multiplyAdd, negatedMultiplyAdd, sumOf } from '../../compute/wasm/simd-library.as';
import { inTile, loadMembers, writeMembers, Workspace, anomaliesOf, at, slotOf } from './workspace-library.as';
import { addWhitened, alongWhitened, gramOfWhitened, takeWhitened } from './whitening-library.as';
import { Letkf } from './wasm';
import { intoBasis, outOfBasis, tridiagonalise, Tridiagonal, addSolution, factorise } from './tridiagonal-library.as';

/** Entries of a pole class; no class has more poles. Class c holds for conditions up to 4^(c + 1). */
const POLE_STRIDE: i32 = 16;
const POLE_CLASSES: i32 = 10;

/**
 * The unit of the scaled matrix is at least this share of the trace: observations more accurate than a thousandth of the
 * spread count as that accurate, since float32 cannot resolve the smallest eigenvalues of I + G any more.
 */
export const SMALLEST_UNIT: f32 = 1.0 / 1048576.0;

const DUAL: i32 = 1;
const PRIMAL: i32 = 2;

/** Whether the problem of so many listed observations is solved in place of the members': the form that is set, or the smaller. */
export function isDual(p: Letkf, count: i32): bool {
  return p.form == DUAL || (p.form != PRIMAL && count <= p.members);
}

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

/** A of the members, not yet scaled; `meanWeights` gets Sᵀ d. Returns the traces. */
export function gramOfMembers(p: Letkf, w: Workspace, count: i32): v128 {
  const t = w.triangle;
  const k = p.members;
  const zero = f32x4.splat(0);
  for (let i = 0; i < k; i++) {
    v128.store(at(w.meanWeights, i), zero);
    for (let j = 0; j <= i; j++) v128.store(t.matrix + <usize>i * t.stride + (<usize>j << 4), zero);
  }
  for (let a = 0; a < count; a++) {
    if (p.isCorrelated) {
      addWhitened(p, w, a);
      continue;
    }
    const row = anomaliesOf(p, w, a);
    const root = v128.load(at(w.roots, a));
    const weight = f32x4.mul(root, root);
    const innovation = f32x4.mul(root, v128.load32_splat(at(p.slots, slotOf(w, a)), 8));
    for (let i = 0; i < k; i++) {
      const s = v128.load32_splat(row + (<usize>i << 2));
      const gradient = at(w.meanWeights, i);
      v128.store(gradient, multiplyAdd(f32x4.mul(root, s), innovation, v128.load(gradient)));
      const weighted = f32x4.mul(weight, s);
      let target = t.matrix + <usize>i * t.stride;
      for (let j = 0; j <= i; j++) {
        v128.store(target, multiplyAdd(weighted, v128.load32_splat(row + (<usize>j << 2)), v128.load(target)));
        target += 16;
      }
    }
  }
  let trace = zero;
  for (let i = 0; i < k; i++) trace = f32x4.add(trace, v128.load(t.matrix + <usize>i * t.stride + (<usize>i << 4)));
  return trace;
}

export function analysePrimal(p: Letkf, w: Workspace, count: i32, four: i32): void {
  const t = w.triangle;
  const n = p.members;
  const column = <usize>p.order << 4;
  const one = f32x4.splat(1);
  const zero = f32x4.splat(0);
  const factor = f32x4.div(one, f32x4.add(one, gramOfMembers(p, w, count)));
  const unit = f32x4.max(factor, f32x4.splat(SMALLEST_UNIT));
  scale(t, n, factor);
  tridiagonalise(t, n);
  solveMean(w, n, unit, factor, w.meanWeights);
  for (let v: usize = 0; v < <usize>p.variables; v++) {
    const vectors = w.vectors + v * column;
    const mean = loadMembers(p, w, inTile(p, w, v, four));
    v128.store(at(w.means, <i32>v), mean);
    for (let l = 0; l < n; l++) v128.store(at(vectors, l), f32x4.sub(v128.load(at(w.members, l)), mean));
    intoBasis(t, n, vectors);
    v128.store(at(w.shifts, <i32>v), alongMeanWeights(w, n, vectors));
  }
  applyPoles(p, w, n, unit, unit, 4);
  for (let v: usize = 0; v < <usize>p.variables; v++) {
    const results = w.results + v * column;
    outOfBasis(t, n, results);
    for (let l = 0; l < n; l++) v128.store(at(w.members, l), v128.load(at(results, l)));
    const shift = f32x4.mul(f32x4.splat(p.meanScale), v128.load(at(w.shifts, <i32>v)));
    writeMembers(p, w, inTile(p, w, v, four), f32x4.add(v128.load(at(w.means, <i32>v)), shift), zero);
  }
}

/** G of the listed observations, not yet scaled. Returns the traces. */
export function gramOfObservations(p: Letkf, w: Workspace, n: i32): v128 {
  if (p.isCorrelated) return gramOfWhitened(p, w, n);
  const t = w.triangle;
  const bytes = <usize>p.padded << 2;
  let trace = f32x4.splat(0);
  for (let i = 0; i < n; i++) {
    const a = anomaliesOf(p, w, i);
    const root = v128.load(at(w.roots, i));
    for (let j = 0; j <= i; j++) {
      const b = anomaliesOf(p, w, j);
      let four = f32x4.splat(0);
      for (let l: usize = 0; l < bytes; l += 16) four = multiplyAdd(v128.load(a + l), v128.load(b + l), four);
      const g = f32x4.mul(f32x4.mul(root, v128.load(at(w.roots, j))), f32x4.splat(sumOf(four)));
      v128.store(t.matrix + <usize>i * t.stride + (<usize>j << 4), g);
      if (i == j) trace = f32x4.add(trace, g);
    }
  }
  return trace;
}

/** q = X Sᵀ of a variable whose anomalies are in `members`; the rows of S sum to zero, so that q needs no mean. */
function projectOnObservations(p: Letkf, w: Workspace, n: i32, q: usize): void {
  for (let a = 0; a < n; a++) {
    if (p.isCorrelated) {
      v128.store(at(q, a), alongWhitened(p, w, a, w.members));
      continue;
    }
    const row = anomaliesOf(p, w, a);
    let sum = f32x4.splat(0);
    for (let l = 0; l < p.members; l++) {
      sum = multiplyAdd(v128.load(at(w.members, l)), v128.load32_splat(row + (<usize>l << 2)), sum);
    }
    v128.store(at(q, a), f32x4.mul(v128.load(at(w.roots, a)), sum));
  }
}

// The analysis in the space of the listed observations, where those are no more than the members (analysis.as.ts has the formula).
export function analyseDual(p: Letkf, w: Workspace, n: i32, four: i32): void {
  const t = w.triangle;
  const column = <usize>p.order << 4;
  const one = f32x4.splat(1);
  const factor = f32x4.div(one, f32x4.add(one, gramOfObservations(p, w, n)));
  const unit = f32x4.max(factor, f32x4.splat(SMALLEST_UNIT));
  scale(t, n, factor);
  tridiagonalise(t, n);
  for (let a = 0; a < n; a++) {
    const innovation = v128.load32_splat(at(p.slots, slotOf(w, a)), 8);
    const weighted = f32x4.mul(v128.load(at(w.roots, a)), innovation);
    v128.store(at(w.results, a), p.isCorrelated ? v128.load(at(w.innovations, a)) : weighted);
  }
  if (n > 0) solveMean(w, n, unit, factor, w.results);
  for (let v: usize = 0; v < <usize>p.variables; v++) {
    const vectors = w.vectors + v * column;
    v128.store(at(w.means, <i32>v), loadMembers(p, w, inTile(p, w, v, four)));
    projectOnObservations(p, w, n, vectors);
    intoBasis(t, n, vectors);
    v128.store(at(w.shifts, <i32>v), alongMeanWeights(w, n, vectors));
  }
  if (n > 0) applyPoles(p, w, n, unit, factor, 8);
  for (let v: usize = 0; v < <usize>p.variables; v++) {
    const results = w.results + v * column;
    outOfBasis(t, n, results);
    const mean = loadMembers(p, w, inTile(p, w, v, four));
    for (let a = 0; a < n; a++) {
      if (p.isCorrelated) {
        takeWhitened(p, w, a, v128.load(at(results, a)));
        continue;
      }
      const row = anomaliesOf(p, w, a);
      const correction = f32x4.mul(v128.load(at(w.roots, a)), v128.load(at(results, a)));
      for (let l = 0; l < p.members; l++) {
        const x = at(w.members, l);
        v128.store(x, negatedMultiplyAdd(v128.load32_splat(row + (<usize>l << 2)), correction, v128.load(x)));
      }
    }
    const shift = f32x4.mul(f32x4.splat(p.meanScale), v128.load(at(w.shifts, <i32>v)));
    writeMembers(p, w, inTile(p, w, v, four), f32x4.add(mean, shift), mean);
  }
}
