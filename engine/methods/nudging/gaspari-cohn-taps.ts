/** The Gaspari–Cohn weights [gaspari1999] of the points around one, along an axis. */
import type { Taps } from '../../operators/convolution/index.ts';
import { gaspariCohn } from '../../operators/localisation/index.ts';

/**
 * @param halfWidthCells of the weight, above 0
 * @param cells of the axis; a point has each of the others at most once, on a periodic axis by the shorter way round
 */
export function gaspariCohnTaps(halfWidthCells: number, cells: number, periodic: boolean): Taps {
  const reach = Math.ceil(2 * halfWidthCells) - 1;
  const lower = Math.min(reach, periodic ? Math.floor((cells - 1) / 2) : cells - 1);
  const upper = Math.min(reach, periodic ? Math.floor(cells / 2) : cells - 1);
  const taps = Array.from({ length: lower + 1 + upper }, (_, q) => gaspariCohn(Math.abs(q - lower) / halfWidthCells));
  return { taps, lower };
}
