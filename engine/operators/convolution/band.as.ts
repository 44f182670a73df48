// A banded matrix applied to all lines along an axis (band.ts): out(i) = Σ_q row(i)[q] · in(i − lower + q). Lines whose points lie
// next to each other are taken one by one, sixteen points at a time; lines that lie next to each other are taken together.

import { multiplyAdd, storeFirst, sumOf } from '../../compute/wasm/simd-library.as';

@unmanaged
class BandPass {
  /** Points of a line, and elements from one to the next. */
  length: i32;
  step: i32;
  lower: i32;
  width: i32;
  /** Reals from one row of weights to the next; what is beyond `width` is 0. */
  stride: i32;
  periodic: i32;
  /** Rows with weights of their own at the start and at the end; the others share row `left`. */
  left: i32;
  right: i32;
  /** Points of a part. */
  segment: i32;
  /** Parts of a line, or of the lines that lie next to each other. */
  segments: i32;
  weights: usize;
  input: usize;
  output: usize;
}

// @ts-ignore: decorator
@inline
function weightsOf(p: BandPass, i: i32): usize {
  const row = i < p.left ? i : i < p.length - p.right ? p.left : p.left + 1 + i - (p.length - p.right);
  return p.weights + (<usize>(row * p.stride) << 2);
}

function modulo(i: i32, n: i32): i32 {
  return ((i % n) + n) % n;
}

/** Points first − lower … first + count − lower + width of a line, with what lies outside it, and zeros to vectors beyond. */
function gather(p: BandPass, line: usize, first: i32, count: i32, target: usize): void {
  const total = count + p.width + 16;
  for (let q = 0; q < total; q++) {
    const i = first - p.lower + q;
    let value: f32 = 0;
    if (i >= 0 && i < p.length) value = f32.load(line + (<usize>i << 2));
    else if (p.periodic && q < count + p.width) value = f32.load(line + (<usize>modulo(i, p.length) << 2));
    f32.store(target + (<usize>q << 2), value);
  }
}

/** Points that share their weights, from i to end; point i has its first neighbour at `source`. */
function commonPoints(p: BandPass, source: usize, target: usize, count: i32): void {
  const weights = p.weights + (<usize>(p.left * p.stride) << 2);
  const width = <usize>p.width << 2;
  for (let i = 0; i < count; i += 16) {
    const from = source + (<usize>i << 2);
    let a = f32x4.splat(0);
    let b = a;
    let c = a;
    let d = a;
    for (let q: usize = 0; q < width; q += 4) {
      const w = v128.load32_splat(weights + q);
      a = multiplyAdd(w, v128.load(from + q), a);
      b = multiplyAdd(w, v128.load(from + q, 16), b);
      c = multiplyAdd(w, v128.load(from + q, 32), c);
      d = multiplyAdd(w, v128.load(from + q, 48), d);
    }
    const to = target + (<usize>i << 2);
    storeFirst(to, a, count - i);
    if (count - i > 4) storeFirst(to + 16, b, count - i - 4);
    if (count - i > 8) storeFirst(to + 32, c, count - i - 8);
    if (count - i > 12) storeFirst(to + 48, d, count - i - 12);
  }
}

function dot(weights: usize, values: usize, count: i32): f32 {
  let sum = f32x4.splat(0);
  for (let q: usize = 0; q < <usize>count << 2; q += 16) {
    sum = multiplyAdd(v128.load(weights + q), v128.load(values + q), sum);
  }
  return sumOf(sum);
}

/** Lines of step 1: a part is a segment of one of them. */
export function bandAlongLines(p: BandPass, part: i32, scratch: usize): void {
  const line = (<usize>(part / p.segments) * <usize>p.length) << 2;
  const first = (part % p.segments) * p.segment;
  const end = min(first + p.segment, p.length);
  gather(p, p.input + line, first, end - first, scratch);
  const output = p.output + line;
  const commonEnd = max(first, min(end, p.length - p.right));
  const commonFirst = min(commonEnd, max(first, p.left));
  for (let i = first; i < end; i++) {
    if (i == commonFirst && commonFirst < commonEnd) {
      const source = scratch + (<usize>(i - first) << 2);
      commonPoints(p, source, output + (<usize>i << 2), commonEnd - commonFirst);
      i = commonEnd - 1;
      continue;
    }
    f32.store(output + (<usize>i << 2), dot(weightsOf(p, i), scratch + (<usize>(i - first) << 2), p.stride));
  }
}

