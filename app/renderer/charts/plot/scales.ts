/** Scales of an axis from its data: linear or logarithmic, few ticks, and where a value is read. */
import { extent, scaleLinear, scaleLog } from 'd3';
import { formatNumber, superscript } from '../numbers.ts';

export interface AxisSpec {
  /** `RMSE of h` */
  readonly label: string;
  /** Empty for pure numbers. */
  readonly unit: string;
  readonly scale: 'linear' | 'log';
  /** Fixed ends; from the data where left out. */
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

export interface Tick {
  readonly value: number;
  readonly text: string;
}

/** Pixels between two ticks along x and along y, at least. */
const TICK_DISTANCE = 56;

/** A decade with as many pixels has labels at 2 and 5 as well. */
const ROOMY_DECADE = 75;

/** @returns the lowest and the highest finite value (above 0 for a logarithmic axis), or undefined where there is none */
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
 */
export function createScale(
  spec: AxisSpec,
  data: Iterable<number>,
  range: readonly [number, number],
  nice: boolean,
): AxisScale {
  const included = [...data, ...(spec.include ?? [])];
  const domain = spec.domain ?? paddedDomain(dataDomain(included, spec.scale) ?? [0.1, 1], spec.scale);
  const length = Math.abs(range[1] - range[0]);
  const number = Math.max(2, Math.floor(length / TICK_DISTANCE) + 1);
  return spec.scale === 'log' ? logScale(domain, range, nice) : linearScale(spec, domain, range, nice, number);
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
  const format = scale.tickFormat(number);
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

/** Decades are labelled, with 2 and 5 between them where there is room. What lies outside is not drawn at the edge. */
function logScale(domain: readonly [number, number], range: readonly [number, number], nice: boolean): AxisScale {
  const scale = scaleLog(domain, range);
  const decades = Math.log10(domain[1] / domain[0]);
  if (nice && decades > 1) scale.nice();
  const [from, to] = scale.domain();
  const first = Math.floor(Math.log10(from) + 1e-9);
  const last = Math.ceil(Math.log10(to) - 1e-9);
  const step = Math.max(1, Math.ceil((last - first) / (Math.abs(range[1] - range[0]) / 28)));
  const decadePixels = Math.abs(range[1] - range[0]) / Math.log10(to / from);
  const factors = decadePixels > ROOMY_DECADE ? [1, 2, 5] : [1];
  // One way of writing along the whole axis.
  const asPowers = first < -3 || last > 4;
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
  return factor === 1 ? `10${superscript(exponent)}` : `${factor}·10${superscript(exponent)}`;
}

/** Whether values spread over so many powers of ten that only a logarithmic axis shows them all. */
export function needsDecades(values: Iterable<number>): boolean {
  const [low, high] = dataDomain(values, 'log') ?? [1, 1];
  return high / low > 30;
}
