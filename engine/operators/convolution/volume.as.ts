// The convolution of a volume [magic-filter] with passes made one after the other while planes are in cache: along rows, then
// across them, then across planes. Bits are those of one pass an axis, since every sum has the same terms in the same order.

import { multiplyAdd } from '../../compute/wasm/simd-library.as';
import { placeRow, rowAt, sumRows, sumRowsTwice } from './rows-library.as';
import { Volume } from './wasm';

// @ts-ignore: decorator
@inline
function wrapped(i: i32, n: i32): i32 {
  return ((i % n) + n) % n;
}

/** A row with the points that its taps reach beyond its ends, and no more: row(i − lower) … row(n3 − 1 + upper). */
function extendRow(p: Volume, row: usize, target: usize): void {
  const n = p.n3;
  let from = wrapped(-p.lower, n);
  for (let q = 0; q < p.lower; q++) {
    f32.store(target + (<usize>q << 2), f32.load(row + (<usize>from << 2)));
    from = from + 1 == n ? 0 : from + 1;
  }
  const middle = target + (<usize>p.lower << 2);
  let i = 0;
  for (; i + 4 <= n; i += 4) v128.store(middle + (<usize>i << 2), v128.load(row + (<usize>i << 2)));
  for (; i < n; i++) f32.store(middle + (<usize>i << 2), f32.load(row + (<usize>i << 2)));
  const end = target + (<usize>(p.lower + n) << 2);
  from = 0;
  for (let q = 0; q < p.width - 1 - p.lower; q++) {
    f32.store(end + (<usize>q << 2), f32.load(row + (<usize>from << 2)));
    from = from + 1 == n ? 0 : from + 1;
  }
}

/** Rows that are filtered along together, two vectors of each: their sums and what is read for them have registers. */
const ROWS: i32 = 3;

/** So many rows that were extended, `apart` bytes from each other, filtered along; what is beyond their ends is written too. */
function alongRows(p: Volume, source: usize, apart: usize, target: usize): void {
  const bytes = <usize>p.stride << 2;
  const width = <usize>p.width << 2;
  let at: usize = 0;
  for (; at + 32 <= bytes; at += 32) {
    let a = f32x4.splat(0);
    let b = a;
    let c = a;
    let d = a;
    let e = a;
    let f = a;
    let row = source + at;
    for (let q: usize = 0; q < width; q += 4) {
      const w = v128.load32_splat(p.weights + q);
      a = multiplyAdd(w, v128.load(row), a);
      b = multiplyAdd(w, v128.load(row, 16), b);
      const second = row + apart;
      c = multiplyAdd(w, v128.load(second), c);
      d = multiplyAdd(w, v128.load(second, 16), d);
      const third = second + apart;
      e = multiplyAdd(w, v128.load(third), e);
      f = multiplyAdd(w, v128.load(third, 16), f);
      row += 4;
    }
    let to = target + at;
    v128.store(to, a);
    v128.store(to, b, 16);
    to += bytes;
    v128.store(to, c);
    v128.store(to, d, 16);
    to += bytes;
    v128.store(to, e);
    v128.store(to, f, 16);
  }
  for (; at < bytes; at += 16) {
    let a = f32x4.splat(0);
    let c = a;
    let e = a;
    let row = source + at;
    for (let q: usize = 0; q < width; q += 4) {
      const w = v128.load32_splat(p.weights + q);
      a = multiplyAdd(w, v128.load(row), a);
      c = multiplyAdd(w, v128.load(row + apart), c);
      e = multiplyAdd(w, v128.load(row + 2 * apart), e);
      row += 4;
    }
    const to = target + at;
    v128.store(to, a);
    v128.store(to + bytes, c);
    v128.store(to + 2 * bytes, e);
  }
}

/** Bytes of a row with what its taps reach, and of a vector beyond. */
// @ts-ignore: decorator
@inline
function extendedBytes(p: Volume): usize {
  return <usize>(p.stride + p.width + 4) << 2;
}

/** Rows first … first + count − 1 of a plane, the plane repeating itself, filtered along: one after the other, `stride` apart. */
function filterAlong(p: Volume, plane: usize, first: i32, count: i32, target: usize, work: usize): void {
  const rowBytes = <usize>p.n3 << 2;
  const apart = extendedBytes(p);
  const bytes = <usize>p.stride << 2;
  for (let r = 0; r < count; r += ROWS) {
    // Rows beyond the last are others again; what becomes of them is written over or not read.
    for (let k = 0; k < ROWS; k++) {
      extendRow(p, plane + <usize>wrapped(first + r + k, p.n2) * rowBytes, work + <usize>k * apart);
    }
    alongRows(p, work, apart, target + <usize>r * bytes);
  }
}

