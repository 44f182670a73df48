/** Ranges of colour scales: from the values, centred where the scale diverges, rounded to numbers that a colour bar can carry. */
import { selectInPlace } from '../../engine/index.ts';
import type { FieldScale } from './fields.ts';

export interface Range {
  readonly from: number;
  readonly to: number;
}

/** The share of values that may lie beyond an automatic range, so that one steep cell does not wash out the rest. */
const BEYOND = 0.01;
/**
 * Root mean squares of a diverging field to which its range reaches at most: where values are Gaussian as many lie beyond it as
 * beyond the share above, and where all is calm but for one drop its waves are still seen.
 */
const ROOT_MEAN_SQUARES = 2.5;

/** @returns the smallest number 1, 2 or 5 times a power of ten that is not below `value` (> 0) */
export function roundUp(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  for (const step of [1, 2, 5]) {
    // Values are float32: what is a step but for its rounding is that step.
    if (value <= step * power * (1 + 1e-6)) return Number((step * power).toPrecision(12));
  }
  return Number((10 * power).toPrecision(12));
}

/** @returns values that bound the share from `low` to `high`. @param finite at least one number; it is reordered */
function quantiles(finite: Float64Array, low: number, high: number): Range {
  const at = (share: number): number => selectInPlace(finite, Math.round(share * (finite.length - 1)));
  return { from: at(low), to: at(high) };
}

export function rootMeanSquare(finite: Float32Array | Float64Array): number {
  let sum = 0;
  for (const value of finite) sum += value * value;
  return Math.sqrt(sum / finite.length);
}

/** @returns the largest size of a value; 0 if there are none */
export function largestOf(values: Float32Array | Float64Array): number {
  let largest = 0;
  for (const value of values) largest = Math.max(largest, Math.abs(value));
  return largest;
}

function finiteOf(values: Float64Array): Float64Array {
  const finite = new Float64Array(values.length);
  let count = 0;
  for (const value of values) if (Number.isFinite(value)) finite[count++] = value;
  return finite.subarray(0, count);
}

/** @returns the range of the values but for the few that may be beyond, not rounded; undefined if there are none */
export function measured(values: Float64Array, scale: FieldScale): Range | undefined {
  const finite = finiteOf(values);
  if (finite.length === 0) return undefined;
  if (scale !== 'diverging') return quantiles(finite, 0, 1 - BEYOND);
  // Summed in the order of the cells, before the quantiles change it.
  const reach = ROOT_MEAN_SQUARES * rootMeanSquare(finite);
  const { from, to } = quantiles(finite, BEYOND / 2, 1 - BEYOND / 2);
  return { from: Math.max(from, -reach), to: Math.min(to, reach) };
}

/**
 * @returns that range as a scale of this kind takes it: centred at 0 when diverging; from 0 when it is a spread, or when its low
 * end is below half its high one; an interval keeps both its ends; never empty
 */
export function rounded(found: Range | undefined, scale: FieldScale): Range {
  if (!found) return scale === 'diverging' ? { from: -1, to: 1 } : { from: 0, to: 1 };
  if (scale === 'diverging') {
    const reach = Math.max(Math.abs(found.from), Math.abs(found.to));
    const end = reach > 0 ? roundUp(reach) : 1;
    return { from: -end, to: end };
  }
  const size = Math.max(Math.abs(found.from), Math.abs(found.to));
  const fromZero = scale === 'spread' || (scale !== 'interval' && found.from < 0.5 * found.to);
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

/** A range that was fixed, and the cycle at which it last had to grow; undefined while it is as it began. */
export interface HeldRange {
  readonly range: Range;
  readonly grownAt: number | undefined;
}

/** What lies beyond a held range by less than this share of it is left there. */
const TOLERANCE = 0.1;
/** Cycles in which a range is found: growing there is no news. */
const FINDING = 2;

/**
 * Holds a range for a run: colours and heights that change their meaning say nothing. It grows in steps of 1, 2 and 5 where it
 * must, and never shrinks.
 *
 * @param found what is to be shown, not rounded
 */
export function holdRange(held: HeldRange | undefined, found: Range, scale: FieldScale, cycle: number): HeldRange {
  if (!held) return { range: rounded(found, scale), grownAt: undefined };
  const { range } = held;
  const slack = TOLERANCE * (range.to - range.from) * (scale === 'diverging' ? 0.5 : 1);
  if (found.from >= range.from - slack && found.to <= range.to + slack) return held;
  const joined = joinRanges([range, found]) ?? found;
  return { range: rounded(joined, scale), grownAt: cycle > FINDING ? cycle : held.grownAt };
}
