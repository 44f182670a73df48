// The literal sweeps of the recursive filter [rf-gpu, purser2003] on many lines at a time, all iterations in one visit. A sweep is
// written v = s + α(v − s): βs + αp would lose digits with every iteration. A line may be cut into tiles that overlap, which are
// then lines by themselves.
//
// A sweep multiplies the point that it starts from, and in the adjoint also the one where it ends: by factors of its own in
// the first iteration of the filter.

import { multiplyAdd, storeFirst } from '../../compute/wasm/simd-library.as';
import { Sweeps } from './wasm';

/** Points of a tile with what lies beyond it: the same for all tiles of a line. */
// @ts-ignore: decorator
@inline
function sweptPoints(p: Sweeps): i32 {
  return min(p.length, p.tilePoints + 2 * p.halo);
}

/** The first point of a line that a tile sweeps: the first tile begins, and the last ends, where the line does. */
// @ts-ignore: decorator
@inline
function sweptFrom(p: Sweeps, tile: i32): i32 {
  return min(max(tile * p.tilePoints - p.halo, 0), p.length - sweptPoints(p));
}

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

// @ts-ignore: decorator
@inline
function filter(p: Sweeps, lanes: i32, lines: usize): void {
  const steps = sweptPoints(p) - 1;
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

/** Where tile `index` of all tiles of all lines is read from; those beyond the last repeat it. */
// @ts-ignore: decorator
@inline
function tileSource(p: Sweeps, index: i32): usize {
  const tile = min(index, p.count * p.tiles - 1);
  const point = (tile / p.tiles) * p.length + sweptFrom(p, tile % p.tiles);
  return p.input + (<usize>point << 2);
}

/** Tiles of lines whose points are contiguous. */
// @ts-ignore: decorator
@inline
function loadAlong(p: Sweeps, lanes: i32, first: i32, lines: usize): void {
  const bytes = <usize>sweptPoints(p) << 2;
  const apart = <usize>lanes << 2;
  for (let group = 0; group < lanes; group += 4) {
    const target = lines + (<usize>group << 2);
    const l0 = tileSource(p, first + group);
    const l1 = tileSource(p, first + group + 1);
    const l2 = tileSource(p, first + group + 2);
    const l3 = tileSource(p, first + group + 3);
    let i: usize = 0;
    for (; i + 16 <= bytes; i += 16) {
      const a = v128.load(l0 + i);
      const b = v128.load(l1 + i);
      const c = v128.load(l2 + i);
      const d = v128.load(l3 + i);
      storeTransposed(a, b, c, d, target + i * lanes, apart);
    }
    for (; i < bytes; i += 4) {
      f32.store(target + i * lanes, f32.load(l0 + i));
      f32.store(target + i * lanes, f32.load(l1 + i), 4);
      f32.store(target + i * lanes, f32.load(l2 + i), 8);
      f32.store(target + i * lanes, f32.load(l3 + i), 12);
    }
  }
}

/** What is kept of tile `index`, whose swept points are in column `lane`: one by one. */
function storeTile(p: Sweeps, lanes: i32, index: i32, column: usize): void {
  const tile = index % p.tiles;
  const begin = tile * p.tilePoints;
  const end = min(begin + p.tilePoints, p.length);
  const line = p.output + (<usize>((index / p.tiles) * p.length) << 2);
  let source = column + ((<usize>(begin - sweptFrom(p, tile)) * <usize>lanes) << 2);
  for (let i = begin; i < end; i++) {
    f32.store(line + (<usize>i << 2), f32.load(source));
    source += <usize>lanes << 2;
  }
}

/** Four whole lines, the first of which is in column `source`. */
// @ts-ignore: decorator
@inline
function storeFourLines(p: Sweeps, lanes: i32, first: i32, source: usize): void {
  const bytes = <usize>p.length << 2;
  const apart = <usize>lanes << 2;
  const target = p.output + <usize>first * bytes;
  let i: usize = 0;
  for (; i + 16 <= bytes; i += 16) {
    const from = source + i * lanes;
    const a = v128.load(from);
    const b = v128.load(from + apart);
    const c = v128.load(from + 2 * apart);
    const d = v128.load(from + 3 * apart);
    storeTransposed(a, b, c, d, target + i, bytes);
  }
  for (; i < bytes; i += 4) {
    for (let lane: usize = 0; lane < 4; lane++) {
      f32.store(target + lane * bytes + i, f32.load(source + i * lanes + (lane << 2)));
    }
  }
}

// @ts-ignore: decorator
@inline
function storeAlong(p: Sweeps, lanes: i32, first: i32, lines: usize): void {
  const count = min(lanes, p.count * p.tiles - first);
  for (let lane = 0; lane < count; lane++) {
    const source = lines + (<usize>lane << 2);
    if (p.tiles == 1 && (lane & 3) == 0 && lane + 4 <= count) {
      storeFourLines(p, lanes, first + lane, source);
      lane += 3;
    } else {
      storeTile(p, lanes, first + lane, source);
    }
  }
}

// @ts-ignore: decorator
@inline
function along(p: Sweeps, lanes: i32, part: i32, scratch: usize): void {
  const first = part * lanes;
  loadAlong(p, lanes, first, scratch);
  filter(p, lanes, scratch);
  storeAlong(p, lanes, first, scratch);
}

// @ts-ignore: decorator
@inline
function across(p: Sweeps, lanes: i32, part: i32, scratch: usize): void {
  const groups = (p.step + lanes - 1) / lanes;
  const bytes = <usize>p.step << 2;
  const x = (part % groups) * lanes;
  const place = <usize>(part / groups) * <usize>p.length * bytes + (<usize>x << 2);
  const held = <usize>lanes << 2;
  // What lies beyond the last line is swept with the others and not kept.
  const count = min(lanes, p.step - x);
  let source = p.input + place;
  let point = scratch;
  for (let i = 0; i < p.length; i++) {
    if (count == lanes) {
      for (let lane: usize = 0; lane < held; lane += 16) v128.store(point + lane, v128.load(source + lane));
    } else {
      memory.copy(point, source, <usize>count << 2);
    }
    source += bytes;
    point += held;
  }
  filter(p, lanes, scratch);
  let target = p.output + place;
  point = scratch;
  for (let i = 0; i < p.length; i++) {
    for (let lane = 0; lane < count; lane += 4) {
      const at = <usize>lane << 2;
      storeFirst(target + at, v128.load(point + at), count - lane);
    }
    target += bytes;
    point += held;
  }
}

/** A part is sixteen tiles of lines whose points are contiguous. */
export function sweeps16AlongLines(p: Sweeps, part: i32, scratch: usize): void {
  along(p, 16, part, scratch);
}

export function sweeps24AlongLines(p: Sweeps, part: i32, scratch: usize): void {
  along(p, 24, part, scratch);
}

export function sweeps28AlongLines(p: Sweeps, part: i32, scratch: usize): void {
  along(p, 28, part, scratch);
}

export function sweeps32AlongLines(p: Sweeps, part: i32, scratch: usize): void {
  along(p, 32, part, scratch);
}

/** A part is sixteen adjacent lines, or the rest of them in their plane of `step` lines; none is cut. */
export function sweeps16AcrossLines(p: Sweeps, part: i32, scratch: usize): void {
  across(p, 16, part, scratch);
}

export function sweeps24AcrossLines(p: Sweeps, part: i32, scratch: usize): void {
  across(p, 24, part, scratch);
}

export function sweeps28AcrossLines(p: Sweeps, part: i32, scratch: usize): void {
  across(p, 28, part, scratch);
}

export function sweeps32AcrossLines(p: Sweeps, part: i32, scratch: usize): void {
  across(p, 32, part, scratch);
}
