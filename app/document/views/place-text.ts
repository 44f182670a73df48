/** Places and distances as people say them. */
import { formatNumber } from '../../format/numbers.ts';
import type { BasinInfo } from '../../../engine/index.ts';
import type { GridPoint } from './view-state.ts';

/** @returns metres as people say them: `200 m`, `50 km` */
export function distanceText(metres: number): string {
  return metres >= 1000 ? `${formatNumber(metres / 1000)} km` : `${formatNumber(metres)} m`;
}

/** @returns where a place is: `x 12 m, y 3 m`; on a ring, whose places are counted from 0, `place 12` */
export function placeText({ dx, dy, isRing }: Pick<BasinInfo, 'dx' | 'dy' | 'isRing'>, { x, y }: GridPoint): string {
  return isRing ? `place ${formatNumber(x)}` : `x ${distanceText(x * dx)}, y ${distanceText(y * dy)}`;
}
