/** Ranges of colour scales: from the values, centred where the scale diverges, rounded to numbers that a colour bar can carry. */
import type { FieldScale } from '../state/fields.ts';

export interface Range {
  readonly from: number;
  readonly to: number;
}

/** The share of values that may lie beyond an automatic range, so that one steep cell does not wash out the rest. */
const BEYOND = 0.01;

/** @returns the smallest number 1, 1.5, 2, 3, 4, 5, 6 or 8 times a power of ten that is not below `value` (> 0) */
export function roundUp(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  for (const step of [1, 1.5, 2, 3, 4, 5, 6, 8]) {
    // Values are float32: what is a step but for its rounding is that step.
    if (value <= step * power * (1 + 1e-6)) return Number((step * power).toPrecision(12));
  }
  return Number((10 * power).toPrecision(12));
}

/** @returns that quantile of the finite values, or undefined where there are none */
function quantiles(values: Float64Array, low: number, high: number): Range | undefined {
  const sorted = values.filter(Number.isFinite).sort();
  if (sorted.length === 0) return undefined;
  const at = (share: number): number => sorted[Math.round(share * (sorted.length - 1))] ?? 0;
  return { from: at(low), to: at(high) };
}

/**
 * @param values of one view; NaN takes no part
 * @returns a range for them: centred at 0 when diverging, from 0 when a spread, from the least to the greatest when sequential;
 * never empty
 */
export function rangeOf(values: Float64Array, scale: FieldScale): Range {
  const found = quantiles(
    values,
    scale === 'diverging' ? BEYOND / 2 : 0,
    scale === 'diverging' ? 1 - BEYOND / 2 : 1 - BEYOND,
  );
  if (!found) return scale === 'diverging' ? { from: -1, to: 1 } : { from: 0, to: 1 };
  if (scale === 'diverging') {
    const reach = Math.max(Math.abs(found.from), Math.abs(found.to));
    const end = reach > 0 ? roundUp(reach) : 1;
    return { from: -end, to: end };
  }
  const size = Math.max(Math.abs(found.from), Math.abs(found.to));
  const fromZero = scale === 'spread' || found.from < 0.5 * found.to;
  if (fromZero || size === 0) return { from: 0, to: found.to > 0 ? roundUp(found.to) : 1 };
  const step = roundUp(Math.max(found.to - found.from, 1e-3 * size)) / 5;
  const first = Math.floor(found.from / step);
  return { from: first * step, to: Math.max(first + 1, Math.ceil(found.to / step)) * step };
}

/** @returns the range that holds all of them */
export function joinRanges(ranges: readonly Range[]): Range | undefined {
  if (ranges.length === 0) return undefined;
  return {
    from: Math.min(...ranges.map((range) => range.from)),
    to: Math.max(...ranges.map((range) => range.to)),
  };
}

/** How far a range may be wider than needed before an automatic one shrinks: colours that flicker each cycle say nothing. */
const SLACK = 2;

/** @returns `next`, or `previous` while it still holds `next` and is not much too wide */
export function steadyRange(previous: Range | undefined, next: Range): Range {
  if (!previous) return next;
  const holds = previous.from <= next.from && previous.to >= next.to;
  const width = previous.to - previous.from;
  return holds && width <= SLACK * (next.to - next.from) ? previous : next;
}
