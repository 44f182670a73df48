import { describe, expect, test } from 'vitest';
import { joinRanges, rangeOf, roundUp, steadyRange } from '../../../../app/renderer/stage/ranges.ts';

test.each([
  [0.12, 0.15],
  [0.2, 0.2],
  [7, 8],
  [8.1, 10],
  [0.00031, 0.0004],
])('%s rounds up to %s', (value, expected) => {
  expect(roundUp(value)).toBeCloseTo(expected, 12);
});

describe('ranges', () => {
  test('diverging ones are centred at zero and hold the larger side', () => {
    expect(rangeOf(Float64Array.of(-0.1, 0.02, 0.37), 'diverging')).toEqual({ from: -0.4, to: 0.4 });
  });

  test('land takes no part', () => {
    const range = rangeOf(Float64Array.of(Number.NaN, 1.9, Number.NaN, 0.1), 'sequential');
    expect(range.from).toBe(0);
    expect(range.to).toBeCloseTo(2, 12);
  });

  test('one steep cell in a thousand does not wash out the rest', () => {
    const values = Float64Array.from({ length: 2000 }, (_, n) => 0.1 * Math.sin(n));
    values[7] = 50;
    expect(rangeOf(values, 'diverging').to).toBeLessThan(0.2);
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

  test('hold still while they fit, and follow when they do not', () => {
    const wide = { from: -2, to: 2 };
    expect(steadyRange(undefined, wide)).toBe(wide);
    expect(steadyRange(wide, { from: -1.5, to: 1.5 })).toBe(wide);
    expect(steadyRange(wide, { from: -3, to: 3 })).toEqual({ from: -3, to: 3 });
    expect(steadyRange(wide, { from: -0.5, to: 0.5 })).toEqual({ from: -0.5, to: 0.5 });
  });
});