/** Rows first … first + count − 1 of a plane filtered along and across, into rows of n3 points at `target`. */
function filterPlane(p: Volume, plane: usize, first: i32, count: i32, target: usize, scratch: usize): void {
  const filtered = scratch + <usize>ROWS * extendedBytes(p);
  const bytes = <usize>p.stride << 2;
  const total = count + p.width - 1;
  filterAlong(p, plane, first - p.lower, total, filtered, scratch);
  const rows = filtered + <usize>(ROWS * ((total + ROWS - 1) / ROWS)) * bytes;
  for (let r = 0; r < total + 1; r++) placeRow(rows, r, filtered + <usize>min(r, total - 1) * bytes);
  const rowBytes = <usize>p.n3 << 2;
  let r = 0;
  for (; r + 2 <= count; r += 2) {
    const to = target + <usize>r * rowBytes;
    sumRowsTwice(p.weights, p.width, rows + (<usize>r << 2), to, to + rowBytes, p.n3);
  }
  if (r < count) sumRows(p.weights, p.width, rows + (<usize>r << 2), target + <usize>r * rowBytes, p.n3);
}

/** A part is a tile of rows of one plane, filtered along and across. */
export function volumePlanes(p: Volume, part: i32, scratch: usize): void {
  const tiles = (p.n2 + p.tileRows - 1) / p.tileRows;
  const plane = <usize>(part / tiles) * <usize>(p.n2 * p.n3);
  const first = (part % tiles) * p.tileRows;
  const target = p.output + ((plane + <usize>(first * p.n3)) << 2);
  filterPlane(p, p.input + (plane << 2), first, min(p.tileRows, p.n2 - first), target, scratch);
}

/** A part is a strip of points of all planes, filtered across planes. */
export function volumeAcrossPlanes(p: Volume, part: i32, scratch: usize): void {
  const points = p.n2 * p.n3;
  const strip = p.tileRows * p.n3;
  const first = part * strip;
  const count = min(strip, points - first);
  const planeBytes = <usize>points << 2;
  const at = <usize>first << 2;
  for (let r = 0; r < p.n1 + p.width; r++) {
    placeRow(scratch, r, p.input + at + <usize>wrapped(r - p.lower, p.n1) * planeBytes);
  }
  let i = 0;
  for (; i + 2 <= p.n1; i += 2) {
    const to = p.output + at + <usize>i * planeBytes;
    sumRowsTwice(p.weights, p.width, scratch + (<usize>i << 2), to, to + planeBytes, count);
  }
  if (i < p.n1) sumRows(p.weights, p.width, scratch + (<usize>i << 2), p.output + at + <usize>i * planeBytes, count);
}

/**
 * A part is a tile of rows of all planes, filtered along all three axes: planes that were filtered along and across go round in a
 * ring, from which those across planes are summed. The first width − 1 planes are kept, for they are also the last. Planes must
 * be at least 2 (width + 1).
 */
export function volumeColumns(p: Volume, part: i32, scratch: usize): void {
  const first = part * p.tileRows;
  const count = min(p.tileRows, p.n2 - first);
  const points = count * p.n3;
  // Vectors are read beyond the last point of a plane.
  const tileBytes = <usize>(points + 16) << 2;
  const kept = p.width - 1;
  const ring = p.width + 1;
  const planes = scratch + <usize>((p.n1 + p.width + 4) & ~3) * 4;
  const work = planes + <usize>(kept + ring) * tileBytes;
  const planeBytes = <usize>(p.n2 * p.n3) << 2;
  const at = <usize>(first * p.n3) << 2;
  const all = p.n1 + p.width;
  for (let r = 0; r < all; r++) {
    // Row r of the table is plane r − lower.
    const slot = r < kept ? r : r < p.n1 ? kept + (r - kept) % ring : min(r - p.n1, kept - 1);
    placeRow(scratch, r, planes + <usize>slot * tileBytes);
  }
  let made = 0;
  let i = 0;
  for (; i < p.n1; i += 2) {
    const needed = min(i + p.width + 1, p.n1);
    for (; made < needed; made++) {
      const plane = p.input + <usize>wrapped(made - p.lower, p.n1) * planeBytes;
      filterPlane(p, plane, first, count, rowAt(scratch, made), work);
    }
    const to = p.output + at + <usize>i * planeBytes;
    const rows = scratch + (<usize>i << 2);
    if (i + 2 <= p.n1) sumRowsTwice(p.weights, p.width, rows, to, to + planeBytes, points);
    else sumRows(p.weights, p.width, rows, to, points);
  }
}
