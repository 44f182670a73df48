/** Where the highest wave of the truth is, for a camera that follows it. */
import type { BasinInfo, Plane } from '../../engine/index.ts';
import type { ScenePoint } from '../document/views/cameras.ts';
import { isWet } from '../document/views/field-values.ts';
import type { Numbers, PlaneNumbers } from '../document/values/plane-reader.ts';
import { scenePlaces } from './grid-geometry.ts';

/** Cells that are looked at, at most: in larger basins every second, third, … row and column. */
const MOST_CELLS = 2 ** 16;
/** A wave must be higher by this share for each half of the basin's longer side that it is away, to be looked at instead. */
const AWAY = 0.4;
/** Share of the way from the middle of the basin to the wave: at the edge, half of the picture would be empty. */
const HELD = 0.7;

/**
 * @param eta surface, m, nx × ny
 * @param dry depth up to which a cell is dry, m
 * @param near the place that is looked at, which keeps the camera from leaping between crests of one height
 * @returns where the highest water above the level at rest is in the scene; undefined if there is none
 */
export function highestWave(
  eta: PlaneNumbers,
  basin: BasinInfo,
  dry: number,
  near: ScenePoint,
): ScenePoint | undefined {
  const { nx, ny } = basin;
  const stride = Math.max(1, Math.ceil(Math.sqrt((nx * ny) / MOST_CELLS)));
  const placeOf = scenePlaces(basin);
  let [best, most]: [ScenePoint | undefined, number] = [undefined, 0];
  for (let j = 0; j < ny; j += stride) {
    for (let i = 0; i < nx; i += stride) {
      const cell = j * nx + i;
      const height = eta[cell];
      // What is farther away counts less, never more.
      if (!(height > most) || !isWet(basin, cell, height, dry)) continue;
      const { x, z } = placeOf(i, j);
      const worth = height / (1 + AWAY * Math.hypot(x - near.x, z - near.z));
      if (worth > most) [best, most] = [{ x, z }, worth];
    }
  }
  return best;
}

/**
 * Looks for the wave once in each plane: a picture may be drawn many times before the next one comes.
 *
 * @returns where a camera that looks at `near` is to look, by the first of these planes whose numbers are here
 */
export function createWaveWatch(basin: BasinInfo, dry: number) {
  let seen: { readonly plane: Plane; readonly wave: ScenePoint | undefined } | undefined;
  return (planes: readonly Plane[], numbers: Numbers, near: ScenePoint): ScenePoint | undefined => {
    for (const plane of planes) {
      const eta = numbers(plane);
      if (!eta) continue;
      if (seen?.plane !== plane) {
        const wave = highestWave(eta, basin, dry, near);
        seen = { plane, wave: wave && { x: HELD * wave.x, z: HELD * wave.z } };
      }
      return seen.wave;
    }
    return undefined;
  };
}
