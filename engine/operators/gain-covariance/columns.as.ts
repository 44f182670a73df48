// What P_HT is made of, laid out before it is: the taper by lags, and the columns that H touches with what uses them.

import { lagOfTableRow } from './columns-library.as';
import { GainCovariance } from './index';

/** Bytes of an observation's strip in the work space, as in gain-covariance.as.ts. */
const STRIP_BYTES: i32 = 256;

// @ts-ignore: decorator
@inline
function place(base: usize, i: i32): usize {
  return base + (<usize>i << 2);
}

/** A row of the table of tapers, on both sides of lag 0, and how wide it is. */
export function gainTapers(p: GainCovariance, row: i32, scratch: usize): void {
  const from = place(p.taperRow, lagOfTableRow(p, row) * p.nx);
  const target = place(p.tapers, row * p.tableWidth);
  memory.fill(target, 0, <usize>p.tableWidth << 2);
  let width = -1;
  for (let lag = 0; lag < p.nx; lag++) {
    const taper = f32.load(place(from, lag));
    f32.store(place(target, p.nx - 1 + lag), taper);
    f32.store(place(target, p.nx - 1 - lag), taper);
    if (taper != 0) width = max(width, p.periodicX ? min(lag, p.nx - lag) : lag);
  }
  i32.store(place(p.widths, row), width);
}

/** Finds the touched columns, and lists the entries of H by column: a counting sort, in one part. */
export function gainColumns(p: GainCovariance, part: i32, scratch: usize): void {
  const state = p.variables * p.nx * p.ny;
  const first = i32.load(place(p.indptr, p.firstObservation));
  const last = i32.load(place(p.indptr, p.firstObservation + p.observations));
  const before = p.touchedBefore;
  memory.fill(before, 0, <usize>(state + 1) << 2);
  for (let entry = first; entry < last; entry++) {
    const count = place(before, i32.load(place(p.indices, entry)));
    i32.store(count, i32.load(count) + 1);
  }
  let touched = 0;
  let listed = 0;
  for (let element = 0; element < state; element++) {
    const at = place(before, element);
    const count = i32.load(at);
    i32.store(at, touched);
    if (count == 0) continue;
    i32.store(place(p.element, touched), element);
    i32.store(place(p.columnX, touched), element % p.nx);
    // One place further on, where the next column's entries begin when these are listed.
    i32.store(place(p.entriesBefore, touched + 1), listed);
    listed += count;
    touched++;
  }
  i32.store(place(before, state), touched);
  i32.store(p.entriesBefore, 0);
  for (let j = 0; j < p.observations; j++) {
    const end = i32.load(place(p.indptr, p.firstObservation + j + 1));
    for (let entry = i32.load(place(p.indptr, p.firstObservation + j)); entry < end; entry++) {
      const column = i32.load(place(before, i32.load(place(p.indices, entry))));
      const next = place(p.entriesBefore, column + 1);
      const target = p.entries + (<usize>i32.load(next) << 3);
      i32.store(next, i32.load(next) + 1);
      i32.store(target, j * STRIP_BYTES);
      f32.store(target, f32.load(place(p.data, entry)), 4);
    }
  }
}

/** The anomalies of a run of touched columns, [L] each, over L − 1. */
export function gainAnomalies(p: GainCovariance, part: i32, scratch: usize): void {
  const state = p.variables * p.nx * p.ny;
  const end = min((part + 1) * p.segment, i32.load(place(p.touchedBefore, state)));
  const share: f32 = 1 / <f32>(p.members - 1);
  for (let touched = part * p.segment; touched < end; touched++) {
    let from = place(p.anomalies, i32.load(place(p.element, touched)));
    let target = place(p.columns, touched * p.members);
    for (let l = 0; l < p.members; l++) {
      f32.store(target, share * f32.load(from));
      from += <usize>state << 2;
      target += 4;
    }
  }
}
