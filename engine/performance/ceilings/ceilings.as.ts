// The two kernels by which a machine's ceilings are measured: a plain copy, and multiply-adds that wait for nothing.

import { multiplyAdd } from '../../compute/wasm/simd-library.as';
import { Ceiling } from './index';

export function ceilingCopy(p: Ceiling, part: i32, scratch: usize): void {
  const first = <usize>(part * p.segment) << 2;
  const end = <usize>min((part + 1) * p.segment, p.length) << 2;
  for (let at = first; at < end; at += 16) v128.store(p.target + at, v128.load(p.source + at));
}

/** x ← 0.999 x + 0.001, eight vectors at a time. */
export function ceilingMultiplyAdd(p: Ceiling, part: i32, scratch: usize): void {
  const end = p.target + (<usize>min((part + 1) * p.segment, p.length) << 2);
  const factor = f32x4.splat(0.999);
  const term = f32x4.splat(0.001);
  for (let at = p.target + (<usize>(part * p.segment) << 2); at < end; at += 128) {
    let a = v128.load(at);
    let b = v128.load(at, 16);
    let c = v128.load(at, 32);
    let d = v128.load(at, 48);
    if (end - at <= 64) {
      for (let s = 0; s < p.steps; s++) {
        a = multiplyAdd(factor, a, term);
        b = multiplyAdd(factor, b, term);
        c = multiplyAdd(factor, c, term);
        d = multiplyAdd(factor, d, term);
      }
    } else {
      let e = v128.load(at, 64);
      let f = v128.load(at, 80);
      let g = v128.load(at, 96);
      let h = v128.load(at, 112);
      for (let s = 0; s < p.steps; s++) {
        a = multiplyAdd(factor, a, term);
        b = multiplyAdd(factor, b, term);
        c = multiplyAdd(factor, c, term);
        d = multiplyAdd(factor, d, term);
        e = multiplyAdd(factor, e, term);
        f = multiplyAdd(factor, f, term);
        g = multiplyAdd(factor, g, term);
        h = multiplyAdd(factor, h, term);
      }
      v128.store(at, e, 64);
      v128.store(at, f, 80);
      v128.store(at, g, 96);
      v128.store(at, h, 112);
    }
    v128.store(at, a);
    v128.store(at, b, 16);
    v128.store(at, c, 32);
    v128.store(at, d, 48);
  }
}
