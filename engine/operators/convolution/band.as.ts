// A banded matrix applied to all lines along an axis (band.ts): out(i) = Σ_q row(i)[q] · in(i − lower + q). Lines whose points are
// next to each other are taken one by one, sixteen points at a time; lines that are next to each other are taken together, two
// points at a time.

import { multiplyAdd, storeFirst, sumOf } from '../../compute/wasm/simd-library.as';
import { placeRow, sumRows, sumRowsTwice } from './rows-library.as';
import { BandPass } from './wasm';

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
  const begin = first - p.lower;
  // Those of the line itself are contiguous.
  const from = min(total, max(0, -begin));
  const to = max(from, min(total, p.length - begin));
  memory.copy(target + (<usize>from << 2), line + (<usize>(begin + from) << 2), <usize>(to - from) << 2);
  for (let q = 0; q < total; q++) {
    if (q == from) q = to;
    if (q >= total) break;
    let value: f32 = 0;
    if (p.periodic && q < count + p.width) value = f32.load(line + (<usize>modulo(begin + q, p.length) << 2));
    f32.store(target + (<usize>q << 2), value);
  }
}

/**
 * Twenty-eight points with the same weights, the first of whose neighbours is at `source`: as many as sums and what is read for
 * them have registers, since engines read all of a tap before they add any.
 */
// @ts-ignore: decorator
@inline
function twentyEightPoints(weights: usize, width: usize, source: usize, target: usize): void {
  let a = f32x4.splat(0);
  let b = a;
  let c = a;
  let d = a;
  let e = a;
  let f = a;
  let g = a;
  for (let q: usize = 0; q < width; q += 4) {
    const w = v128.load32_splat(weights + q);
    const from = source + q;
    a = multiplyAdd(w, v128.load(from), a);
    b = multiplyAdd(w, v128.load(from, 16), b);
    c = multiplyAdd(w, v128.load(from, 32), c);
    d = multiplyAdd(w, v128.load(from, 48), d);
    e = multiplyAdd(w, v128.load(from, 64), e);
    f = multiplyAdd(w, v128.load(from, 80), f);
    g = multiplyAdd(w, v128.load(from, 96), g);
  }
  v128.store(target, a);
  v128.store(target, b, 16);
  v128.store(target, c, 32);
  v128.store(target, d, 48);
  v128.store(target, e, 64);
  v128.store(target, f, 80);
  v128.store(target, g, 96);
}

/** `count` points with the same weights; the first has its first neighbour at `source`. */
function commonPoints(p: BandPass, source: usize, target: usize, count: i32): void {
  const weights = p.weights + (<usize>(p.left * p.stride) << 2);
  const width = <usize>p.width << 2;
  let i = 0;
  for (; i + 28 <= count; i += 28) {
    const at = <usize>i << 2;
    twentyEightPoints(weights, width, source + at, target + at);
  }
  for (; i < count; i += 16) {
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

/**
 * Lines next to each other, `step` of them in a plane: a part is a segment of their points. Two points are summed at a time where
 * both have the common weights and all their neighbours.
 */
export function bandAcrossLines(p: BandPass, part: i32, scratch: usize): void {
  const bytes = <usize>p.step << 2;
  const plane = <usize>(part / p.segments) * <usize>p.length * bytes;
  const first = (part % p.segments) * p.segment;
  const end = min(first + p.segment, p.length);
  // Row r of the table is point first − lower + r; where the line does not repeat itself, those outside are not looked at.
  let j = modulo(first - p.lower, p.length);
  for (let r = 0; r <= end - first + p.width; r++) {
    placeRow(scratch, r, p.input + plane + <usize>j * bytes);
    j = j + 1 == p.length ? 0 : j + 1;
  }
  for (let i = first; i < end; i++) {
    const weights = weightsOf(p, i);
    const rows = scratch + (<usize>(i - first) << 2);
    const target = p.output + plane + <usize>i * bytes;
    const begin = i - p.lower;
    const isWhole = p.periodic || (begin >= 0 && begin + p.width < p.length);
    if (isWhole && i >= p.left && i + 1 < min(end, p.length - p.right)) {
      sumRowsTwice(weights, p.width, rows, target, target + bytes, p.step);
      i += 1;
      continue;
    }
    const from = p.periodic ? 0 : max(0, -begin);
    const to = p.periodic ? p.width : min(p.width, p.length - begin);
    sumRows(weights + (<usize>from << 2), to - from, rows + (<usize>from << 2), target, p.step);
  }
}
