/**
 * Points and scales of an axis from its data: linear or logarithmic, few ticks, where a value is read, and long lines thinned to what
 * the pixels can show.
 */
import { extent, scaleLinear, scaleLog } from 'd3';
import { formatNumber, scientific } from '../format/numbers.ts';

export interface AxisSpec {
  /** `RMSE of h` */
  readonly label: string;
  /** Empty for pure numbers. */
  readonly unit: string;
  readonly scale: 'linear' | 'log';
  /** Fixed ends; from the data if omitted. */
  readonly domain?: readonly [number, number];
  /** Values that the axis always shows, like the 1 of a ratio; not for logarithmic ones unless above 0. */
  readonly include?: readonly number[];
  /** Whole numbers only: cycles, iterations. */
  readonly whole?: boolean;
}

export interface AxisScale {
  /** Pixels of a value. */
  readonly at: (value: number) => number;
  /** Value at a pixel. */
  readonly invert: (pixel: number) => number;
  readonly domain: readonly [number, number];
  readonly ticks: readonly Tick[];
}

interface Tick {
  readonly value: number;
  readonly text: string;
}

/** Pixels between two ticks of a linear axis along x and along y, at least; and in sizes of the type. */
const TICK_DISTANCE = 56;
const TICK_DISTANCE_EM = 5;

/** Width of a digit in the ticks' type, in sizes of the type. */
export const DIGIT = 0.62;
/** Room between two labels along x, and from line to line along y, in sizes of the type. */
const LABEL_GAP = 0.9;
const LINE = 1.5;

/** @returns the lowest and the highest finite value (above 0 for a logarithmic axis), or undefined if there is none */
export function dataDomain(values: Iterable<number>, scale: 'linear' | 'log'): readonly [number, number] | undefined {
  const [low, high] = extent(
    [...values].filter((value) => Number.isFinite(value) && (scale === 'linear' || value > 0)),
  );
  return low === undefined || high === undefined ? undefined : [low, high];
}

/** Ends for data: room where they all are one value; zero included for linear axes of what is never negative. */
function paddedDomain([low, high]: readonly [number, number], scale: 'linear' | 'log'): [number, number] {
  if (scale === 'log') return low === high ? [low / 2, high * 2] : [low, high];
  const from = low > 0 ? 0 : low;
  const to = high < 0 ? 0 : high;
  return from === to ? [from, from + 1] : [from, to];
}

/**
 * @param data all values that the axis must show, where the domain is not fixed
 * @param range pixels of the domain's two ends
 * @param nice ends on round numbers
 * @param em size of the type, pixels: labels keep clear of each other
 */
export function createScale(
  spec: AxisSpec,
  data: Iterable<number>,
  range: readonly [number, number],
  nice: boolean,
  em = 11,
): AxisScale {
  const included = [...data, ...(spec.include ?? [])];
  const domain = spec.domain ?? paddedDomain(dataDomain(included, spec.scale) ?? [0.1, 1], spec.scale);
  const length = Math.abs(range[1] - range[0]);
  const number = Math.max(2, Math.floor(length / Math.max(TICK_DISTANCE, TICK_DISTANCE_EM * em)) + 1);
  return spec.scale === 'log' ? logScale(domain, range, nice, em) : linearScale(spec, domain, range, nice, number);
}

function linearScale(
  { whole = false }: AxisSpec,
  domain: readonly [number, number],
  range: readonly [number, number],
  nice: boolean,
  number: number,
): AxisScale {
  const scale = scaleLinear(domain, range);
  if (nice) scale.nice(number);
  const [from, to] = scale.domain();
  const values = scale.ticks(number).filter((value) => !whole || Number.isInteger(value));
  const format = scale.tickFormat(number, whole ? 'd' : undefined);
  const text = (value: number): string => {
    const size = Math.abs(value);
    return size !== 0 && (size < 1e-3 || size >= 1e5) ? formatNumber(value) : format(value);
  };
  return {
    at: (value) => scale(value),
    invert: (pixel) => scale.invert(pixel),
    domain: [from, to],
    ticks: values.map((value) => ({ value, text: text(value) })),
  };
}

