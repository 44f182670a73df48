/**
 * How a sweep pass on the GPU is shared among invocations: points in a lane, lanes of a line, tiles and halos. The numbers depend on
 * these, so they follow from the line alone; how many lines a workgroup holds is up to the device (webgpu-variants.ts).
 */
import { LimitError } from '../../errors.ts';

/** Lanes that a line has at most, and points that a lane can hold; the largest as in sweeps.wgsl. */
const MOST_LANES = 256;
const CELLS = [4, 8, 16, 32] as const;
const MOST_CELLS = CELLS[CELLS.length - 1];

/** Points up to which a lane holds the fewest: the scan over lanes is then short, and a sweep even more so. */
const SHORT_LINE = 128;

/** The share of a tile that its halo may take before a larger tile is preferred, and the most it may ever take. */
const HALO_SHARE = 0.25;
const LARGEST_HALO_SHARE = 0.875;

export interface Tiling {
  /** Lanes of a line or a tile of it: a power of two. */
  readonly lanes: number;
  /** Points of a lane. */
  readonly cells: number;
  /** Points of a tile that are kept, and the halo on each side; a line that fits is one tile without halo. */
  readonly tilePoints: number;
  readonly halo: number;
  readonly tiles: number;
}

/**
 * @param points of the longest line (or block of a line, with its overlap)
 * @param reach points after which an end condition is no longer felt
 * @throws LimitError when neither the line nor a tile and its halo fit
 */
export function tileLines(points: number, reach: number): Tiling {
  const whole = CELLS.find((cells) => points <= (cells === CELLS[0] ? SHORT_LINE : MOST_LANES * cells));
  if (whole !== undefined) {
    return { lanes: powerOfTwo(points / whole), cells: whole, tilePoints: points, halo: 0, tiles: 1 };
  }
  const cut = CELLS.find((cells) => 2 * reach <= HALO_SHARE * MOST_LANES * cells);
  if (cut !== undefined) return cutLine(points, cut, reach);
  const capacity = MOST_LANES * MOST_CELLS;
  if (2 * reach <= LARGEST_HALO_SHARE * capacity) return cutLine(points, MOST_CELLS, reach);
  throw new LimitError(
    `recursive-filter: a line of ${points} points and a kernel that reaches ${reach} points are too much for the sweeps ` +
      `on the GPU: at most ${capacity} points, or a reach of at most ${(LARGEST_HALO_SHARE * capacity) / 2}; use a smaller sigma, a decomposition, ` +
      'periodic boundaries, or --backend reference',
  );
}

function powerOfTwo(least: number): number {
  return 2 ** Math.ceil(Math.log2(Math.max(1, least)));
}

function cutLine(points: number, cells: number, reach: number): Tiling {
  const tilePoints = MOST_LANES * cells - 2 * reach;
  return { lanes: MOST_LANES, cells, tilePoints, halo: reach, tiles: Math.ceil(points / tilePoints) };
}
