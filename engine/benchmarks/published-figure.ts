/**
 * A published figure: its value, the hardware and the source, and how a time of ours reads in the same unit. Published figures
 * are context and not a race: hardware, precision and sometimes the algorithm differ, and each says how.
 */
import type { PublishedComparison } from './document.ts';

export interface PublishedFigure {
  readonly value: number;
  readonly unit: string;
  readonly hardware: string;
  readonly source: string;
  /** What else it holds than what is timed here. */
  readonly includes?: string;
  /** Whether a larger value is better. */
  readonly largerIsBetter: boolean;
  /** The time of one run of ours in the unit of the figure; undefined where the two cannot be compared. */
  readonly measured: ((milliseconds: number) => number) | undefined;
}

/** What figures in seconds have in common. */
export const IN_SECONDS = {
  unit: 's',
  largerIsBetter: false,
  measured: (milliseconds: number) => milliseconds / 1000,
} as const;

/** The unit of a figure that is a ratio to one core of its own machine; ours is the ratio to one thread of `wasm`. */
export const OVER_ONE_CORE = '× one core';

/** @param milliseconds of one run of ours */
export function compareWithPublished(
  { value, unit, hardware, source, includes, largerIsBetter, measured }: PublishedFigure,
  milliseconds: number,
): PublishedComparison {
  const ours = milliseconds > 0 ? (measured?.(milliseconds) ?? null) : null;
  return {
    value,
    unit,
    hardware,
    source,
    includes: includes ?? null,
    measured: ours,
    ratio: ours === null ? null : largerIsBetter ? ours / value : value / ours,
  };
}
