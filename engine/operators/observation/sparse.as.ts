// A sparse matrix in compressed rows and its transpose (sparse.ts). Sums are float64; a result has one owner. A part is a run of
// rows, columns or entries, of one vector if there are several.

import { ColumnScaling, SparseAdjoint, SparseProduct } from './sparse';

// @ts-ignore: decorator
@inline
function real(base: usize, i: i32): f64 {
  return <f64>f32.load(base + (<usize>i << 2));
}

// @ts-ignore: decorator
@inline
function word(base: usize, i: i32): i32 {
  return i32.load(base + (<usize>i << 2));
}

export function multiplySparse(p: SparseProduct, part: i32, scratch: usize): void {
  const vector = part / p.segments;
  const start = (part % p.segments) * p.segment;
  const end = min(start + p.segment, p.rows);
  const input = p.input + (<usize>(vector * p.columns) << 2);
  const output = p.output + (<usize>(vector * p.rows) << 2);
  let entry = word(p.indptr, start);
  for (let row = start; row < end; row++) {
    const last = word(p.indptr, row + 1);
    let sum: f64 = 0;
    for (; entry < last; entry++) sum += real(p.data, entry) * real(input, word(p.indices, entry));
    f32.store(output + (<usize>row << 2), <f32>sum);
  }
}

/** Σ over the entries `entry` … `last` − 1 of a column. */
// @ts-ignore: decorator
@inline
function columnSum(p: SparseAdjoint, input: usize, entry: i32, last: i32): f32 {
  let sum: f64 = 0;
  for (; entry < last; entry++) sum += real(p.data, word(p.entryPosition, entry)) * real(input, word(p.entryRow, entry));
  return <f32>sum;
}

/** Most columns have no entry: four of those at a time. */
export function multiplySparseAdjoint(p: SparseAdjoint, part: i32, scratch: usize): void {
  const vector = part / p.segments;
  const start = (part % p.segments) * p.segment;
  const end = min(start + p.segment, p.columns);
  const input = p.input + (<usize>(vector * p.rows) << 2);
  const output = p.output + (<usize>(vector * p.columns) << 2);
  let column = start;
  for (; column + 4 <= end; column += 4) {
    const bounds = p.columnStart + (<usize>column << 2);
    const target = output + (<usize>column << 2);
    if (!v128.any_true(v128.xor(v128.load(bounds), v128.load(bounds, 4)))) {
      v128.store(target, f32x4.splat(0));
      continue;
    }
    for (let i = 0; i < 4; i++) {
      f32.store(target + (<usize>i << 2), columnSum(p, input, word(bounds, i), word(bounds, i + 1)));
    }
  }
  for (; column < end; column++) {
    const sum = columnSum(p, input, word(p.columnStart, column), word(p.columnStart, column + 1));
    f32.store(output + (<usize>column << 2), sum);
  }
}

export function scaleColumns(p: ColumnScaling, part: i32, scratch: usize): void {
  const end = min((part + 1) * p.segment, word(p.indptr, p.rows));
  for (let entry = part * p.segment; entry < end; entry++) {
    const at = p.data + (<usize>entry << 2);
    f32.store(at, <f32>(<f64>f32.load(at) * real(p.scale, word(p.indices, entry))));
  }
}
