/**
 * Methods against each other: what their values are worth, which is best at each combination, and each at its own best setting. A
 * winner is named if a sign test over the seeds, which share truth and observations, names it against every other method, corrected
 * for all pairs of methods.
 */
import { minIndex } from 'd3';
import { compareFamily, describePaired, fewestSeeds, median } from '../../../engine/index.ts';
import type { PairedComparison, SweepMeasure } from '../../../engine/index.ts';
import { formatQuantity, formatMeasured, formatNumber } from '../../format/numbers.ts';
import type { MethodStyle } from '../../document/views/method-style.ts';
import { placeWords, variedAxes, hasRunBySeed, valuesBySeed, type Combination } from './arrangement.ts';
import type { SweepTable } from '../reading/sweep-table.ts';
import { dataDomain, needsDecades } from '../../plot/scales.ts';
import { colourMap, COLOUR_MAP_SIZE, cssColour, linearOfSrgb } from '../../fields/colours.ts';
import type { ColourMapName } from '../../fields/field.ts';

type Best = SweepMeasure['best'];
/** The goals of a measure that can be better or worse. */
type Goal = Exclude<Best, 'none'>;

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

/** A value for each seed, in the order of the sweep's seeds; null if there is none. */
type BySeed = readonly (number | null)[];

/** What a method gave, by its number. */
interface Entry {
  readonly method: number;
  readonly values: BySeed;
  /** Whether a run has an outcome, by seed: one that failed or is still to come says nothing about its method. */
  readonly hasRun: readonly boolean[];
}

/** The best of several methods against one of the others. */
interface Rival {
  readonly method: number;
  readonly comparison: PairedComparison;
}

export interface Contest {
  /** With the best median; a run that diverged is worse than all that did not. Undefined where no method has a value. */
  readonly leader: number | undefined;
  /** All others that have a value, by their number. */
  readonly rivals: readonly Rival[];
  /** `won`: the leader is better than each of the others. */
  readonly verdict: 'won' | 'undecided' | 'too-few' | 'alone' | 'none';
}

/** How bad a method is in the middle of its seeds. */
function middleBadness(values: BySeed, goal: Goal): number {
  if (values.length === 0) return Infinity;
  return median(values.map((value) => (value === null ? Infinity : badness(goal, value))));
}

/** Over the seeds of which every method has an outcome, if only that it diverged. */
function contestOf(entries: readonly Entry[], goal: Goal): Contest {
  const known = entries.filter(({ values }) => values.some((value) => value !== null));
  const present = known.map(({ method, values }) => ({
    method,
    values: values.filter((_, seed) => known.every(({ hasRun }) => hasRun[seed])),
  }));
  const [leader, ...others] = present
    .map((entry) => ({ ...entry, badness: middleBadness(entry.values, goal) }))
    .sort((a, b) => a.badness - b.badness || a.method - b.method);
  if (!leader) return { leader: undefined, rivals: [], verdict: 'none' };
  const { between } = compareFamily(
    [leader, ...others].map(({ values }) => values),
    { goal },
  );
  const rivals = others
    .flatMap(({ method }, index): Rival[] => {
      const comparison = between(0, index + 1);
      return comparison ? [{ method, comparison }] : [];
    })
    .sort((a, b) => a.method - b.method);
  const verdicts = rivals.map(({ comparison }) => comparison.verdict);
  const verdict =
    others.length === 0
      ? 'alone'
      : verdicts.length === others.length && verdicts.every((each) => each === 'a')
        ? 'won'
        : verdicts.length < others.length || verdicts.includes('too-few')
          ? 'too-few'
          : 'undecided';
  return { leader: leader.method, rivals, verdict };
}

/** @returns why methods cannot be compared; empty where they can */
export function whyNoContest({ kind, methods, measures }: SweepTable, measure: number): string {
  if (kind === 'medians')
    return 'A scan keeps medians of one method: there is nothing to compare it with, seed by seed.';
  if (methods.length < 2) return 'Methods are compared here once a sweep has run more than one of them.';
  if (measures[measure].best === 'none')
    return `Of ${measures[measure].title} neither more nor less is better: choose another measure.`;
  return '';
}

/** @returns the comparison of all methods of a sweep at a combination, by a measure that has a better direction */
export function contestAt(table: SweepTable, combination: Combination, measure: number): Contest {
  const { best } = table.measures[measure];
  if (best === 'none') return { leader: undefined, rivals: [], verdict: 'none' };
  const entries = table.methods.map((_, method) => ({
    method,
    values: valuesBySeed(table, combination, { measure, method }),
    hasRun: hasRunBySeed(table, combination, method),
  }));
  return contestOf(entries, best);
}