/** Sixteen neighbouring lines at a point: Σ over q from `from` to `end` (exclusive), the first row of points at `source`. */
// @ts-ignore: decorator
@inline
function addRows(weights: usize, from: i32, end: i32, source: usize, bytes: usize, target: usize, lanes: i32): void {
  let a = f32x4.splat(0);
  let b = a;
  let c = a;
  let d = a;
  for (let q = from; q < end; q++) {
    const w = v128.load32_splat(weights + (<usize>q << 2));
    a = multiplyAdd(w, v128.load(source), a);
    b = multiplyAdd(w, v128.load(source, 16), b);
    c = multiplyAdd(w, v128.load(source, 32), c);
    d = multiplyAdd(w, v128.load(source, 48), d);
    source += bytes;
  }
  if (lanes >= 16) {
    v128.store(target, a);
    v128.store(target, b, 16);
    v128.store(target, c, 32);
    v128.store(target, d, 48);
    return;
  }
  storeFirst(target, a, lanes);
  if (lanes > 4) storeFirst(target + 16, b, lanes - 4);
  if (lanes > 8) storeFirst(target + 32, c, lanes - 8);
  if (lanes > 12) storeFirst(target + 48, d, lanes - 12);
}

/** The same where the points wrap around, one line. */
function wrapped(p: BandPass, weights: usize, i: i32, line: usize): f32 {
  let sum: f32 = 0;
  let j = modulo(i - p.lower, p.length);
  for (let q = 0; q < p.width; q++) {
    sum += f32.load(weights + (<usize>q << 2)) * f32.load(line + (<usize>(j * p.step) << 2));
    j = j + 1 == p.length ? 0 : j + 1;
  }
  return sum;
}

/** Sixteen lines where the points wrap around once. */
function wrappedRows(p: BandPass, weights: usize, i: i32, plane: usize, bytes: usize, x: i32, target: usize): void {
  let a = f32x4.splat(0);
  let b = a;
  let c = a;
  let d = a;
  let j = modulo(i - p.lower, p.length);
  for (let q = 0; q < p.width; q++) {
    const w = v128.load32_splat(weights + (<usize>q << 2));
    const source = plane + <usize>j * bytes + (<usize>x << 2);
    a = multiplyAdd(w, v128.load(source), a);
    b = multiplyAdd(w, v128.load(source, 16), b);
    c = multiplyAdd(w, v128.load(source, 32), c);
    d = multiplyAdd(w, v128.load(source, 48), d);
    j = j + 1 == p.length ? 0 : j + 1;
  }
  v128.store(target, a);
  v128.store(target, b, 16);
  v128.store(target, c, 32);
  v128.store(target, d, 48);
}

/** Lines next to each other, `step` of them in a plane: a part is a segment of their points. */
export function bandAcrossLines(p: BandPass, part: i32, scratch: usize): void {
  const bytes = <usize>p.step << 2;
  const plane = <usize>(part / p.segments) * <usize>p.length * bytes;
  const first = (part % p.segments) * p.segment;
  const end = min(first + p.segment, p.length);
  for (let i = first; i < end; i++) {
    const weights = weightsOf(p, i);
    const target = p.output + plane + <usize>i * bytes;
    const begin = i - p.lower;
    const inside = begin >= 0 && begin + p.width <= p.length;
    if (p.periodic && !inside) {
      let x = 0;
      for (; x + 16 <= p.step; x += 16) {
        wrappedRows(p, weights, i, p.input + plane, bytes, x, target + (<usize>x << 2));
      }
      for (; x < p.step; x++) {
        f32.store(target + (<usize>x << 2), wrapped(p, weights, i, p.input + plane + (<usize>x << 2)));
      }
      continue;
    }
    const from = max(0, -begin);
    const to = min(p.width, p.length - begin);
    const source = p.input + plane + <usize>(begin + from) * bytes;
    for (let x = 0; x < p.step; x += 16) {
      addRows(weights, from, to, source + (<usize>x << 2), bytes, target + (<usize>x << 2), p.step - x);
    }
  }
}
