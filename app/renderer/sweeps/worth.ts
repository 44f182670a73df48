/** What a measure's values are worth: which of two is better, and the colour that says so. */
import type { SweepMeasure } from '../../../engine/index.ts';
import { dataDomain, needsDecades } from '../charts/plot/scales.ts';
import { colourMap, COLOUR_MAP_SIZE, cssColour, linearOfSrgb } from '../stage/colour-maps.ts';
import type { ColourMapName } from '../stage/fields/field.ts';

type Best = SweepMeasure['best'];
/** Of what can be better or worse. */
export type Goal = Exclude<Best, 'none'>;

/** @returns a number that is the smaller the better a value is */
export function badness(best: Goal, value: number): number {
  if (best === 'least') return value;
  return best === 'most' ? -value : Math.abs(value - best.near);
}

/** @returns `, the least is best`, for legends; empty where nothing is */
export function bestWords(best: Best): string {
  if (best === 'none') return '';
  if (best === 'least') return ', the least is best';
  return best === 'most' ? ', higher is better' : `, closest to ${best.near} is best`;
}

/** From values to colours. */
export interface Shading {
  readonly map: ColourMapName;
  readonly domain: readonly [number, number];
  readonly scale: 'linear' | 'log';
  /** Place of a value in the map, 0 to 1. */
  readonly at: (value: number) => number;
}

/** Of the map's length, what is left out at its dark end, where colours are hardest to tell apart. */
const DARK_END = 0.06;

/**
 * Sequential with the brighter end for the better value; diverging, white where a measure should be, for one that is best near a
 * value; another sequential one for what is neither good nor bad.
 *
 * @param values all that share the colours
 */
export function shadingOf(best: Best, values: readonly number[]): Shading {
  const [low, high] = dataDomain(values, 'linear') ?? [0, 1];
  if (typeof best === 'object') {
    const reach = Math.max(...[low, high].map((end) => Math.abs(end - best.near))) || 1;
    const domain = [best.near - reach, best.near + reach] as const;
    return { map: 'diverging', domain, scale: 'linear', at: (value) => (value - domain[0]) / (2 * reach) };
  }
  const scale = low > 0 && needsDecades(values) ? 'log' : 'linear';
  const place = (value: number): number => (scale === 'log' ? Math.log(value) : value);
  const [from, to] = [place(low), place(high)];
  const share = (value: number): number => (to > from ? (place(value) - from) / (to - from) : 0.5);
  return {
    map: best === 'none' ? 'cividis' : 'viridis',
    domain: [low, high],
    scale,
    at: (value) => DARK_END + (1 - DARK_END) * (best === 'least' ? 1 - share(value) : share(value)),
  };
}

/** @returns number of a colour in its map */
export function colourNumber({ at }: Pick<Shading, 'at'>, value: number): number {
  return Math.round(Math.min(1, Math.max(0, at(value))) * (COLOUR_MAP_SIZE - 1));
}

/** @returns a colour of a map by its number, as CSS */
export function colourOf({ map }: Pick<Shading, 'map'>, number: number): string {
  return cssColour(map, number / (COLOUR_MAP_SIZE - 1));
}

/** Luminance at which black and white stand out equally, by the ratio of WCAG: √(1.05 · 0.05) − 0.05. */
const MIDDLE_LUMINANCE = 0.179;

/** @returns whether dark ink is read better on an sRGB colour (0 to 255) than white */
export function needsDarkInk(red: number, green: number, blue: number): boolean {
  const [r, g, b] = [red, green, blue].map((component) => linearOfSrgb(component / 255));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b > MIDDLE_LUMINANCE;
}

/** @returns the same for a colour of a map by its number */
export function needsDarkInkOn({ map }: Pick<Shading, 'map'>, number: number): boolean {
  const [red, green, blue] = colourMap(map).subarray(4 * number, 4 * number + 3);
  return needsDarkInk(red, green, blue);
}
