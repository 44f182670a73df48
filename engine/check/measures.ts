/** How cases draw and measure: a number with the bar that it has to pass, error norms over cells, and the order of convergence. */
import { randomStream, type RandomStream } from '../random/stream.ts';

/**
 * The numbers that cases and tests draw: from the engine's own streams, the same for the same stream name and index. No run has
 * streams of these names, so that what a case draws is independent of what it runs.
 */
export function stream(streamName: string, index = 0): RandomStream {
  return randomStream(1, `verification.${streamName}`, index);
}

/** Numbers without structure in [−1, 1), of 24 bits, so that float32 holds them exactly. */
export function noise(length: number, index = 0): Float64Array {
  const draw = stream('noise', index);
  return Float64Array.from({ length }, () => draw.integer(2 ** 24) / 2 ** 23 - 1);
}

/** Standard normal numbers. */
export function normals(length: number, streamName: string, index = 0): Float64Array {
  const draw = stream(streamName, index);
  return Float64Array.from({ length }, () => draw.normal());
}

/** Uniform numbers from low to high. */
export function between(length: number, low: number, high: number, streamName: string): Float64Array {
  const draw = stream(streamName);
  return Float64Array.from({ length }, () => draw.between(low, high));
}

export type Bar =
  | { readonly atMost: number }
  | { readonly atLeast: number }
  | { readonly between: readonly [number, number] };

/** One number that a case measured, with the bar it has to pass. */
export interface Measurement {
  /** What was measured, and at which resolution or time. */
  readonly what: string;
  readonly value: number;
  readonly bar: Bar;
  /** It says that the case could have failed, not how right something is. */
  readonly guard?: boolean;
}

/** False also for NaN. */
export function passes({ value, bar }: Measurement): boolean {
  if ('atMost' in bar) return value <= bar.atMost;
  if ('atLeast' in bar) return value >= bar.atLeast;
  const [least, most] = bar.between;
  return value >= least && value <= most;
}

/** How much of what a bar allows is used: 1 at the bar, more beyond it, Infinity for NaN. */
export function shareOfBar({ value, bar }: Measurement): number {
  const share = (): number => {
    if ('atMost' in bar) return bar.atMost === 0 ? (value === 0 ? 0 : Infinity) : value / bar.atMost;
    if ('atLeast' in bar) return bar.atLeast / value;
    const [least, most] = bar.between;
    return Math.abs(value - (least + most) / 2) / ((most - least) / 2);
  };
  const found = share();
  return Number.isNaN(found) ? Infinity : found;
}

/** A number of a measurement, as tables show it. */
export function shownNumber(value: number): string {
  if (value === 0 || Number.isInteger(value)) return String(value);
  return Math.abs(value) >= 0.1 && Math.abs(value) < 1000 ? value.toFixed(3) : value.toExponential(2);
}

/** `≤ 0.01`. */
export function shownBar(bar: Bar): string {
  if ('atMost' in bar) return `≤ ${shownNumber(bar.atMost)}`;
  if ('atLeast' in bar) return `≥ ${shownNumber(bar.atLeast)}`;
  return bar.between.map(shownNumber).join(' … ');
}

/** Σ|q − q*| / Σ|q*|. */
export function relativeL1(found: Float64Array, exact: Float64Array): number {
  let [error, size] = [0, 0];
  for (let i = 0; i < exact.length; i++) {
    error += Math.abs(found[i] - exact[i]);
    size += Math.abs(exact[i]);
  }
  return error / size;
}

/** √(Σ(q − q*)² / Σq*²). */
export function relativeL2(found: Float64Array, exact: Float64Array): number {
  let [error, size] = [0, 0];
  for (let i = 0; i < exact.length; i++) {
    error += (found[i] - exact[i]) ** 2;
    size += exact[i] ** 2;
  }
  return Math.sqrt(error / size);
}

/** max|q|; NaN if any is. */
export function largest(values: Float64Array): number {
  let most = 0;
  for (const value of values) {
    if (Number.isNaN(value)) return NaN;
    most = Math.max(most, Math.abs(value));
  }
  return most;
}

/**
 * Order of convergence: the median, over neighbouring resolutions, of the slopes of log error against log cells.
 *
 * @param cells cells along a side, rising; at least two
 */
export function order(cells: readonly number[], errors: readonly number[]): number {
  const slopes = errors
    .slice(1)
    .map((error, i) => Math.log(errors[i] / error) / Math.log(cells[i + 1] / cells[i]))
    .sort((a, b) => a - b);
  const middle = (slopes.length - 1) / 2;
  return (slopes[Math.floor(middle)] + slopes[Math.ceil(middle)]) / 2;
}
