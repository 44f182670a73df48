/** Intervals of the medians of cells. */
import type { Interval } from './cells.ts';

/** @returns the interval of the median over seeds; null where the values are too few */
export function intervalOf(values: readonly number[]): Interval | null {
  void values;
  return null;
}
