/** How a sweep pass is shared among workgroups: lines in a workgroup, points in a lane, tiles and halos. */
import { LimitError } from '../../errors.ts';

/** Invocations of a workgroup and the most points a lane can hold, both as in sweeps.wgsl. */
const LANES = 256;
const CELLS = [4, 8, 16, 32] as const;

/** Lines in a workgroup that fill a memory transaction across them. */
const LINES_TOGETHER = 8;

/** The share of a tile that its halo may take before a larger tile is preferred, and the most it may ever take. */
const HALO_SHARE = 0.25;
const LARGEST_HALO_SHARE = 0.875;

export interface Tiling {
  readonly lines: number;
  readonly cells: number;
  /** Points of a tile that are kept, and the halo on each side; a line that fits is one tile without halo. */
  readonly tilePoints: number;
  readonly halo: number;
  readonly tiles: number;
}

/**
 * @param points of the longest line (or block of a line, with its overlap)
 * @param reach points after which an end condition is no longer felt
 * @throws LimitError when neither the line nor a tile and its halo fit in a workgroup
 */
export function tileLines(points: number, lines: number, reach: number): Tiling {
  // Many lines at a time for the memory's sake, then few points in a lane for the sake of parallelism.
  for (let together = linesTogether(lines); together >= 1; together /= 2) {
    for (const cells of CELLS) {
      const capacity = (LANES / together) * cells;
      if (points > capacity) continue;
      return { lines: widen(together, cells, points, lines), cells, tilePoints: points, halo: 0, tiles: 1 };
    }
    for (const cells of CELLS) {
      const capacity = (LANES / together) * cells;
      if (2 * reach <= HALO_SHARE * capacity) return cutLine(points, together, cells, reach);
    }
  }
  const cells = CELLS[CELLS.length - 1];
  const capacity = LANES * cells;
  if (2 * reach <= LARGEST_HALO_SHARE * capacity) return cutLine(points, 1, cells, reach);
  throw new LimitError(
    `recursive-filter: a line of ${points} points and a kernel that reaches ${reach} points are too much for the sweeps ` +
      `on the GPU: at most ${capacity} points, or a reach of at most ${(LARGEST_HALO_SHARE * capacity) / 2}; use a smaller sigma, a decomposition, ` +
      'periodic boundaries, or --backend reference',
  );
}

/** Lines to start from: as many as a memory transaction holds, or fewer where there are few. */
function linesTogether(lines: number): number {
  if (lines >= LINES_TOGETHER) return LINES_TOGETHER;
  return lines >= LINES_TOGETHER / 2 ? LINES_TOGETHER / 2 : 1;
}

/** Short lines: as many more of them as leave every lane something to do. */
function widen(together: number, cells: number, points: number, lines: number): number {
  let more = together;
  while (2 * more <= lines && 2 * more * points <= LANES * cells && more < LANES / 2) more *= 2;
  return more;
}

function cutLine(points: number, lines: number, cells: number, reach: number): Tiling {
  const tilePoints = (LANES / lines) * cells - 2 * reach;
  return { lines, cells, tilePoints, halo: reach, tiles: Math.ceil(points / tilePoints) };
}
