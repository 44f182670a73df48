/**
 * From metres of elevation to height in the scene. The surface moves by centimetres over a bed that may be hundreds of metres
 * below: near the water at rest heights are drawn exaggerated; beyond a knee they are drawn on a slower, still rising scale,
 * so that what lies above in the water lies above on the screen.
 */
import { BASIN_LENGTH, type BasinInfo } from '../../../engine/index.ts';

/** How deep the deepest bed is drawn below the knee, and how high the highest land above it, in the scene's units. */
const DEPTH_DRAWN = 0.16;
const LAND_DRAWN = 0.1;
/** How high the surface's largest departure is drawn with the suggested exaggeration, in the scene's units. */
const AMPLITUDE_DRAWN = 0.16;
/** The same of a ring, whose one line of places leaves room. */
const RING_AMPLITUDE_DRAWN = 0.6;

/** height(z) = near·clamp(z, −knee, knee) + below·min(z + knee, 0) + above·max(z − knee, 0) */
export interface ElevationScale {
  readonly knee: number;
  readonly near: number;
  readonly below: number;
  readonly above: number;
}

/** @returns scene units for a metre along the horizontal */
export function unitsPerMetre(basin: BasinInfo): number {
  return BASIN_LENGTH / Math.max(basin.nx * basin.dx, basin.ny * basin.dy);
}

/** @returns 1, 2 or 5 times a power of ten nearest to `value` (> 0) on a logarithmic scale */
export function nearestStep(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  const scaled = value / power;
  const step = [1, 2, 5, 10].reduce((best, next) =>
    Math.abs(Math.log(next / scaled)) < Math.abs(Math.log(best / scaled)) ? next : best,
  );
  return step * power;
}

/**
 * @param amplitude the largest |η|, m
 * @returns a vertical exaggeration that lets the waves be seen and not tower; 1 for water at rest
 */
export function suggestExaggeration(basin: BasinInfo, amplitude: number): number {
  if (!(amplitude > 0)) return 1;
  const unit = amplitude * unitsPerMetre(basin);
  // A ring has no lengths to compare its heights with, and no step to show.
  return basin.isRing ? RING_AMPLITUDE_DRAWN / unit : nearestStep(AMPLITUDE_DRAWN / unit);
}

/**
 * @param amplitude the largest |η|, m
 * @param reach the largest size of other numbers that lift the surface
 * @returns how many times as high as the waves these are drawn, to be seen as well as they are; 1 where either is 0
 */
export function liftGrowth({ isRing }: Pick<BasinInfo, 'isRing'>, amplitude: number, reach: number): number {
  if (!(amplitude > 0) || !(reach > 0)) return 1;
  // A ring has no step to show.
  return isRing ? amplitude / reach : nearestStep(amplitude / reach);
}

interface BedReach {
  readonly lowest: number;
  readonly highest: number;
}

const reaches = new WeakMap<Float32Array, BedReach>();

/** @returns the deepest and the highest that the bed reaches, m, the water at rest among them; looked for once */
export function bedReach(bed: Float32Array): BedReach {
  let reach = reaches.get(bed);
  if (!reach) {
    let [lowest, highest] = [0, 0];
    for (const elevation of bed) {
      if (elevation < lowest) lowest = elevation;
      if (elevation > highest) highest = elevation;
    }
    reach = { lowest, highest };
    reaches.set(bed, reach);
  }
  return reach;
}

/** @returns the scale for an exaggeration and the largest |η| to be drawn true to it, m */
export function elevationScale(basin: BasinInfo, exaggeration: number, amplitude: number): ElevationScale {
  const near = exaggeration * unitsPerMetre(basin);
  const { lowest, highest } = bedReach(basin.bed);
  const knee = amplitude > 0 ? 1.5 * amplitude : 0.05 / near;
  const slower = (reach: number, drawn: number): number =>
    reach > knee ? Math.min(near, drawn / (reach - knee)) : near;
  return { knee, near, below: slower(-lowest, DEPTH_DRAWN), above: slower(highest, LAND_DRAWN) };
}

/** @returns the height in scene units at which an elevation of z metres is drawn */
export function heightOf(scale: ElevationScale, z: number): number {
  const { knee, near, below, above } = scale;
  return near * Math.min(knee, Math.max(-knee, z)) + below * Math.min(z + knee, 0) + above * Math.max(z - knee, 0);
}

/** How heights are drawn. */
export interface Heights {
  readonly exaggeration: number;
  /** The largest that are drawn true to scale, m. */
  readonly amplitude: number;
  readonly scale: ElevationScale;
}

/** Before there is anything to draw. */
export const LEVEL: Heights = { exaggeration: 1, amplitude: 0, scale: { knee: 1, near: 1, below: 1, above: 1 } };

/** @returns heights of an exaggeration, with the scale that draws them */
export function heightsFor(basin: BasinInfo, exaggeration: number, amplitude: number): Heights {
  return { exaggeration, amplitude, scale: elevationScale(basin, exaggeration, amplitude) };
}
