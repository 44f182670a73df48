// The literal sweeps of the recursive filter [rf-gpu, purser2003], sixteen lines at a time in four vectors, all iterations in
// one visit. A sweep is written v = s + α(v − s): βs + αp would lose digits with every iteration.
//
// A sweep multiplies the point that it starts from, and in the adjoint also the one where it ends: by factors of its own in
// the first iteration of the filter.

import { multiplyAdd, storeFirst } from '../../compute/wasm/simd-library.as';

@unmanaged
class Sweeps {
  /** Points of a line, elements from one to the next, and number of lines. */
  length: i32;
  step: i32;
  count: i32;
  iterations: i32;
  transpose: i32;
  alpha: f32;
  beta: f32;
  /** 1/(1 + α) */
  m: f32;
  /** M/β */
  endScale: f32;
  input: usize;
  output: usize;
}

/** Lines of a part, and the bytes that one point of them takes. */
const LINES: i32 = 16;
const POINT: usize = 64;

// @ts-ignore: decorator
@inline
function scalePoint(at: usize, factor: f32): void {
  const f = f32x4.splat(factor);
  v128.store(at, f32x4.mul(f, v128.load(at)));
  v128.store(at, f32x4.mul(f, v128.load(at, 16)), 16);
  v128.store(at, f32x4.mul(f, v128.load(at, 32)), 32);
  v128.store(at, f32x4.mul(f, v128.load(at, 48)), 48);
}

/** From the point at `at` on, `steps` more, each `stride` bytes further. */
// @ts-ignore: decorator
@inline
function sweep(at: usize, steps: i32, stride: isize, alpha: v128, start: f32, end: f32): void {
  scalePoint(at, start);
  let a = v128.load(at);
  let b = v128.load(at, 16);
  let c = v128.load(at, 32);
  let d = v128.load(at, 48);
  for (let j = 0; j < steps; j++) {
    at += stride;
    const sa = v128.load(at);
    const sb = v128.load(at, 16);
    const sc = v128.load(at, 32);
    const sd = v128.load(at, 48);
    a = multiplyAdd(alpha, f32x4.sub(a, sa), sa);
    b = multiplyAdd(alpha, f32x4.sub(b, sb), sb);
    c = multiplyAdd(alpha, f32x4.sub(c, sc), sc);
    d = multiplyAdd(alpha, f32x4.sub(d, sd), sd);
    v128.store(at, a);
    v128.store(at, b, 16);
    v128.store(at, c, 32);
    v128.store(at, d, 48);
  }
  if (end != 1) scalePoint(at, end);
}

function filter(p: Sweeps, lines: usize): void {
  const steps = p.length - 1;
  const last = lines + <usize>steps * POINT;
  const alpha = f32x4.splat(p.alpha);
  for (let k = 1; k <= p.iterations; k++) {
    if (p.transpose) {
      // The first iteration of the filter is the last of its adjoint.
      const end: f32 = k == p.iterations ? 1 : p.endScale;
      sweep(lines, steps, POINT, alpha, p.beta, p.endScale);
      sweep(last, steps, -(<isize>POINT), alpha, p.beta, end);
    } else {
      sweep(lines, steps, POINT, alpha, k == 1 ? p.beta : p.m, 1);
      sweep(last, steps, -(<isize>POINT), alpha, p.m, 1);
    }
  }
}

/** Four points of four lines at rows a, b, c, d become four vectors of a point each, `apart` bytes from each other. */
// @ts-ignore: decorator
@inline
function storeTransposed(a: v128, b: v128, c: v128, d: v128, target: usize, apart: usize): void {
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

/** Lines whose points lie next to each other. Those beyond the last repeat it. */
function loadAlong(p: Sweeps, first: i32, lines: usize): void {
  const bytes = <usize>p.length << 2;
  for (let group = 0; group < LINES; group += 4) {
    const target = lines + (<usize>group << 2);
    const l0 = p.input + <usize>min(first + group, p.count - 1) * bytes;
    const l1 = p.input + <usize>min(first + group + 1, p.count - 1) * bytes;
    const l2 = p.input + <usize>min(first + group + 2, p.count - 1) * bytes;
    const l3 = p.input + <usize>min(first + group + 3, p.count - 1) * bytes;
    let i: usize = 0;
    for (; i + 16 <= bytes; i += 16) {
      const a = v128.load(l0 + i);
      const b = v128.load(l1 + i);
      const c = v128.load(l2 + i);
      const d = v128.load(l3 + i);
      storeTransposed(a, b, c, d, target + i * LINES, POINT);
    }
    for (; i < bytes; i += 4) {
      f32.store(target + i * LINES, f32.load(l0 + i));
      f32.store(target + i * LINES, f32.load(l1 + i), 4);
      f32.store(target + i * LINES, f32.load(l2 + i), 8);
      f32.store(target + i * LINES, f32.load(l3 + i), 12);
    }
  }
}

function storeAlong(p: Sweeps, first: i32, lines: usize): void {
  const bytes = <usize>p.length << 2;
  for (let line = 0; line < min(LINES, p.count - first); line++) {
    if ((line & 3) == 0 && first + line + 4 <= p.count) {
      const source = lines + (<usize>line << 2);
      const target = p.output + <usize>(first + line) * bytes;
      let i: usize = 0;
      for (; i + 16 <= bytes; i += 16) {
        const from = source + i * LINES;
        const a = v128.load(from);
        const b = v128.load(from + POINT);
        const c = v128.load(from + 2 * POINT);
        const d = v128.load(from + 3 * POINT);
        storeTransposed(a, b, c, d, target + i, bytes);
      }
      for (; i < bytes; i += 4) {
        for (let lane: usize = 0; lane < 4; lane++) {
          f32.store(target + lane * bytes + i, f32.load(source + i * LINES + (lane << 2)));
        }
      }
      line += 3;
      continue;
    }
    const target = p.output + <usize>(first + line) * bytes;
    for (let i: usize = 0; i < bytes; i += 4) {
      f32.store(target + i, f32.load(lines + (<usize>line << 2) + i * LINES));
    }
  }
}

/** A part is sixteen lines whose points lie next to each other. */
export function sweepsAlongLines(p: Sweeps, part: i32, scratch: usize): void {
  const first = part * LINES;
  loadAlong(p, first, scratch);
  filter(p, scratch);
  storeAlong(p, first, scratch);
}

/** A part is sixteen lines that lie next to each other, or the rest of them in their plane of `step` lines. */
export function sweepsAcrossLines(p: Sweeps, part: i32, scratch: usize): void {
  const groups = (p.step + LINES - 1) / LINES;
  const bytes = <usize>p.step << 2;
  const x = (part % groups) * LINES;
  const place = <usize>(part / groups) * <usize>p.length * bytes + (<usize>x << 2);
  const lanes = p.step - x;
  let source = p.input + place;
  let point = scratch;
  for (let i = 0; i < p.length; i++) {
    // What lies beyond the last line is swept with the others and not kept.
    memory.copy(point, source, <usize>min(lanes, LINES) << 2);
    source += bytes;
    point += POINT;
  }
  filter(p, scratch);
  let target = p.output + place;
  point = scratch;
  for (let i = 0; i < p.length; i++) {
    storeFirst(target, v128.load(point), lanes);
    if (lanes > 4) storeFirst(target + 16, v128.load(point, 16), lanes - 4);
    if (lanes > 8) storeFirst(target + 32, v128.load(point, 32), lanes - 8);
    if (lanes > 12) storeFirst(target + 48, v128.load(point, 48), lanes - 12);
    target += bytes;
    point += POINT;
  }
}