/** A method at the setting with its best median. */
interface Champion {
  readonly method: number;
  readonly combination: number;
  readonly median: number;
}

/** @returns each method at its own best setting, and how these come out against each other */
export function championsOf(
  table: SweepTable,
  combinations: readonly Combination[],
  measure: number,
): { readonly champions: readonly Champion[]; readonly contest: Contest } | undefined {
  const { best } = table.measures[measure];
  if (best === 'none') return undefined;
  const champions = table.methods.flatMap((_, method): (Champion & Entry)[] => {
    const all = combinations.map((combination) => valuesBySeed(table, combination, { measure, method }));
    const middles = all.map((values) => middleBadness(values, best));
    const combination = minIndex(middles);
    if (!Number.isFinite(middles[combination])) return [];
    const values = all[combination];
    const middle = median(values.filter((value) => value !== null));
    const hasRun = hasRunBySeed(table, combinations[combination], method);
    return [{ method, combination, values, hasRun, median: middle }];
  });
  return { champions, contest: contestOf(champions, best) };
}

/** @returns the axes that a method can depend on: not the settings of others */
function axesOf(table: SweepTable, styles: readonly MethodStyle[], method: number): number[] {
  const entries: unknown = table.scenario['methods'];
  const index = Array.isArray(entries)
    ? entries.findIndex(
        (entry: Readonly<Record<string, unknown>>) => (entry['label'] ?? entry['kind']) === styles[method].label,
      )
    : -1;
  return variedAxes(table).filter((axis) => {
    const owner = /^methods\[(\d+)\]/.exec(table.axes[axis].path)?.[1];
    return owner === undefined || Number(owner) === index;
  });
}

/** @returns `LETKF 0.039 m (Inflation 1.05); 3D-Var 0.055 m.`, and the verdict */
export function championWords(
  table: SweepTable,
  combinations: readonly Combination[],
  { champions, contest }: NonNullable<ReturnType<typeof championsOf>>,
  styles: readonly MethodStyle[],
  unit: string,
): string {
  const each = champions.map(({ method, combination, median: middle }) => {
    const place = placeWords(table, combinations[combination].at, axesOf(table, styles, method));
    return `${styles[method].title} ${formatQuantity(middle, unit)}${place === '' ? '' : ` (${place})`}`;
  });
  if (each.length === 0) return '';
  const outcome = contestLines(contest, styles, unit).join('; ');
  const caution =
    outcome === '' ? '' : ` ${outcome}. The settings were chosen on these seeds: confirm the result on others.`;
  return `Each at its own best setting: ${each.join('; ')}.${caution}`;
}

/** @returns a line for each rival: `LETKF against 3D-Var: LETKF better on 8 of 8 seeds (−12 %, 95 % −18 to −7 %)` */
export function contestLines({ leader, rivals }: Contest, styles: readonly MethodStyle[], unit: string): string[] {
  if (leader === undefined) return [];
  const a = styles[leader].title;
  return rivals.map(({ method, comparison }) => {
    const b = styles[method].title;
    return `${a} against ${b}: ${describePaired(comparison, { a, b }, unit)}`;
  });
}

/** @returns what a cell says: the winner's title, or that there is none */
export function contestWord({ leader, verdict }: Contest, styles: readonly MethodStyle[]): string {
  switch (verdict) {
    case 'won':
    case 'alone':
      return leader === undefined ? '' : styles[leader].title;
    case 'undecided':
      return 'undecided';
    case 'too-few':
      return 'too few';
    case 'none':
      return '–';
    default:
      return verdict satisfies never;
  }
}

/** @returns with how many seeds one of so many methods can be called better; empty for one method */
export function seedsNeeded(methods: number): string {
  if (methods < 2) return '';
  return `With ${methods} methods, a verdict takes ${fewestSeeds(methods)} seeds or more.`;
}

/** @returns the result of a contest in a sentence */
export function verdictWords({ leader, rivals, verdict }: Contest, styles: readonly MethodStyle[]): string {
  const title = leader === undefined ? '' : styles[leader].title;
  switch (verdict) {
    case 'won':
      return `${title} is best.`;
    case 'alone':
      return `Only ${title} has a value.`;
    case 'undecided':
      return `Undecided: ${title} has the best median, but does not differ significantly from all others.`;
    case 'too-few':
      return `Too few seeds: ${title} has the best median. ${seedsNeeded(rivals.length + 1)}`;
    case 'none':
      return 'No method has a value.';
    default:
      return verdict satisfies never;
  }
}
