// The analysis in the space of the listed observations, where those are no more than the members (analysis.as.ts has the formula).

import { multiplyAdd, negatedMultiplyAdd, sumOf } from '../../compute/wasm/simd-library.as';
import { SMALLEST_UNIT, alongMeanWeights, applyPoles, scale, solveMean } from './matrix-functions-library.as';
import { loadMembers, writeMembers } from './members-library.as';
import { Letkf } from './wasm';
import { intoBasis, outOfBasis, tridiagonalise } from './tridiagonal-library.as';
import { Workspace, anomaliesOf, at, slotOf } from './workspace-library.as';

/** G of the listed observations, not yet scaled. Returns the traces. */
function gramOfObservations(p: Letkf, w: Workspace, n: i32): v128 {
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
    const row = anomaliesOf(p, w, a);
    let sum = f32x4.splat(0);
    for (let l = 0; l < p.members; l++) {
      sum = multiplyAdd(v128.load(at(w.members, l)), v128.load32_splat(row + (<usize>l << 2)), sum);
    }
    v128.store(at(q, a), f32x4.mul(v128.load(at(w.roots, a)), sum));
  }
}

export function analyseDual(p: Letkf, w: Workspace, n: i32, offset: usize, lanes: i32): void {
  const t = w.triangle;
  const column = <usize>p.order << 4;
  const plane = <usize>p.nx * <usize>p.ny * 4;
  const one = f32x4.splat(1);
  const factor = f32x4.div(one, f32x4.add(one, gramOfObservations(p, w, n)));
  const unit = f32x4.max(factor, f32x4.splat(SMALLEST_UNIT));
  scale(t, n, factor);
  tridiagonalise(t, n);
  for (let a = 0; a < n; a++) {
    const innovation = v128.load32_splat(at(p.slots, slotOf(w, a)), 8);
    v128.store(at(w.results, a), f32x4.mul(v128.load(at(w.roots, a)), innovation));
  }
  if (n > 0) solveMean(w, n, unit, factor, w.results);
  for (let v: usize = 0; v < <usize>p.variables; v++) {
    const vectors = w.vectors + v * column;
    v128.store(at(w.means, <i32>v), loadMembers(p, w, p.ensemble + offset + v * plane, lanes));
    projectOnObservations(p, w, n, vectors);
    intoBasis(t, n, vectors);
    v128.store(at(w.shifts, <i32>v), alongMeanWeights(w, n, vectors));
  }
  if (n > 0) applyPoles(p, w, n, unit, factor, 8);
  for (let v: usize = 0; v < <usize>p.variables; v++) {
    const results = w.results + v * column;
    outOfBasis(t, n, results);
    const mean = loadMembers(p, w, p.ensemble + offset + v * plane, lanes);
    for (let a = 0; a < n; a++) {
      const row = anomaliesOf(p, w, a);
      const correction = f32x4.mul(v128.load(at(w.roots, a)), v128.load(at(results, a)));
      for (let l = 0; l < p.members; l++) {
        const x = at(w.members, l);
        v128.store(x, negatedMultiplyAdd(v128.load32_splat(row + (<usize>l << 2)), correction, v128.load(x)));
      }
    }
    const shift = f32x4.mul(f32x4.splat(p.meanScale), v128.load(at(w.shifts, <i32>v)));
    writeMembers(p, w, offset + v * plane, lanes, f32x4.add(mean, shift), mean);
  }
}