/** Which parts of a decade carry a label, from the most to the fewest, and the smallest distance between them in decades. */
const DECADE_LABELS = [
  { factors: [1, 2, 5], distance: Math.log10(2) },
  { factors: [1], distance: 1 },
] as const;

/** Decades are labelled, with 2 and 5 between them if there is room. What lies outside is not drawn at the edge. */
function logScale(
  domain: readonly [number, number],
  range: readonly [number, number],
  nice: boolean,
  em: number,
): AxisScale {
  const scale = scaleLog(domain, range);
  const decades = Math.log10(domain[1] / domain[0]);
  if (nice && decades > 1) scale.nice();
  const [from, to] = scale.domain();
  const first = Math.floor(Math.log10(from) + 1e-9);
  const last = Math.ceil(Math.log10(to) - 1e-9);
  const decadePixels = Math.abs(range[1] - range[0]) / Math.log10(to / from);
  // One way of writing along the whole axis.
  const asPowers = first < -3 || last > 4;
  const isUpwards = range[1] < range[0];
  /** Pixels that two neighbouring labels need from middle to middle. */
  const pitch = (factors: readonly number[]): number => {
    if (isUpwards) return LINE * em;
    const texts = [first, last].flatMap((exponent) =>
      factors.map((factor) => decadeText(factor * 10 ** exponent, factor, exponent, asPowers)),
    );
    return (DIGIT * Math.max(...texts.map(({ length }) => length)) + LABEL_GAP) * em;
  };
  const chosen = DECADE_LABELS.find(({ factors, distance }) => distance * decadePixels >= pitch(factors));
  const factors = chosen?.factors ?? [1];
  const step = chosen ? 1 : Math.ceil(pitch([1]) / decadePixels);
  const ticks: Tick[] = [];
  for (let exponent = first; exponent <= last; exponent += step) {
    for (const factor of factors) {
      const value = factor * 10 ** exponent;
      if (value < from * (1 - 1e-9) || value > to * (1 + 1e-9)) continue;
      ticks.push({ value, text: decadeText(value, factor, exponent, asPowers) });
    }
  }
  return {
    at: (value) => (value > 0 ? scale(value) : Number.NaN),
    invert: (pixel) => scale.invert(pixel),
    domain: [from, to],
    ticks,
  };
}

function decadeText(value: number, factor: number, exponent: number, asPower: boolean): string {
  if (!asPower) return formatNumber(value);
  return scientific(factor, exponent);
}

/** Whether values spread over so many powers of ten that only a logarithmic axis shows them all. */
export function needsDecades(values: Iterable<number>): boolean {
  const [low, high] = dataDomain(values, 'log') ?? [1, 1];
  return high / low > 30;
}

export interface Point {
  readonly x: number;
  /** Not finite if there is no value: the line has a gap there. */
  readonly y: number;
}

/**
 * @param points by ascending x
 * @param columns of pixels, between the first and the last x
 * @returns the points themselves where they are few; otherwise at most four for each column, in their order
 */
export function decimate<P extends Point>(points: readonly P[], columns: number): readonly P[] {
  if (points.length <= 4 * columns) return points;
  const from = points[0].x;
  const width = (points[points.length - 1].x - from) / columns;
  const kept: P[] = [];
  let start = 0;
  while (start < points.length) {
    const column = Math.min(columns - 1, Math.floor((points[start].x - from) / width));
    let [end, lowest, highest] = [start + 1, start, start];
    for (; end < points.length; end++) {
      if (Math.min(columns - 1, Math.floor((points[end].x - from) / width)) !== column) break;
      if (points[end].y < points[lowest].y) lowest = end;
      if (points[end].y > points[highest].y) highest = end;
    }
    const chosen = [...new Set([start, lowest, highest, end - 1])].sort((a, b) => a - b);
    for (const index of chosen) kept.push(points[index]);
    start = end;
  }
  return kept;
}
