// The columns that H touches: their indices, their places, and what uses them; and which of them are in reach.

import { GainCovariance } from './index';

// @ts-ignore: decorator
@inline
function word(base: usize, i: i32): i32 {
  return i32.load(base + (<usize>i << 2));
}

// @ts-ignore: decorator
@inline
export function touchedBefore(p: GainCovariance, element: i32): i32 {
  return word(p.touchedBefore, element);
}

/** Whether any column of the row of cells that begins with an element is touched. */
// @ts-ignore: decorator
@inline
export function isTouched(p: GainCovariance, element: i32): bool {
  return word(p.touchedBefore, element) != word(p.touchedBefore, element + p.nx);
}

// @ts-ignore: decorator
@inline
export function entriesBefore(p: GainCovariance, touched: i32): i32 {
  return word(p.entriesBefore, touched);
}

/** The row of the table for a lag along y: those near 0, and where the axis is periodic those near the whole way round. */
// @ts-ignore: decorator
@inline
export function taperTableRow(p: GainCovariance, lag: i32): i32 {
  return lag <= p.reachY ? lag : lag - (p.ny - p.tableRows);
}

/** The lag along y that a row of the table is for. */
// @ts-ignore: decorator
@inline
export function lagOfTableRow(p: GainCovariance, row: i32): i32 {
  return row <= p.reachY ? row : row + (p.ny - p.tableRows);
}

// @ts-ignore: decorator
@inline
export function widthOf(p: GainCovariance, tableRow: i32): i32 {
  return word(p.widths, tableRow);
}

/** The indices within reach of first … last − 1: the run `which` of at most two, as its first and its end in the two halves. */
function runOf(first: i32, last: i32, reach: i32, size: i32, periodic: i32, which: i32): i64 {
  let start = first - reach;
  let end = last + reach;
  let wrappedStart = 0;
  let wrappedEnd = 0;
  if (!periodic || end - start >= size) {
    start = periodic ? 0 : max(start, 0);
    end = periodic ? size : min(end, size);
  } else if (start < 0) {
    wrappedStart = start + size;
    wrappedEnd = size;
    start = 0;
  } else if (end > size) {
    wrappedEnd = end - size;
    end = size;
  }
  return which == 0 ? <i64>start | (<i64>end << 32) : <i64>wrappedStart | (<i64>wrappedEnd << 32);
}

/** The columns of a row within `width` of x0 … x1 − 1. */
export function columnRun(p: GainCovariance, x0: i32, x1: i32, width: i32, which: i32): i64 {
  return runOf(x0, x1, width, p.nx, p.periodicX, which);
}

/** The rows in reach of row y. */
export function rowRun(p: GainCovariance, y: i32, which: i32): i64 {
  return runOf(y, y + 1, p.reachY, p.ny, p.periodicY, which);
}
