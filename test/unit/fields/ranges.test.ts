import { describe, expect, test } from 'vitest';
import { holdRange, joinRanges, measured, rounded, roundUp } from '../../../app/fields/ranges.ts';
import type { Range } from '../../../app/fields/ranges.ts';
import type { FieldScale } from '../../../app/fields/fields.ts';

function rangeOf(values: Float64Array, scale: FieldScale): Range {
  return rounded(measured(values, scale), scale);
}

test.each([
  [0.12, 0.2],
  [0.2, 0.2],
  [4, 5],
  [8.1, 10],
  [0.00031, 0.0005],
])('%s rounds up to %s', (value, expected) => {
  expect(roundUp(value)).toBeCloseTo(expected, 12);
});

describe('ranges', () => {
  test('diverging ones are centred at zero and hold the larger side', () => {
    expect(rangeOf(Float64Array.of(-0.1, 0.02, 0.37), 'diverging')).toEqual({ from: -0.5, to: 0.5 });
  });

  test('land takes no part', () => {
    const range = rangeOf(Float64Array.of(Number.NaN, 1.9, Number.NaN, 0.1), 'sequential');
    expect(range.from).toBe(0);
    expect(range.to).toBeCloseTo(2, 12);
  });

  test('one steep cell in a thousand does not wash out the rest', () => {
    const values = Float64Array.from({ length: 2000 }, (_, n) => 0.1 * Math.sin(n));
    values[7] = 50;
    expect(rangeOf(values, 'diverging').to).toBeLessThanOrEqual(0.2);
  });

  test('a drop does not wash out the waves of the calm water round it', () => {
    const waves = Float64Array.from({ length: 2000 }, (_, n) => 0.03 * Math.sin(n));
    waves.fill(0.4, 0, 40);
    // The drop is 2 % of the field: its root mean square is √(0.02·0.16 + 0.98·0.00045) = 0.06.
    expect(rangeOf(waves, 'diverging')).toEqual({ from: -0.2, to: 0.2 });
  });

  test('a depth that hardly varies does not begin at zero', () => {
    const { from, to } = rangeOf(
      Float64Array.from({ length: 100 }, (_, n) => 230 + 0.02 * n),
      'sequential',
    );
    expect(from).toBeGreaterThan(229);
    expect(from).toBeLessThanOrEqual(230);
    expect(to).toBeGreaterThanOrEqual(231.96);
    expect(to).toBeLessThan(233);
  });

  test.each(['diverging', 'sequential', 'spread'] as const)(
    'a constant or empty %s field has a range all the same',
    (scale) => {
      for (const values of [new Float64Array(0), new Float64Array(5), new Float64Array(5).fill(3)]) {
        const { from, to } = rangeOf(values, scale);
        expect(to).toBeGreaterThan(from);
      }
    },
  );

  test('join holds all', () => {
    expect(joinRanges([])).toBeUndefined();
    expect(
      joinRanges([
        { from: -1, to: 1 },
        { from: 0, to: 4 },
      ]),
    ).toEqual({ from: -1, to: 4 });
  });

  test('are held for a run: they include what is little beyond, grow in steps and never shrink', () => {
    const first = holdRange(undefined, { from: -0.3, to: 0.36 }, 'diverging', 0);
    expect(first).toEqual({ range: { from: -0.5, to: 0.5 }, grownAt: undefined });
    expect(holdRange(first, { from: -0.54, to: 0.1 }, 'diverging', 7)).toBe(first);
    expect(holdRange(first, { from: -0.01, to: 0.01 }, 'diverging', 7)).toBe(first);
    const grown = holdRange(first, { from: -0.6, to: 0.1 }, 'diverging', 12);
    expect(grown).toEqual({ range: { from: -1, to: 1 }, grownAt: 12 });
    expect(holdRange(grown, { from: 0, to: 0.001 }, 'diverging', 40)).toBe(grown);
  });

  test('in the first cycles are still being found: growing is no news then', () => {
    const first = holdRange(undefined, { from: 0, to: 0.01 }, 'spread', -1);
    expect(holdRange(first, { from: 0, to: 0.3 }, 'spread', 1)).toEqual({
      range: { from: 0, to: 0.5 },
      grownAt: undefined,
    });
  });

  test('of a deep basin grow about what they hold', () => {
    const first = holdRange(undefined, { from: 229.5, to: 230.4 }, 'sequential', 0);
    const { range, grownAt } = holdRange(first, { from: 229, to: 233 }, 'sequential', 9);
    expect(range.from).toBeLessThanOrEqual(first.range.from);
    expect(range.to).toBeGreaterThanOrEqual(233);
    expect(range.from).toBeGreaterThan(220);
    expect(grownAt).toBe(9);
  });
});
