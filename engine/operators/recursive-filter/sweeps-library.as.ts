// Sweeps of the recursive filter on lines side by side, point after point. A sweep is written v = s + α(v − s): βs + αp
// would lose digits with every iteration.
//
// A sweep multiplies the point that it starts from, and in the adjoint also the one where it ends: by factors of its own in
// the first iteration of the filter.

import { multiplyAdd } from '../../compute/wasm/simd-library.as';
import { Sweeps } from './wasm';

// @ts-ignore: decorator
@inline
function scalePoint(at: usize, bytes: usize, factor: f32): void {
  const f = f32x4.splat(factor);
  for (let lane: usize = 0; lane < bytes; lane += 16) v128.store(at + lane, f32x4.mul(f, v128.load(at + lane)));
}

/** One step of a sweep for four lines. */
// @ts-ignore: decorator
@inline
function advance(v: v128, s: v128, alpha: v128): v128 {
  return multiplyAdd(alpha, f32x4.sub(v, s), s);
}

/** Sixteen lines, from the point at `at` on, `steps` more, each `stride` bytes further. */
// @ts-ignore: decorator
@inline
function sweep16(at: usize, steps: i32, stride: isize, alpha: v128): void {
  let a = v128.load(at);
  let b = v128.load(at, 16);
  let c = v128.load(at, 32);
  let d = v128.load(at, 48);
  for (let j = 0; j < steps; j++) {
    at += stride;
    a = advance(a, v128.load(at), alpha);
    b = advance(b, v128.load(at, 16), alpha);
    c = advance(c, v128.load(at, 32), alpha);
    d = advance(d, v128.load(at, 48), alpha);
    v128.store(at, a);
    v128.store(at, b, 16);
    v128.store(at, c, 32);
    v128.store(at, d, 48);
  }
}

/** The same for twenty-four. */
// @ts-ignore: decorator
@inline
function sweep24(at: usize, steps: i32, stride: isize, alpha: v128): void {
  let a = v128.load(at);
  let b = v128.load(at, 16);
  let c = v128.load(at, 32);
  let d = v128.load(at, 48);
  let e = v128.load(at, 64);
  let f = v128.load(at, 80);
  for (let j = 0; j < steps; j++) {
    at += stride;
    a = advance(a, v128.load(at), alpha);
    b = advance(b, v128.load(at, 16), alpha);
    c = advance(c, v128.load(at, 32), alpha);
    d = advance(d, v128.load(at, 48), alpha);
    e = advance(e, v128.load(at, 64), alpha);
    f = advance(f, v128.load(at, 80), alpha);
    v128.store(at, a);
    v128.store(at, b, 16);
    v128.store(at, c, 32);
    v128.store(at, d, 48);
    v128.store(at, e, 64);
    v128.store(at, f, 80);
  }
}

/** The same for twenty-eight. */
// @ts-ignore: decorator
@inline
function sweep28(at: usize, steps: i32, stride: isize, alpha: v128): void {
  let a = v128.load(at);
  let b = v128.load(at, 16);
  let c = v128.load(at, 32);
  let d = v128.load(at, 48);
  let e = v128.load(at, 64);
  let f = v128.load(at, 80);
  let g = v128.load(at, 96);
  for (let j = 0; j < steps; j++) {
    at += stride;
    a = advance(a, v128.load(at), alpha);
    b = advance(b, v128.load(at, 16), alpha);
    c = advance(c, v128.load(at, 32), alpha);
    d = advance(d, v128.load(at, 48), alpha);
    e = advance(e, v128.load(at, 64), alpha);
    f = advance(f, v128.load(at, 80), alpha);
    g = advance(g, v128.load(at, 96), alpha);
    v128.store(at, a);
    v128.store(at, b, 16);
    v128.store(at, c, 32);
    v128.store(at, d, 48);
    v128.store(at, e, 64);
    v128.store(at, f, 80);
    v128.store(at, g, 96);
  }
}

