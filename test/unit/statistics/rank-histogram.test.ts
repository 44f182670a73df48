import { describe, expect, it } from 'vitest';
import { chiSquareProbability, sumRanks, summariseRanks } from '../../../engine/index.ts';

describe('chiSquareProbability', () => {
  it('has the closed form exp(−x/2) for two degrees of freedom', () => {
    for (const x of [0.1, 1, 5, 30]) expect(chiSquareProbability(x, 2)).toBeCloseTo(Math.exp(-x / 2), 12);
  });

  it('has the closed form exp(−x/2)(1 + x/2) for four', () => {
    for (const x of [0.5, 4, 12, 40])
      expect(chiSquareProbability(x, 4)).toBeCloseTo(Math.exp(-x / 2) * (1 + x / 2), 12);
  });

  it('gives the critical values of tables', () => {
    // Abramowitz and Stegun, table 26.8: χ² with probability 0.05.
    expect(chiSquareProbability(3.84146, 1)).toBeCloseTo(0.05, 5);
    expect(chiSquareProbability(18.307, 10)).toBeCloseTo(0.05, 5);
    expect(chiSquareProbability(124.342, 100)).toBeCloseTo(0.05, 5);
  });

  it('holds for thousands of degrees, where it tends to one half at its middle', () => {
    expect(chiSquareProbability(4096, 4096)).toBeCloseTo(0.5, 2);
  });

  it('is 1 for a perfect fit, and no number without degrees of freedom', () => {
    expect(chiSquareProbability(0, 3)).toBe(1);
    expect(chiSquareProbability(1, 0)).toBeNaN();
  });
});

describe('summariseRanks', () => {
  it('computes χ² by hand', () => {
    const summary = summariseRanks([10, 20, 30]);
    expect(summary.total).toBe(60);
    // (100 + 0 + 100) / 20
    expect(summary.chiSquare).toBeCloseTo(10, 12);
    expect(summary.degrees).toBe(2);
    expect(summary.probability).toBeCloseTo(Math.exp(-5), 12);
  });

  it('names the form', () => {
    expect(summariseRanks([50, 52, 49, 51, 48, 50]).shape).toBe('flat');
    expect(summariseRanks([200, 50, 10, 10, 50, 200]).shape).toBe('u');
    expect(summariseRanks([10, 50, 200, 200, 50, 10]).shape).toBe('dome');
    expect(summariseRanks([200, 150, 100, 50, 20, 5]).shape).toBe('low');
    expect(summariseRanks([5, 20, 50, 100, 150, 200]).shape).toBe('high');
  });

  it('joins ranks into bars that lose no count and expect their share', () => {
    const counts = Array.from({ length: 101 }, (_, rank) => rank % 7);
    const { bins, total } = summariseRanks(counts, 20);
    expect(bins).toHaveLength(20);
    expect(bins.reduce((sum, { count }) => sum + count, 0)).toBe(total);
    expect(bins.reduce((sum, { expected }) => sum + expected, 0)).toBeCloseTo(total, 9);
    expect(bins[0].from).toBe(0);
    expect(bins.at(-1)?.to).toBe(100);
  });

  it('adds histograms by rank, and has no p-value for no counts', () => {
    expect(
      sumRanks([
        [1, 2],
        [3, 4],
      ]),
    ).toEqual([4, 6]);
    expect(sumRanks([])).toEqual([]);
    expect(summariseRanks([0, 0, 0]).probability).toBeNaN();
  });
});
