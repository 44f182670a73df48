// The analysis in the space of the members (analysis.as.ts has the formula).

import { multiplyAdd } from '../../compute/wasm/simd-library.as';
import { SMALLEST_UNIT, alongMeanWeights, applyPoles, scale, solveMean } from './matrix-functions-library.as';
import { loadMembers, writeMembers } from './members-library.as';
import { Letkf } from './wasm';
import { intoBasis, outOfBasis, tridiagonalise } from './tridiagonal-library.as';
import { Workspace, anomaliesOf, at, slotOf } from './workspace-library.as';

/** A of the members, not yet scaled; `meanWeights` gets Sᵀ d. Returns the traces. */
function gramOfMembers(p: Letkf, w: Workspace, count: i32): v128 {
  const t = w.triangle;
  const k = p.members;
  const zero = f32x4.splat(0);
  for (let i = 0; i < k; i++) {
    v128.store(at(w.meanWeights, i), zero);
    for (let j = 0; j <= i; j++) v128.store(t.matrix + <usize>i * t.stride + (<usize>j << 4), zero);
  }
  for (let a = 0; a < count; a++) {
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

export function analysePrimal(p: Letkf, w: Workspace, count: i32, offset: usize, lanes: i32): void {
  const t = w.triangle;
  const n = p.members;
  const column = <usize>p.order << 4;
  const plane = <usize>p.nx * <usize>p.ny * 4;
  const one = f32x4.splat(1);
  const zero = f32x4.splat(0);
  const factor = f32x4.div(one, f32x4.add(one, gramOfMembers(p, w, count)));
  const unit = f32x4.max(factor, f32x4.splat(SMALLEST_UNIT));
  scale(t, n, factor);
  tridiagonalise(t, n);
  solveMean(w, n, unit, factor, w.meanWeights);
  for (let v: usize = 0; v < <usize>p.variables; v++) {
    const vectors = w.vectors + v * column;
    const mean = loadMembers(p, w, p.ensemble + offset + v * plane, lanes);
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
    writeMembers(p, w, offset + v * plane, lanes, f32x4.add(v128.load(at(w.means, <i32>v)), shift), zero);
  }
}