/** The same for thirty-two. */
// @ts-ignore: decorator
@inline
function sweep32(at: usize, steps: i32, stride: isize, alpha: v128): void {
  let a = v128.load(at);
  let b = v128.load(at, 16);
  let c = v128.load(at, 32);
  let d = v128.load(at, 48);
  let e = v128.load(at, 64);
  let f = v128.load(at, 80);
  let g = v128.load(at, 96);
  let h = v128.load(at, 112);
  for (let j = 0; j < steps; j++) {
    at += stride;
    a = advance(a, v128.load(at), alpha);
    b = advance(b, v128.load(at, 16), alpha);
    c = advance(c, v128.load(at, 32), alpha);
    d = advance(d, v128.load(at, 48), alpha);
    e = advance(e, v128.load(at, 64), alpha);
    f = advance(f, v128.load(at, 80), alpha);
    g = advance(g, v128.load(at, 96), alpha);
    h = advance(h, v128.load(at, 112), alpha);
    v128.store(at, a);
    v128.store(at, b, 16);
    v128.store(at, c, 32);
    v128.store(at, d, 48);
    v128.store(at, e, 64);
    v128.store(at, f, 80);
    v128.store(at, g, 96);
    v128.store(at, h, 112);
  }
}

/** Lines of a part are 16, 24, 28 or 32; this is known where it is called. */
// @ts-ignore: decorator
@inline
function sweep(lanes: i32, at: usize, steps: i32, backwards: bool, alpha: v128, start: f32, end: f32): void {
  const bytes = <usize>lanes << 2;
  const stride = backwards ? -(<isize>bytes) : <isize>bytes;
  scalePoint(at, bytes, start);
  if (lanes == 16) sweep16(at, steps, stride, alpha);
  else if (lanes == 24) sweep24(at, steps, stride, alpha);
  else if (lanes == 28) sweep28(at, steps, stride, alpha);
  else sweep32(at, steps, stride, alpha);
  if (end != 1) scalePoint(at + <usize>(<isize>steps * stride), bytes, end);
}

/** The filter or its adjoint on `lanes` lines of `points` points, from the address `lines` on. */
// @ts-ignore: decorator
@inline
export function filter(p: Sweeps, lanes: i32, points: i32, lines: usize): void {
  const steps = points - 1;
  const last = lines + ((<usize>steps * <usize>lanes) << 2);
  const alpha = f32x4.splat(p.alpha);
  for (let k = 1; k <= p.iterations; k++) {
    if (p.transpose) {
      // The first iteration of the filter is the last of its adjoint.
      const end: f32 = k == p.iterations ? 1 : p.endScale;
      sweep(lanes, lines, steps, false, alpha, p.beta, p.endScale);
      sweep(lanes, last, steps, true, alpha, p.beta, end);
    } else {
      sweep(lanes, lines, steps, false, alpha, k == 1 ? p.beta : p.m, 1);
      sweep(lanes, last, steps, true, alpha, p.m, 1);
    }
  }
}

/** Four points of four lines at rows a, b, c, d become four vectors of a point each, `apart` bytes from each other. */
// @ts-ignore: decorator
@inline
export function storeTransposed(a: v128, b: v128, c: v128, d: v128, target: usize, apart: usize): void {
  const ab = i8x16.shuffle(a, b, 0, 1, 2, 3, 16, 17, 18, 19, 4, 5, 6, 7, 20, 21, 22, 23);
  const cd = i8x16.shuffle(c, d, 0, 1, 2, 3, 16, 17, 18, 19, 4, 5, 6, 7, 20, 21, 22, 23);
  const abHigh = i8x16.shuffle(a, b, 8, 9, 10, 11, 24, 25, 26, 27, 12, 13, 14, 15, 28, 29, 30, 31);
  const cdHigh = i8x16.shuffle(c, d, 8, 9, 10, 11, 24, 25, 26, 27, 12, 13, 14, 15, 28, 29, 30, 31);
  v128.store(target, i8x16.shuffle(ab, cd, 0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23));
  v128.store(target + apart, i8x16.shuffle(ab, cd, 8, 9, 10, 11, 12, 13, 14, 15, 24, 25, 26, 27, 28, 29, 30, 31));
  v128.store(
    target + 2 * apart,
    i8x16.shuffle(abHigh, cdHigh, 0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23),
  );
  v128.store(
    target + 3 * apart,
    i8x16.shuffle(abHigh, cdHigh, 8, 9, 10, 11, 12, 13, 14, 15, 24, 25, 26, 27, 28, 29, 30, 31),
  );
}
