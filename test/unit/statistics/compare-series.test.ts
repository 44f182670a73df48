import { describe, expect, it } from 'vitest';
import { randomStream } from '../../../engine/random/stream.ts';
import { compareSeries, exchangeChange } from '../../../engine/statistics/index.ts';
import type { SeriesDifference } from '../../../engine/statistics/index.ts';

/** Errors of two methods over cycles: lognormal about what both find hard, apart by an autoregression; `gain` on the first. */
function errors(count: number, phi: number, index: number, gain = 0): readonly [number[], number[]] {
  const stream = randomStream(9, 'test.errors', index);
  const start = (): number => stream.normal() / Math.sqrt(1 - phi * phi);
  let [one, other] = [start(), start()];
  const pairs = Array.from({ length: count }, () => {
    one = phi * one + stream.normal();
    other = phi * other + stream.normal();
    return [Math.exp(0.1 * one - gain), Math.exp(0.1 * other)] as const;
  });
  return [pairs.map(([a]) => a), pairs.map(([, b]) => b)];
}

function compared(a: readonly number[], b: readonly number[]): SeriesDifference {
  const found = compareSeries(a, b);
  if (!found) throw new Error('there was nothing to compare');
  return found;
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** In how many of equal runs the interval excludes no difference. */
function misses(runs: number, count: number, phi: number): number {
  let missed = 0;
  for (let run = 0; run < runs; run++) {
    const { change } = compared(...errors(count, phi, run + 1));
    if (change.low > 0 || change.high < 0) missed += 1;
  }
  return missed;
}

/** One in ten, and three standard deviations of a binomial number on top: of the 95 % asked for, short series keep 90. */
function oneInTen(runs: number): number {
  return 0.1 * runs + 3 * Math.sqrt(runs * 0.1 * 0.9);
}

describe('compareSeries', () => {
  it('compares the means', () => {
    const [a, b] = errors(60, 0.3, 0, 0.2);
    const found = compared(a, b);
    expect(found.change.estimate).toBeCloseTo(mean(a) / mean(b) - 1, 12);
    expect(found).toMatchObject({ pairs: 60, change: { scale: 'relative' } });
    expect(found.change.high).toBeLessThan(0);
    expect(found.effectiveSize).toBeLessThanOrEqual(60);
    expect(exchangeChange(compared(b, a).change).low).toBeCloseTo(found.change.low, 12);
  });

  it.each([
    [20, 0],
    [40, 0],
    [40, 0.5],
    [40, 0.8],
    [200, 0.5],
    [200, 0.9],
  ])('holds no difference in nine of ten runs of %d cycles with φ = %d, and not in all', (count, phi) => {
    const missed = misses(500, count, phi);
    expect(missed).toBeLessThan(oneInTen(500));
    expect(missed).toBeGreaterThan(0);
  });

  it('names no winner, however clear the difference is', () => {
    expect(compared(...errors(200, 0, 0, 2))).not.toHaveProperty('verdict');
  });

  it('finds no difference between a series and itself', () => {
    const [a] = errors(40, 0.5, 3);
    expect(compared(a, a)).toMatchObject({ ties: 40, change: { estimate: 0, low: 0, high: 0 } });
    expect(
      compared(
        a.map(() => 0),
        a.map(() => 0),
      ),
    ).toMatchObject({ change: { estimate: 0 } });
  });

  it('gives no bounds of two cycles, nothing of none, and refuses what is not paired', () => {
    const { change, wins } = compared([1, 2], [2, 4]);
    expect(wins).toBe(2);
    expect([change.low, change.estimate, change.high]).toEqual([-1, -0.5, Infinity]);
    expect(compareSeries([], [])).toBeUndefined();
    expect(() => compareSeries([1, 2, 3], [1, 2])).toThrow(RangeError);
  });
});
