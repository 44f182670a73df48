/** Boundaries of the shallow-water schemes, by index: which cell replaces one outside the grid, and with what sign. */

/**
 * `wall` reflects (depth and tangential momentum copied, normal momentum negated), `periodic` wraps, `open` continues the
 * outermost cell (zero gradient).
 */
export type Boundary = 'wall' | 'periodic' | 'open';

/** The cell inside that represents index `i` of an axis of `n` cells, any number of cells outside. */
export function sourceCell(i: number, n: number, boundary: Boundary): number {
  switch (boundary) {
    case 'wall': {
      const folded = modulo(i, 2 * n);
      return folded < n ? folded : 2 * n - 1 - folded;
    }
    case 'periodic':
      return modulo(i, n);
    case 'open':
      return Math.min(Math.max(i, 0), n - 1);
    default:
      return boundary satisfies never;
  }
}

/** Sign of the normal momentum at index `i`: −1 behind a wall. */
export function sourceSign(i: number, n: number, boundary: Boundary): 1 | -1 {
  return boundary === 'wall' && modulo(i, 2 * n) >= n ? -1 : 1;
}

function modulo(i: number, n: number): number {
  return ((i % n) + n) % n;
}
