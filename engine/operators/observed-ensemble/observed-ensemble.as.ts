// Tapered sample covariances of what members observe (index.ts): a row of observations or of cells at a time, four of them together.

import { loadFirst, multiplyAdd, storeFirst } from '../../compute/wasm/simd-library.as';
import { taper } from '../localisation/taper-library.as';
import { ObservedEnsembleCovariance, ObservedEnsembleGain } from './index';

/** The row a of S, of an observation that is kept: what those that are not have with it is in their rows. */
function takeFromOthers(p: ObservedEnsembleCovariance, a: i32): void {
  const member = <usize>p.observations << 2;
  for (let b = 0; b < a; b++) {
    const at = <usize>b << 2;
    if (f32.load(p.inverseErrorStd + at) == 0) continue;
    const there = f32.load(p.matrix + <usize>b * member + (<usize>a << 2));
    f32.store(p.matrix + <usize>a * member + at, there);
  }
}

/** The row a of S, as far as its diagonal. */
export function observedEnsembleCovariance(p: ObservedEnsembleCovariance, a: i32, scratch: usize): void {
  const own = <usize>a << 2;
  const member = <usize>p.observations << 2;
  if (p.keepsOthers && f32.load(p.inverseErrorStd + own) == 0) {
    takeFromOthers(p, a);
    return;
  }
  const x = f32x4.splat(f32.load(p.positionX + own));
  const y = f32x4.splat(f32.load(p.positionY + own));
  const scale = f32x4.splat((p.inflation * f32.load(p.inverseErrorStd + own)) / <f32>(p.members - 1));
  const row = p.matrix + <usize>a * member;
  const zero = f32x4.splat(0);
  for (let b = 0; b <= a; b += 4) {
    const at = <usize>b << 2;
    const count = a + 1 - b;
    const weight = taper(
      p,
      f32x4.sub(x, loadFirst(p.positionX + at, count, 0)),
      f32x4.sub(y, loadFirst(p.positionY + at, count, 0)),
    );
    const others = loadFirst(p.inverseErrorStd + at, count, 0);
    const scaled = f32x4.mul(scale, others);
    const c = v128.and(f32x4.mul(scaled, weight), f32x4.ne(scaled, zero));
    let product = zero;
    if (v128.any_true(f32x4.ne(c, zero))) {
      let other = p.observedAnomalies;
      for (let l = 0; l < p.members; l++) {
        product = multiplyAdd(v128.load32_splat(other + own), loadFirst(other + at, count, 0), product);
        other += member;
      }
    }
    // What is out of reach is 0, whatever the values are.
    let made = v128.and(f32x4.mul(c, product), f32x4.ne(c, zero));
    if (p.keepsOthers) made = v128.bitselect(made, loadFirst(row + at, count, 0), f32x4.ne(others, zero));
    storeFirst(row + at, made, count);
  }
  f32.store(row + own, 1 + f32.load(row + own));
}

/** The row of P Sᵀ that belongs to an observation of the block. */
export function observedEnsembleGain(p: ObservedEnsembleGain, part: i32, scratch: usize): void {
  const own = <usize>(p.firstObservation + part) << 2;
  const member = <usize>p.observations << 2;
  const plane = <usize>(p.nx * p.ny) << 2;
  const state = <usize>p.variables * plane;
  const output = p.output + <usize>part * state;
  const r = f32.load(p.inverseErrorStd + own);
  if (p.keepsOthers && r == 0) return;
  memory.fill(output, 0, state);
  if (r == 0) return;
  const scale = f32x4.splat(r / <f32>(p.members - 1));
  const x = f32x4.splat(f32.load(p.positionX + own));
  const positionY = f32.load(p.positionY + own);
  const zero = f32x4.splat(0);
  for (let j = 0; j < p.ny; j++) {
    const y = f32x4.splat(<f32>j - positionY);
    for (let i = 0; i < p.nx; i += 4) {
      const count = p.nx - i;
      const columns = f32x4.add(f32x4.splat(<f32>i), f32x4(0, 1, 2, 3));
      const c = f32x4.mul(scale, taper(p, f32x4.sub(columns, x), y));
      const reached = f32x4.ne(c, zero);
      if (!v128.any_true(reached)) continue;
      let at = <usize>(j * p.nx + i) << 2;
      for (let variable = 0; variable < p.variables; variable++) {
        let product = zero;
        let seen = p.observedAnomalies + own;
        let value = p.anomalies + at;
        for (let l = 0; l < p.members; l++) {
          product = multiplyAdd(v128.load32_splat(seen), loadFirst(value, count, 0), product);
          seen += member;
          value += state;
        }
        storeFirst(output + at, v128.and(f32x4.mul(c, product), reached), count);
        at += plane;
      }
    }
  }
}
