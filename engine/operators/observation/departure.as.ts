// What is observed, departures from it, and which of them to believe (departure.ts), four observations at a time. A part is a run
// of observations.

import { loadFirst, multiplyAdd, storeFirst } from '../../compute/wasm/simd-library.as';
import { Innovation, Measurement, QualityControl } from './departure';

export function measure(p: Measurement, part: i32, scratch: usize): void {
  const end = min((part + 1) * p.segment, p.observations);
  for (let j = part * p.segment; j < end; j += 4) {
    const at = <usize>j << 2;
    const count = end - j;
    const term = loadFirst(p.term + at, count, 0);
    const seen = multiplyAdd(term, loadFirst(p.normal + at, count, 0), loadFirst(p.observed + at, count, 0));
    const isDrawn = i32x4.eq(loadFirst(p.isGiven + at, count, 0), i32x4.splat(0));
    storeFirst(p.values + at, v128.bitselect(seen, term, isDrawn), count);
  }
}

export function depart(p: Innovation, part: i32, scratch: usize): void {
  const end = min((part + 1) * p.segment, p.observations);
  for (let j = part * p.segment; j < end; j += 4) {
    const at = <usize>j << 2;
    const count = end - j;
    const r = loadFirst(p.inverseErrorStd + at, count, 0);
    const difference = f32x4.sub(loadFirst(p.values + at, count, 0), loadFirst(p.observed + at, count, 0));
    // What is absent is 0, whatever the values are.
    const departure = v128.and(difference, f32x4.ne(r, f32x4.splat(0)));
    storeFirst(p.innovation + at, departure, count);
    storeFirst(p.scaled + at, f32x4.mul(r, departure), count);
  }
}

export function controlQuality(p: QualityControl, part: i32, scratch: usize): void {
  const end = min((part + 1) * p.segment, p.observations);
  const zero = f32x4.splat(0);
  const one = f32x4.splat(1);
  const sharpest = f32x4.splat(p.sharpest);
  for (let j = part * p.segment; j < end; j += 4) {
    const at = <usize>j << 2;
    const count = end - j;
    const r = loadFirst(p.inverseErrorStd + at, count, 0);
    const n = loadFirst(p.threshold + at, count, 0);
    const variance = loadFirst(p.variance + at, count, 0);
    const size = f32x4.abs(loadFirst(p.innovation + at, count, 0));
    const expected = f32x4.sqrt(multiplyAdd(f32x4.mul(r, r), variance, one));
    const believed = v128.or(f32x4.eq(n, zero), f32x4.le(f32x4.mul(r, size), f32x4.mul(n, expected)));
    const scale = f32x4.max(f32x4.sqrt(variance), size);
    const tooSharp = f32x4.gt(f32x4.mul(r, scale), sharpest);
    const taken = v128.bitselect(f32x4.div(sharpest, scale), r, tooSharp);
    storeFirst(p.effective + at, v128.and(taken, believed), count);
  }
}
