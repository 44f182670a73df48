// The literal sweeps of the recursive filter [rf-gpu, purser2003] on many lines at a time, all iterations in one visit. A line may
// be cut into tiles that overlap, which are then lines by themselves.

import { storeFirst } from '../../compute/wasm/simd-library.as';
import { filter, storeTransposed } from './sweeps-library.as';
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
  filter(p, lanes, sweptPoints(p), scratch);
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
  filter(p, lanes, sweptPoints(p), scratch);
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
