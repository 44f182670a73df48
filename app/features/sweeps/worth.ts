/** What a measure's values are worth: which of two is better, and the colour that says so. */
import type { SweepMeasure } from '../../../engine/index.ts';
import { formatMeasured, formatNumber } from '../../format/numbers.ts';
import { dataDomain, needsDecades } from '../../plot/scales.ts';
import { colourMap, COLOUR_MAP_SIZE, cssColour, linearOfSrgb } from '../../fields/colours.ts';
import type { ColourMapName } from '../../fields/field.ts';

type Best = SweepMeasure['best'];
/** The goals of a measure that can be better or worse. */
export type Goal = Exclude<Best, 'none'>;

/** @returns a number that is the smaller the better a value is */
export function badness(best: Goal, value: number): number {
  if (best === 'least') return value;
  return best === 'most' ? -value : Math.abs(value - best.near);
}

/** @returns `, the least is best`, for legends; empty if nothing is */
export function bestWords(best: Best): string {
  if (best === 'none') return '';
  if (best === 'least') return ', the least is best';
  return best === 'most' ? ', higher is better' : `, closest to ${best.near} is best`;
}

/** From values to colours. */
export interface Shading {
  readonly map: ColourMapName;
  readonly domain: readonly [number, number];
  /** Along the bar of the legend: of the values, or of their distances from the best. */
  readonly scale: 'linear' | 'log' | 'distance';
  /** Place of a value in the map, 0 to 1. */
  readonly at: (value: number) => number;
  /** Value at a share of the bar's length, from the lowest to the highest. */
  readonly valueAt: (share: number) => number;
  /** Values to write beside the bar, the more important ones first; undefined if round numbers will do. */
  readonly marks?: readonly { readonly value: number; readonly text: string }[];
}

/** Share of the map's length that is omitted at its dark end, where colours are hardest to distinguish. */
const DARK_END = 0.06;

/** Up to this share of the best value colours follow the distance from it itself, beyond it the distance's logarithm. */
const NEAR = 0.01;
/** The same as a share of all distances, if the best value is next to 0. */
const LEAST_NEAR = 1e-4;
/** Distances from the best that are written beside the bar, as shares of it. */
const WRITTEN = [0.1, 1, 0.01, 10, 0.03, 0.3, 3, 100];

/**
 * By distance from the best: differences of a per cent near it are seen, and values that are many times as large still differ.
 *
 * @param best an end of the domain
 */
function distanceShading(best: 'least' | 'most', [low, high]: readonly [number, number]): Shading {
  const [top, sign] = best === 'least' ? [low, 1] : [high, -1];
  const reach = high - low || Math.abs(top) || 1;
  const unit = Math.max(NEAR * Math.abs(top), LEAST_NEAR * reach);
  const whole = Math.log1p(reach / unit);
  const share = (value: number): number => Math.log1p(Math.abs(value - top) / unit) / whole;
  const asRatio = best === 'least' && top > 0;
  const between = WRITTEN.filter((part) => part * Math.abs(top) < reach).map((part) => {
    const value = top + sign * part * Math.abs(top);
    return { value, text: asRatio ? `+${Math.round(100 * part)}\u00a0%` : formatNumber(value) };
  });
  const worst = top + sign * reach;
  return {
    map: 'viridis',
    domain: best === 'least' ? [top, worst] : [worst, top],
    scale: 'distance',
    at: (value) => DARK_END + (1 - DARK_END) * (1 - share(value)),
    valueAt: (at) => top + sign * unit * Math.expm1((best === 'least' ? at : 1 - at) * whole),
    marks: [{ value: top, text: formatMeasured(top) }, { value: worst, text: formatMeasured(worst) }, ...between],
  };
}

/**
 * Sequential with the brighter end for the better value; diverging, white where a measure should be, for one that is best near a
 * value; another sequential one for what is neither good nor bad.
 *
 * @param values all that share the colours
 */
export function shadingOf(best: Best, values: readonly number[]): Shading {
  const [low, high] = dataDomain(values, 'linear') ?? [0, 1];
  if (best === 'least' || best === 'most') return distanceShading(best, [low, high]);
  if (typeof best === 'object') {
    const reach = Math.max(...[low, high].map((end) => Math.abs(end - best.near))) || 1;
    const domain = [best.near - reach, best.near + reach] as const;
    const valueAt = (share: number): number => domain[0] + share * 2 * reach;
    return { map: 'diverging', domain, scale: 'linear', at: (value) => (value - domain[0]) / (2 * reach), valueAt };
  }
  const scale = low > 0 && needsDecades(values) ? 'log' : 'linear';
  const [from, to] = padded([low, high]);
  const place = (value: number): number => (scale === 'log' ? Math.log(value) : value);
  const share = (value: number): number => (place(value) - place(from)) / (place(to) - place(from));
  return {
    map: 'cividis',
    domain: [from, to],
    scale,
    at: (value) => DARK_END + (1 - DARK_END) * share(value),
    valueAt: (at) => (scale === 'log' ? from * (to / from) ** at : from + at * (to - from)),
  };
}

/** One value alone has room about it. */
function padded([low, high]: readonly [number, number]): readonly [number, number] {
  const room = low === high ? Math.abs(low) / 2 || 1 : 0;
  return [low - room, high + room];
}

/** @returns number of a colour in its map */
export function colourNumber({ at }: Pick<Shading, 'at'>, value: number): number {
  return Math.round(Math.min(1, Math.max(0, at(value))) * (COLOUR_MAP_SIZE - 1));
}

/** @returns a colour of a map by its number, as CSS */
export function colourOf({ map }: Pick<Shading, 'map'>, number: number): string {
  return cssColour(map, number / (COLOUR_MAP_SIZE - 1));
}

/** Luminance at which black and white have equal contrast, by the ratio of WCAG: √(1.05 · 0.05) − 0.05. */
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
