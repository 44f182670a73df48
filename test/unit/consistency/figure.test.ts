/** The verdict of a figure: what is good, what is not, and what cannot be said. */
import { describe, expect, it } from 'vitest';
import { figureOf, NEAR_ONE } from '../../../engine/consistency/figure.ts';
import type { ConsistencyFigure, ConsistencyVerdict } from '../../../engine/consistency/figure.ts';

const described = { key: 'k', group: 'ensemble', title: 'A figure', meaning: 'Near 1.' } as const;

type Interval = readonly [low: number, high: number] | undefined;

function verdictOf(value: number, interval: Interval): ConsistencyVerdict | undefined {
  return figureOf({ ...described, good: [0.8, 1.25] }, { value, interval }).at(0)?.verdict;
}

describe('the verdict of a figure', () => {
  it.each([1, 0.1, 9])('is unknown without an interval, whatever the value: %d', (value) => {
    expect(verdictOf(value, undefined)).toBe('unknown');
  });

  it.each<readonly [value: number, interval: Interval, verdict: ConsistencyVerdict]>([
    [1, [0.9, 1.1], 'good'],
    // The value counts where its interval leaves what is good on one side alone.
    [1, [0.5, 1.1], 'good'],
    [1.2, [1, 3], 'good'],
    [1, [0.7, 1.3], 'unknown'],
    [0.7, [0.6, 0.79], 'low'],
    [0.7, [0.6, 0.81], 'unknown'],
    [1.4, [1.26, 1.5], 'high'],
    [1.4, [1.2, 1.5], 'unknown'],
    [Number.POSITIVE_INFINITY, [2, 3], 'unknown'],
  ])('of %d within %j is %s', (value, interval, verdict) => {
    expect(verdictOf(value, interval)).toBe(verdict);
  });

  it('counts the ends of what is good as good', () => {
    expect(verdictOf(0.8, [0.8, 0.9])).toBe('good');
    expect(verdictOf(1.25, [1.2, 1.25])).toBe('good');
  });
});

describe('a figure', () => {
  it('is none if there was nothing to measure', () => {
    expect(figureOf(described, { value: Number.NaN, interval: undefined })).toEqual([]);
  });

  it('is a ratio that should be near 1 unless something else is said', () => {
    const expected: ConsistencyFigure = {
      ...described,
      unit: '',
      value: 1.1,
      interval: [1, 1.2],
      good: NEAR_ONE,
      verdict: 'good',
    };
    expect(figureOf(described, { value: 1.1, interval: [1, 1.2] })).toEqual([expected]);
  });
});
