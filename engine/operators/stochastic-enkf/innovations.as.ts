// What the stochastic EnKF solves (index.ts): perturbed innovations, four observations at a time, and the covariance of what is
// observed, in sums of float64.

import { loadFirst, multiplyAdd, storeFirst } from '../../compute/wasm/simd-library.as';
import { ObservedCovariance, PerturbedInnovation } from './index';

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
