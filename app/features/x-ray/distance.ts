/** How far places are apart, the shortest way round where the basin is periodic. */
import type { BasinInfo } from '../../../engine/index.ts';
import type { GridPoint } from '../../document/views/view-state.ts';

function shortestWay(cells: number, n: number, periodic: boolean): number {
  if (!periodic) return cells;
  const around = Math.abs(cells) % n;
  return Math.min(around, n - around);
}

/** @returns metres between two places in grid units */
export function distanceBetween(
  a: GridPoint,
  b: GridPoint,
  { nx, ny, dx, dy, periodicX, periodicY }: Pick<BasinInfo, 'nx' | 'ny' | 'dx' | 'dy' | 'periodicX' | 'periodicY'>,
): number {
  return Math.hypot(shortestWay(a.x - b.x, nx, periodicX) * dx, shortestWay(a.y - b.y, ny, periodicY) * dy);
}
