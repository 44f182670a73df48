// What the stochastic EnKF solves (index.ts): perturbed innovations, four observations at a time, and the covariance of what is
// observed, in sums of float64.

import { loadFirst, multiplyAdd, storeFirst } from '../../compute/wasm/simd-library.as';
import { ObservedCovariance, PerturbedInnovation, GainIncrement, ErrorCorrelation } from './index';

/** Lists the gains that are not zero: two vectors and where the weight is. Returns how many. */
function listGains(p: GainIncrement, i: i32, count: i32, scratch: usize): i32 {
  const stride = <usize>p.length << 2;
  let gain = p.covariance + (<usize>i << 2);
  let listed = 0;
  for (let column = 0; column < p.blockObservations; column++) {
    const weight = <usize>(p.firstObservation + column) << 2;
    const r = f32x4.splat(f32.load(p.inverseErrorStd + weight));
    const a = f32x4.mul(r, loadFirst(gain, count, 0));
    const b = f32x4.mul(r, loadFirst(gain + 16, count - 4, 0));
    gain += stride;
    const zero = f32x4.splat(0);
    if (f32x4.extract_lane(r, 0) == 0 || !v128.any_true(v128.or(f32x4.ne(a, zero), f32x4.ne(b, zero)))) continue;
    const target = scratch + <usize>listed * 48;
    v128.store(target, a);
    v128.store(target, b, 16);
    i32.store(target, <i32>weight, 32);
    listed++;
  }
  return listed;
}

// x_l ← x_l + Σ_j P_HT[·, j] r_j z_l[j] (index.ts), eight elements at a time. The taper leaves most observations out of an
// element's reach: those that have a gain there are listed first. A part is a run of elements.
export function gainIncrement(p: GainIncrement, part: i32, scratch: usize): void {
  const end = min((part + 1) * p.segment, p.length);
  for (let i = part * p.segment; i < end; i += 8) {
    const count = end - i;
    const last = scratch + <usize>listGains(p, i, count, scratch) * 48;
    let at = p.ensemble + (<usize>i << 2);
    let weights = p.weights;
    for (let l = 0; l < p.members; l++) {
      let a = loadFirst(at, count, 0);
      let b = loadFirst(at + 16, count - 4, 0);
      for (let gain = scratch; gain < last; gain += 48) {
        const z = v128.load32_splat(weights + <usize>i32.load(gain, 32));
        a = multiplyAdd(z, v128.load(gain), a);
        b = multiplyAdd(z, v128.load(gain, 16), b);
      }
      storeFirst(at, a, count);
      if (count > 4) storeFirst(at + 16, b, count - 4);
      at += <usize>p.length << 2;
      weights += <usize>p.observations << 2;
    }
  }
}

/** A part is a member. */
export function perturbedInnovation(p: PerturbedInnovation, member: i32, scratch: usize): void {
  const own = <usize>(member * p.observations) << 2;
  for (let j = 0; j < p.observations; j += 4) {
    const at = <usize>j << 2;
    const count = p.observations - j;
    const r = loadFirst(p.inverseErrorStd + at, count, 0);
    const departure = f32x4.sub(loadFirst(p.values + at, count, 0), loadFirst(p.observed + own + at, count, 0));
    const perturbed = multiplyAdd(r, departure, loadFirst(p.perturbations + own + at, count, 0));
    // What is absent is 0, whatever the values are.
    storeFirst(p.scaled + own + at, v128.and(perturbed, f32x4.ne(r, f32x4.splat(0))), count);
  }
}

/** A part is a row of the block. */
export function observedCovariance(p: ObservedCovariance, part: i32, scratch: usize): void {
  const b = p.firstObservation + part;
  const column = p.covariance + (<usize>(part * p.length) << 2);
  const row = p.matrix + (<usize>(b * p.observations) << 2);
  const own = f32.load(p.inverseErrorStd + (<usize>b << 2));
  let entry = i32.load(p.indptr);
  for (let a = 0; a < p.observations; a++) {
    const at = <usize>a << 2;
    const last = i32.load(p.indptr + at, 4);
    let seen: f64 = 0;
    for (; entry < last; entry++) {
      const place = <usize>entry << 2;
      const index = <usize>i32.load(p.indices + place) << 2;
      seen += <f64>f32.load(p.data + place) * <f64>f32.load(column + index);
    }
    const scale = <f64>own * <f64>f32.load(p.inverseErrorStd + at);
    const one: f64 = a == b ? 1 : 0;
    f32.store(row + at, <f32>(scale == 0 ? one : one + scale * seen));
  }
}

function add(address: usize, value: f32): void {
  f32.store(address, f32.load(address) + value);
}

/**
 * A ← A + (C − I) among the observations that are used. A part is a row of C: its entries are all below the diagonal, so that an element
 * of A and its mirror image belong to one part.
 */
export function errorCorrelation(p: ErrorCorrelation, a: i32, scratch: usize): void {
  const row = <usize>a << 2;
  if (f32.load(p.inverseErrorStd + row) == 0) return;
  const stride = <usize>p.observations << 2;
  const last = i32.load(p.indptr + row, 4);
  for (let k = i32.load(p.indptr + row); k < last; k++) {
    const entry = <usize>k << 2;
    const b = i32.load(p.indices + entry);
    const column = <usize>b << 2;
    if (b == a || f32.load(p.inverseErrorStd + column) == 0) continue;
    const value = f32.load(p.correlation + entry);
    add(p.matrix + <usize>a * stride + column, value);
    add(p.matrix + <usize>b * stride + row, value);
  }
}
