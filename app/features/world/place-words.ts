/** Where the crosshair is and what is there, in words, for those who cannot see it. */
import { placeText } from '../../document/views/place-text.ts';
import type { GridPoint } from '../../document/views/view-state.ts';
import { cellIndex, isWater } from './brush.ts';
import type { Waters } from './brush.ts';
import type { Gauge } from '../../document/scenario/changes.ts';

/** @returns as in `x 12 m, y 8 m: a gauge of h` */
export function placeWords(waters: Waters, cell: GridPoint, gauges: readonly Gauge[]): string {
  const index = cellIndex(waters, cell);
  const variables = gauges.filter((gauge) => cellIndex(waters, gauge) === index).map(({ variable }) => variable);
  const free = waters.isRing ? 'no gauge' : isWater(waters, cell) ? 'water' : 'land';
  const what = variables.length > 0 ? `a gauge of ${variables.join(' and ')}` : free;
  return `${placeText(waters, cell)}: ${what}`;
}
