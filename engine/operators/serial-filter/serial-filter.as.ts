// The serial filter (index.ts): what is observed, in one part since every turn waits for the one before, and the state, a row of
// cells at a time; four observations or cells together.

import { loadFirst, multiplyAdd, negatedMultiplyAdd, storeFirst } from '../../compute/wasm/simd-library.as';
import { taper } from '../localisation/taper-library.as';
import { SerialIncrement, SerialObservations } from './index';

/** Σ e′ y_j over the members, of four elements: `value` and `seen` are those of the first member. */
// @ts-ignore: decorator
@inline
function productOf(members: i32, value: usize, stride: usize, count: i32, seen: usize, observed: usize): v128 {
  let product = f32x4.splat(0);
  for (let l = 0; l < members; l++) {
    product = multiplyAdd(v128.load32_splat(seen), loadFirst(value, count, 0), product);
    seen += observed;
    value += stride;
  }
  return product;
}

/** e′ ← e′ − share y_j of four elements. */
// @ts-ignore: decorator
@inline
function shrink(members: i32, value: usize, stride: usize, count: i32, seen: usize, observed: usize, share: v128): void {
  for (let l = 0; l < members; l++) {
    const made = negatedMultiplyAdd(share, v128.load32_splat(seen), loadFirst(value, count, 0));
    storeFirst(value, made, count);
    seen += observed;
    value += stride;
  }
}

export function serialObservations(p: SerialObservations, part: i32, scratch: usize): void {
  const observed = <usize>p.observations << 2;
  for (let m = 0; m < p.observations; m++) {
    const r = f32.load(p.inverseErrorStd + (<usize>m << 2));
    let at = p.observedAnomalies + (<usize>m << 2);
    for (let l = 0; l < p.members; l++) {
      f32.store(at, r * f32.load(at));
      at += observed;
    }
  }
  const degrees = <f32>(p.members - 1);
  const zero = f32x4.splat(0);
  for (let j = 0; j < p.observations; j++) {
    const own = <usize>j << 2;
    const seen = p.observedAnomalies + own;
    let square: f32 = 0;
    for (let l = 0; l < p.members; l++) {
      const y = f32.load(seen + <usize>l * observed);
      square += y * y;
    }
    const expected: f32 = 1 + square / degrees;
    const meanWeight: f32 = f32.load(p.departures + own) / (degrees * expected);
    const anomalyWeight: f32 = square == 0 ? 0 : 1 / (degrees * (expected + sqrt(expected)));
    f32.store(p.meanWeights + own, meanWeight);
    f32.store(p.anomalyWeights + own, anomalyWeight);
    if (square == 0) continue;
    const x = f32x4.splat(f32.load(p.positionX + own));
    const y = f32x4.splat(f32.load(p.positionY + own));
    for (let m = j + 1; m < p.observations; m += 4) {
      const count = p.observations - m;
      const at = <usize>m << 2;
      const c = taper(
        p,
        f32x4.sub(loadFirst(p.positionX + at, count, 0), x),
        f32x4.sub(loadFirst(p.positionY + at, count, 0), y),
      );
      if (!v128.any_true(f32x4.ne(c, zero))) continue;
      const value = p.observedAnomalies + at;
      const tapered = f32x4.mul(c, productOf(p.members, value, observed, count, seen, observed));
      const departure = loadFirst(p.departures + at, count, 0);
      storeFirst(p.departures + at, negatedMultiplyAdd(tapered, f32x4.splat(meanWeight), departure), count);
      shrink(p.members, value, observed, count, seen, observed, f32x4.mul(tapered, f32x4.splat(anomalyWeight)));
    }
  }
}

/** The mean of four elements over the members, which are left as anomalies about it. */
// @ts-ignore: decorator
@inline
function centre(members: i32, value: usize, stride: usize, count: i32): v128 {
  const first = loadFirst(value, count, 0);
  let sum = f32x4.splat(0);
  for (let l = 1; l < members; l++) {
    sum = f32x4.add(sum, f32x4.sub(loadFirst(value + <usize>l * stride, count, 0), first));
  }
  const mean = f32x4.add(first, f32x4.div(sum, f32x4.splat(<f32>members)));
  for (let l = 0; l < members; l++) {
    const at = value + <usize>l * stride;
    storeFirst(at, f32x4.sub(loadFirst(at, count, 0), mean), count);
  }
  return mean;
}

/** A part is a row of cells of a variable. */
export function serialIncrement(p: SerialIncrement, part: i32, scratch: usize): void {
  const observed = <usize>p.observations << 2;
  const stride = <usize>(p.variables * p.nx * p.ny) << 2;
  const row = <f32>(part % p.ny);
  const zero = f32x4.splat(0);
  for (let i = 0; i < p.nx; i += 4) {
    const count = p.nx - i;
    const value = p.ensemble + (<usize>(part * p.nx + i) << 2);
    const columns = f32x4.add(f32x4.splat(<f32>i), f32x4(0, 1, 2, 3));
    const mean = centre(p.members, value, stride, count);
    let moved = zero;
    for (let j = 0; j < p.observations; j++) {
      const own = <usize>j << 2;
      const anomalyWeight = f32.load(p.anomalyWeights + own);
      if (anomalyWeight == 0) continue;
      const x = f32x4.splat(f32.load(p.positionX + own));
      const c = taper(p, f32x4.sub(columns, x), f32x4.splat(row - f32.load(p.positionY + own)));
      if (!v128.any_true(f32x4.ne(c, zero))) continue;
      const seen = p.observedAnomalies + own;
      const tapered = f32x4.mul(c, productOf(p.members, value, stride, count, seen, observed));
      moved = multiplyAdd(tapered, f32x4.splat(f32.load(p.meanWeights + own)), moved);
      shrink(p.members, value, stride, count, seen, observed, f32x4.mul(tapered, f32x4.splat(anomalyWeight)));
    }
    for (let l = 0; l < p.members; l++) {
      const at = value + <usize>l * stride;
      storeFirst(at, f32x4.add(mean, f32x4.add(moved, loadFirst(at, count, 0))), count);
    }
  }
}
