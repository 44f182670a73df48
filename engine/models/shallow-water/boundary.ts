/** Boundaries of the shallow-water schemes, by index: which cell stands in for one outside the grid, and with what sign. */

/**
 * `wall` reflects (depth and tangential momentum copied, normal momentum negated), `periodic` wraps, `open` continues the
 * outermost cell (zero gradient).
 */
export type Boundary = 'wall' | 'periodic' | 'open';

/** Rings of ghost cells that the kernels may ask for (basin.wgsl). */
const RINGS = 3;

/** The cell inside that stands for index `i` of an axis of `n` cells, any number of cells outside. */
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

/**
 * The table of sources that the kernels read: an entry for each column −3 … nx + 2, then one for each row −3 … ny + 2. The
 * lower 31 bits are `sourceCell`, the highest is set where `sourceSign` is −1.
 */
export function sourceTable(
  { nx, ny }: { readonly nx: number; readonly ny: number },
  boundary: { readonly x: Boundary; readonly y: Boundary },
): Uint32Array {
  const along = (n: number, rule: Boundary): number[] =>
    Array.from({ length: n + 2 * RINGS }, (_, k) => {
      const i = k - RINGS;
      return sourceCell(i, n, rule) + (sourceSign(i, n, rule) < 0 ? 2 ** 31 : 0);
    });
  return Uint32Array.from([...along(nx, boundary.x), ...along(ny, boundary.y)]);
}
