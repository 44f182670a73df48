// Correlated errors of the listed observations, four grid points at a time (local-errors.ts has the formula): the rows of Y and
// the innovations multiplied by L⁻¹ √w D⁻¹, and what the forms make of rows that differ from lane to lane. In a lane out of whose
// reach an observation is, it has the root 0, and so a row of the identity in L and zeros behind it.

import { multiplyAdd, negatedMultiplyAdd } from '../../compute/wasm/simd-library.as';
import { Letkf } from './wasm';
import { anomaliesOf, at, slotOf, Workspace } from './workspace-library.as';

/** Share of an error's variance that is its own at least: float32 resolves no less beside what those before leave of it. */
const LEAST_OWN: f32 = 1.0 / 1048576.0;

/** C of two listed observations. */
function correlationOf(p: Letkf, w: Workspace, a: i32, b: i32): f32 {
  const i = i32.load(p.binObservations + (<usize>slotOf(w, a) << 2));
  const j = i32.load(p.binObservations + (<usize>slotOf(w, b) << 2));
  const row = p.correlationStart + (<usize>max(i, j) << 2);
  const entry = i32.load(row, 4) - 1 - abs(i - j);
  return entry >= i32.load(row) ? f32.load(p.correlation + (<usize>entry << 2)) : 0;
}

// @ts-ignore: decorator
@inline
function rootRow(w: Workspace, a: i32): usize {
  return at(w.root, (a * (a + 1)) / 2);
}

// @ts-ignore: decorator
@inline
function whitenedRow(p: Letkf, w: Workspace, a: i32): usize {
  return at(w.whitened, a * p.padded);
}

/** Row a of L. Returns 1 over its diagonal. */
function factorise(p: Letkf, w: Workspace, a: i32): v128 {
  const row = rootRow(w, a);
  const weight = v128.load(at(w.roots, a));
  let own = f32x4.splat(1);
  for (let b = 0; b < a; b++) {
    const other = rootRow(w, b);
    const shared = f32x4.splat(correlationOf(p, w, a, b));
    let rest = f32x4.mul(f32x4.mul(weight, v128.load(at(w.roots, b))), shared);
    for (let m = 0; m < b; m++) rest = negatedMultiplyAdd(v128.load(at(row, m)), v128.load(at(other, m)), rest);
    const factor = f32x4.mul(rest, v128.load(at(other, b)));
    v128.store(at(row, b), factor);
    own = negatedMultiplyAdd(factor, factor, own);
  }
  const inverse = f32x4.div(f32x4.splat(1), f32x4.sqrt(f32x4.max(own, f32x4.splat(LEAST_OWN))));
  v128.store(at(row, a), inverse);
  return inverse;
}

export function whiten(p: Letkf, w: Workspace, n: i32): void {
  for (let a = 0; a < n; a++) {
    const inverse = factorise(p, w, a);
    const row = rootRow(w, a);
    const known = anomaliesOf(p, w, a);
    const target = whitenedRow(p, w, a);
    const weight = v128.load(at(w.roots, a));
    let innovation = f32x4.mul(weight, v128.load32_splat(at(p.slots, slotOf(w, a)), 8));
    for (let l = 0; l < p.members; l++) {
      v128.store(at(target, l), f32x4.mul(weight, v128.load32_splat(known + (<usize>l << 2))));
    }
    for (let m = 0; m < a; m++) {
      const factor = v128.load(at(row, m));
      const before = whitenedRow(p, w, m);
      innovation = negatedMultiplyAdd(factor, v128.load(at(w.innovations, m)), innovation);
      for (let l = 0; l < p.members; l++) {
        v128.store(at(target, l), negatedMultiplyAdd(factor, v128.load(at(before, l)), v128.load(at(target, l))));
      }
    }
    v128.store(at(w.innovations, a), f32x4.mul(inverse, innovation));
    for (let l = 0; l < p.members; l++) v128.store(at(target, l), f32x4.mul(inverse, v128.load(at(target, l))));
  }
}

/** Whitened rows and innovations times `factor`. */
export function stretchWhitened(p: Letkf, w: Workspace, n: i32, factor: v128): void {
  for (let a = 0; a < n; a++) {
    const row = whitenedRow(p, w, a);
    for (let l = 0; l < p.members; l++) v128.store(at(row, l), f32x4.mul(factor, v128.load(at(row, l))));
    v128.store(at(w.innovations, a), f32x4.mul(factor, v128.load(at(w.innovations, a))));
  }
}

/** Σ over the members of a whitened row times `vectors`. */
export function alongWhitened(p: Letkf, w: Workspace, a: i32, vectors: usize): v128 {
  const row = whitenedRow(p, w, a);
  let sum = f32x4.splat(0);
  for (let l = 0; l < p.members; l++) sum = multiplyAdd(v128.load(at(row, l)), v128.load(at(vectors, l)), sum);
  return sum;
}

/** G, not yet scaled. Returns the traces. */
export function gramOfWhitened(p: Letkf, w: Workspace, n: i32): v128 {
  const t = w.triangle;
  let trace = f32x4.splat(0);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j <= i; j++) {
      const g = alongWhitened(p, w, i, whitenedRow(p, w, j));
      v128.store(t.matrix + <usize>i * t.stride + (<usize>j << 4), g);
      if (i == j) trace = f32x4.add(trace, g);
    }
  }
  return trace;
}

/** members −= correction times a whitened row. */
export function takeWhitened(p: Letkf, w: Workspace, a: i32, correction: v128): void {
  const row = whitenedRow(p, w, a);
  for (let l = 0; l < p.members; l++) {
    v128.store(at(w.members, l), negatedMultiplyAdd(v128.load(at(row, l)), correction, v128.load(at(w.members, l))));
  }
}

/** A += SᵀS of a whitened row, and `meanWeights` += Sᵀd. */
export function addWhitened(p: Letkf, w: Workspace, a: i32): void {
  const t = w.triangle;
  const row = whitenedRow(p, w, a);
  const innovation = v128.load(at(w.innovations, a));
  for (let i = 0; i < p.members; i++) {
    const s = v128.load(at(row, i));
    const gradient = at(w.meanWeights, i);
    v128.store(gradient, multiplyAdd(s, innovation, v128.load(gradient)));
    let target = t.matrix + <usize>i * t.stride;
    for (let j = 0; j <= i; j++) {
      v128.store(target, multiplyAdd(s, v128.load(at(row, j)), v128.load(target)));
      target += 16;
    }
  }
}
