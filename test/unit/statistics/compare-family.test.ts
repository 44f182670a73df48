import { describe, expect, it } from 'vitest';
import { randomStream } from '../../../engine/random/stream.ts';
import { compareFamily, fewestSeeds } from '../../../engine/statistics/index.ts';

const FREE_RUN = 3;
const TRIALS = 2000;

/** Values of equal methods over seeds: what a seed makes hard for all, and what each draws for itself; some diverge, some tie. */
function equals(trial: number, methods: number, seeds: number, { ties = 0, diverged = 0 } = {}): (number | null)[][] {
  const stream = randomStream(5, 'test.family', trial);
  const hard = Array.from({ length: seeds }, () => Math.exp(stream.normal()));
  return Array.from({ length: methods }, () =>
    hard.map((level) => {
      const [own, chance] = [Math.exp(0.3 * stream.normal()), stream.uniform()];
      if (chance < diverged) return null;
      return chance > 1 - ties ? level : level * own;
    }),
  );
}

/** Mean error, a seed without one counting as the worst. */
function meanRank(values: readonly (number | null)[]): number {
  return values.reduce<number>((sum, value) => sum + Math.log(value ?? 1e6), 0);
}

/** Whether the method with the least error is named better than any other, each by itself or corrected for all of them. */
function isNamed(values: readonly (readonly (number | null)[])[], isCorrected: boolean): boolean {
  const least = values.map(meanRank).reduce((best, mean, index, all) => (mean < all[best] ? index : best), 0);
  const others = values.map((_, index) => index).filter((index) => index !== least);
  const family = compareFamily(values);
  return others.some((other) => {
    const alone = compareFamily([values[least], values[other]]).between(0, 1);
    const verdict = (isCorrected ? family.between(least, other) : alone)?.verdict;
    return verdict === 'a' || verdict === 'b';
  });
}

function rate(methods: number, seeds: number, isCorrected: boolean, shape = {}): number {
  const trials = Array.from({ length: TRIALS }, (_, trial) => equals(trial, methods, seeds, shape));
  return trials.filter((values) => isNamed(values, isCorrected)).length / TRIALS;
}

/** 5 %, and three standard deviations of the rate over so many trials. */
const ALLOWED = 0.05 + 3 * Math.sqrt((0.05 * 0.95) / TRIALS);

describe('compareFamily', () => {
  it.each([
    [2, 10, {}],
    [3, 10, {}],
    [4, 10, {}],
    [4, 20, {}],
    [4, 20, { diverged: 0.2 }],
    [4, 20, { ties: 0.3 }],
  ])('finds %d equal methods over %d seeds different in at most 5 %% of cases', (methods, seeds, shape) => {
    expect(rate(methods, seeds, true, shape)).toBeLessThanOrEqual(ALLOWED);
  });

  it('is needed: each comparison by itself names the one that happens to be least too often', () => {
    expect(rate(4, 20, false)).toBeGreaterThan(0.1);
  });

  it('names a winner that is better on each of as few seeds as `fewestSeeds` says', () => {
    expect([2, 3, 4, 7].map((methods) => fewestSeeds(methods))).toEqual([6, 7, 8, 10]);
    const better = [1, 1.1, 1.2, 1.3].map((factor) => Array.from({ length: 8 }, (_, seed) => factor + seed));
    expect(compareFamily(better).between(0, 3)?.verdict).toBe('a');
    const fewer = better.map((values) => values.slice(1));
    expect(compareFamily(fewer).between(0, 3)?.verdict).toBe('too-few');
  });

  it('asks less of the last comparison, once all others are decided', () => {
    const seeds = Array.from({ length: 10 }, (_, seed) => 1 + seed);
    const free = seeds.map((value) => FREE_RUN * value);
    const close = seeds.map((value, seed) => value * (seed === 4 ? 0.9 : 1.1));
    const { between, size } = compareFamily([free, close, seeds]);
    expect(size).toBe(3);
    expect(between(2, 1)).toMatchObject({ wins: 9, verdict: 'a' });
    // By itself 9 of 10 seeds has a probability of 0.021, which three undecided comparisons would not allow.
    const third = seeds.map((value, seed) => value * (seed % 2 === 0 ? 1.2 : 0.7));
    expect(compareFamily([third, close, seeds]).between(2, 1)?.verdict).toBe('undecided');
  });

  it('counts methods with the same values as one, and turns comparisons round', () => {
    const seeds = Array.from({ length: 10 }, (_, seed) => 1 + seed);
    const lost = seeds.map((value, seed) => (seed === 0 ? null : 2 * value));
    const { between, size } = compareFamily([seeds, seeds, lost, lost]);
    expect(size).toBe(1);
    expect(between(0, 1)).toMatchObject({ ties: 10, verdict: 'undecided' });
    expect(between(1, 3)).toMatchObject({ verdict: 'a', absent: { a: 0, b: 1 } });
    expect(between(3, 1)).toMatchObject({ verdict: 'b', absent: { a: 1, b: 0 } });
  });
});
