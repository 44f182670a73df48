/** The strip of a figure of consistency: what is good shaded, the value a mark and its interval a line; in the window and on a page. */
import type { ConsistencyFigure } from '../../engine/index.ts';
import { formatMeasured, formatNumber } from '../format/numbers.ts';

/** How much of a strip is what is good; the rest is half of it to each side. */
const GOOD_SHARE = 0.4;
/** Height of the strip, pixels. */
export const STRIP_HEIGHT = 14;
const MIDDLE = STRIP_HEIGHT / 2;

/** Which end of the strip a value lies beyond. */
export type Beyond = 'low' | 'high';

/** Shares of the strip's length, from 0 to 1. */
export interface StripLayout {
  readonly good: readonly [from: number, to: number];
  /** A value beyond an end is drawn at it. */
  readonly value: number;
  readonly beyond: Beyond | undefined;
  /** Undefined if there is no interval, and where all of it lies beyond. */
  readonly interval: readonly [from: number, to: number] | undefined;
}

function within(place: number): number {
  return Math.min(1, Math.max(0, place));
}

export function layoutStrip(
  { value, interval }: Pick<ConsistencyFigure, 'value' | 'interval'>,
  [low, high]: readonly [number, number],
): StripLayout {
  const first = (1 - GOOD_SHARE) / 2;
  const placeOf = (number: number): number => first + ((number - low) / (high - low)) * GOOD_SHARE;
  const place = placeOf(value);
  const [from, to] = (interval ?? []).map((end) => within(placeOf(end)));
  return {
    good: [first, first + GOOD_SHARE],
    value: within(place),
    beyond: place < 0 ? 'low' : place > 1 ? 'high' : undefined,
    interval: from < to ? [from, to] : undefined,
  };
}

/** @returns a triangle, as points of a polygon about its tip at 0, that points out of the strip's end */
export function beyondMark(beyond: Beyond): string {
  const back = beyond === 'high' ? -8 : 8;
  return `${back},${MIDDLE - 5} 0,${MIDDLE} ${back},${MIDDLE + 5}`;
}

/** @returns what a strip shows, in words: value, interval, what is good, and whether the value lies beyond an end */
export function stripWords(figure: Pick<ConsistencyFigure, 'value' | 'unit' | 'interval' | 'good'>): string {
  const { value, unit, interval, good } = figure;
  const beyond = good && layoutStrip(figure, good).beyond;
  const withUnit = (text: string): string => (unit === '' ? text : `${text}\u00a0${unit}`);
  const parts = [
    withUnit(formatMeasured(value)),
    beyond && `beyond the ${beyond === 'low' ? 'left' : 'right'} end of the strip`,
    interval
      ? `95 % from ${formatMeasured(interval[0])} to ${withUnit(formatMeasured(interval[1]))}`
      : 'no interval yet',
    good && `good from ${formatNumber(good[0])} to ${withUnit(formatNumber(good[1]))}`,
  ];
  return parts.filter((part) => part !== undefined).join('; ');
}
