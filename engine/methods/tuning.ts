/**
 * What a kind of method says of its settings that are worth tuning: which they are, on what scale their values are evenly spread,
 * and where to look first.
 */
import { listWords } from '../settings/index.ts';

/**
 * The scale on which steps of a setting count alike: that of the value itself, or that of the logarithm of its distance from an
 * origin, as inflation is counted from 1.
 */
export type TuningScale = { readonly kind: 'linear' } | { readonly kind: 'log'; readonly origin: number };

export interface TunableSetting {
  /** Inside the method, `localisation.halfWidth`. */
  readonly path: string;
  readonly scale: TuningScale;
  /** The ends of what is tried first, evenly spread on the scale. */
  readonly from: number;
  readonly to: number;
  /** Values tried first, from both ends inclusive; two or more. */
  readonly count: number;
  /** Beyond these, which are themselves allowed, a value means nothing in this scenario, though the schema may take it. */
  readonly least: number;
  readonly most: number;
}

/** All that is worth tuning in a method. */
export interface MethodTuning {
  /** The most sensitive first: by default the first two are tuned. */
  readonly settings: readonly TunableSetting[];
  /** What makes the background's stated error larger, `more inflation`, and smaller; omitted of a method that states none. */
  readonly larger?: string;
  readonly smaller?: string;
}

const LOG: TuningScale = { kind: 'log', origin: 0 };

/** Values of a first look: steps of √2 over a factor of two to both sides for a length, of 2 over four for an amplitude. */
const COUNT = 5;

interface Around {
  readonly path: string;
  /** What the method has now. */
  readonly present: number;
  /** Factor of the distance from the origin, to both sides. */
  readonly factor: number;
  readonly origin?: number;
  readonly least?: number;
  readonly most?: number;
}

/** The sum of two short decimals is one again. */
function withoutNoise(value: number): number {
  return Number(value.toPrecision(12));
}

/** Digits of the ends of what is allowed, where these follow from the basin. */
const DIGITS = 3;

/** @returns what the last digit that is kept of a value counts */
function lastDigitOf(value: number): number {
  return 10 ** (Math.floor(Math.log10(value)) + 1 - DIGITS);
}

/** @returns both ends with readable digits, moved inwards; above 0 */
export function legibleEnds(least: number, most: number): { readonly least: number; readonly most: number } {
  const [below, above] = [lastDigitOf(least), lastDigitOf(most)];
  return {
    least: withoutNoise(Math.ceil(least / below) * below),
    most: withoutNoise(Math.floor(most / above) * above),
  };
}

/** @returns a setting on a logarithmic scale, first tried around its present value, or around the nearest that means something */
export function around({ path, present, factor, origin = 0, least = origin, most = Infinity }: Around): TunableSetting {
  const middle = Math.min(most, Math.max(least, present)) - origin;
  return {
    path,
    scale: origin === 0 ? LOG : { kind: 'log', origin },
    from: Math.max(least, withoutNoise(origin + middle / factor)),
    to: Math.min(most, withoutNoise(origin + middle * factor)),
    count: COUNT,
    least,
    most,
  };
}

/** A share, tried over all of it that does something. @param most inclusive */
export function shareTuning(path: string, most = 1): TunableSetting {
  const step = most / COUNT;
  return { path, scale: { kind: 'linear' }, from: step, to: most, count: COUNT, least: 0, most };
}

/** @returns settings of a section as those of what holds it */
export function inside(section: string, settings: readonly TunableSetting[]): TunableSetting[] {
  return settings.map((each) => ({ ...each, path: `${section}.${each.path}` }));
}

/** @returns `more inflation or relaxation` */
export function wordsOf(comparative: string, sources: readonly string[]): string {
  return `${comparative} ${listWords(sources)}`;
}
