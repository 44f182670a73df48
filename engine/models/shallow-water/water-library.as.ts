// What all schemes for shallow water have in common: boundaries, when water is at rest, and the search for what went wrong.

export const WALL: i32 = 0;
export const PERIODIC: i32 = 1;

/**
 * Water that is slower is at rest, m/s, and a surface that is nearer to the level it is measured from than this share of the depth
 * is level: far below what the rounding of a depth sets in motion. Ahead of a wave both would otherwise fade through the smallest
 * numbers, with which processors are slow.
 */
export const AT_REST: f32 = 1e-15;

/** A change or a sensitivity that is smaller is 0, for the same reason. */
export const LEAST_CHANGE: f32 = 1e-30;

/** The cell that represents index i, which may be beyond the grid (basin.ts). */
export function sourceIndex(i: i32, n: i32, boundary: i32): i32 {
  if (i >= 0 && i < n) return i;
  if (boundary == PERIODIC) return ((i % n) + n) % n;
  if (boundary != WALL) return i < 0 ? 0 : n - 1;
  const folded = ((i % (2 * n)) + 2 * n) % (2 * n);
  return folded < n ? folded : 2 * n - 1 - folded;
}

/** −1 where an odd number of walls is between index i and the cell that represents it. */
export function sourceSign(i: i32, n: i32, boundary: i32): f32 {
  return boundary == WALL && ((i % (2 * n)) + 2 * n) % (2 * n) >= n ? -1 : 1;
}

/** Indices of the kinds of faults (stepping.ts). */
const NOT_FINITE: i32 = 0;
export const NEGATIVE_DEPTH: i32 = 1;

/** Where a part reports to, and that nothing went wrong there yet. */
export function clearedReport(reports: usize, part: i32): usize {
  const report = reports + (<usize>part << 5);
  i32.store(report, -1);
  return report;
}

/** Step, cell, kind, variable and value of what went wrong. */
export function tell(report: usize, step: i32, cell: i32, kind: i32, variable: i32, value: f32): void {
  i32.store(report, step);
  i32.store(report, cell, 4);
  i32.store(report, kind, 8);
  i32.store(report, variable, 12);
  f32.store(report, value, 16);
}

/** @returns whether one of a cell's three variables is no finite number, and reports which */
export function tellNotFinite(at: usize, cells: usize, step: i32, cell: i32, report: usize): bool {
  for (let variable = 0; variable < 3; variable++) {
    const value = f32.load(at + <usize>variable * cells);
    if (value - value == 0) continue;
    tell(report, step, cell, NOT_FINITE, variable, value);
    return true;
  }
  return false;
}

/** Courant number of a cell: its momenta follow `at` by `cells` bytes each. In float64, as it is compared with a bound. */
export function courantNumber(
  at: usize,
  cells: usize,
  depth: f64,
  gravity: f32,
  seconds: f32,
  dx: f32,
  dy: f32,
): f64 {
  const c = Math.sqrt(<f64>gravity * depth);
  const u = Math.abs(<f64>f32.load(at + cells) / depth);
  const v = Math.abs(<f64>f32.load(at + 2 * cells) / depth);
  return <f64>seconds * Math.max((u + c) / <f64>dx, (v + c) / <f64>dy);
}

/** The largest of four, into the first word of a part's report. */
export function reportLargest(reports: usize, part: i32, largest: v128): void {
  const pairs = f32x4.max(largest, i8x16.shuffle(largest, largest, 8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7));
  f32.store(reports + (<usize>part << 5), max(f32x4.extract_lane(pairs, 0), f32x4.extract_lane(pairs, 1)));
}
