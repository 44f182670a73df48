import { describe, expect, it } from 'vitest';
import { createCycleSeries, geometricMean, pairSeries } from '../../../engine/output/cycle-series.ts';
import type { CycleValues } from '../../../engine/output/cycle-series.ts';

/** A series in which the value of each cycle is its number. */
function counted(from: number, to: number, most: number): CycleValues {
  const series = createCycleSeries(most);
  for (let cycle = from; cycle < to; cycle++) series.add(cycle, cycle);
  return series.kept;
}

/** The mean of the numbers of a stretch. */
function middle({ stride, first }: CycleValues, index: number): number {
  return (first + index) * stride + (stride - 1) / 2;
}

describe('createCycleSeries', () => {
  it('keeps each cycle while there is room', () => {
    expect(counted(3, 7, 8)).toEqual({ stride: 1, first: 3, values: [3, 4, 5, 6] });
  });

  it.each([
    [0, 9],
    [0, 100],
    [5, 100],
    [7, 1000],
    [1, 18],
  ])('keeps means of equal stretches of cycles %d to %d, and never too many', (from, to) => {
    const most = 8;
    for (let end = from + 1; end <= to; end++) {
      const kept = counted(from, end, most);
      expect(kept.values.length).toBeLessThanOrEqual(most);
      expect(kept.values).toEqual(kept.values.map((_, index) => middle(kept, index)));
      // But for the part of a stretch at either end, all cycles are there; a stretch is no longer than it needs to be.
      expect(kept.first * kept.stride - from).toBeLessThan(kept.stride);
      expect(end - (kept.first + kept.values.length) * kept.stride).toBeLessThan(kept.stride);
      expect(kept.stride).toBeLessThanOrEqual(Math.max(1, (4 * (end - from)) / most));
    }
  });

  it('begins again after a gap', () => {
    const series = createCycleSeries();
    for (const cycle of [0, 1, 2, 9, 10]) series.add(cycle, cycle);
    expect(series.kept).toEqual({ stride: 1, first: 9, values: [9, 10] });
  });
});

describe('pairSeries', () => {
  it('pairs the cycles that both have, whatever stretches they are kept in', () => {
    const [long, late] = [counted(0, 100, 8), counted(37, 90, 64)];
    expect(long.stride).toBeGreaterThan(late.stride);
    for (const { a, b, stride } of [pairSeries(long, late), pairSeries(late, long)]) {
      expect(stride).toBe(long.stride);
      expect(a).toEqual(b);
      expect(a.length).toBe(Math.floor(90 / stride) - Math.ceil(37 / stride));
    }
  });

  it('has none where they have no cycle in common', () => {
    expect(pairSeries(counted(0, 5, 8), counted(6, 9, 8))).toEqual({ a: [], b: [], stride: 1 });
  });
});

function of(...values: number[]): CycleValues {
  return { stride: 1, first: 2, values };
}

it('takes the geometric mean value by value', () => {
  expect(geometricMean([of(4, 9), of(9, 16)])).toEqual(of(6, 12));
  expect(geometricMean([of(4, 9)])).toEqual(of(4, 9));
  expect(geometricMean([])).toBeUndefined();
});
