import { describe, expect, it } from 'vitest';
import { randomStream } from '../../../engine/random/stream.ts';
import {
  autocovariances,
  blockLength,
  stationaryBootstrapVariance,
  uncertaintyOfMean,
} from '../../../engine/statistics/block-bootstrap.ts';

/** An autoregression of order one in its stationary state, of mean 0 and with innovations of variance 1. */
function autoregression(count: number, phi: number, index: number): number[] {
  const stream = randomStream(5, 'test.autoregression', index);
  const series = [stream.normal() / Math.sqrt(1 - phi * phi)];
  while (series.length < count) series.push(phi * (series.at(-1) ?? 0) + stream.normal());
  return series;
}

/** Variance of the mean over every sample of the stationary bootstrap, each with its probability. */
function enumerated(series: readonly number[], length: number): number {
  const n = series.length;
  const goesOn = 1 - 1 / length;
  let [first, second] = [0, 0];
  const walk = (drawn: number, last: number, sum: number, probability: number): void => {
    if (drawn === n) {
      first += probability * (sum / n);
      second += probability * (sum / n) ** 2;
      return;
    }
    for (let next = 0; next < n; next++) {
      const follows = drawn > 0 && next === (last + 1) % n;
      const step = drawn === 0 ? 1 / n : (1 - goesOn) / n + (follows ? goesOn : 0);
      walk(drawn + 1, next, sum + series[next], probability * step);
    }
  };
  walk(0, 0, 0, 1);
  return second - first ** 2;
}

describe('autocovariances', () => {
  it('are those of the definition', () => {
    // About the mean 3: −2, −1, 0, 3.
    expect([...autocovariances([1, 2, 3, 6])]).toEqual([14 / 4, 2 / 4, -3 / 4, -6 / 4]);
  });
});

describe('stationaryBootstrapVariance', () => {
  it.each([1, 1.5, 3, 10])('is that of all samples with blocks of mean length %d', (length) => {
    const series = [2, 3, 7, 1, 4];
    const n = series.length;
    expect(stationaryBootstrapVariance(autocovariances(series), n, length) / n).toBeCloseTo(
      enumerated(series, length),
      12,
    );
  });
});

describe('blockLength', () => {
  it('is near the best one of an autoregression: (2φ/(1 − φ²))^⅔ n^⅓', () => {
    const [n, phi, series] = [4000, 0.5, 30];
    const lengths = Array.from({ length: series }, (_, index) =>
      blockLength(autocovariances(autoregression(n, phi, index)), n),
    );
    const mean = lengths.reduce((sum, length) => sum + length, 0) / series;
    const best = ((2 * phi) / (1 - phi * phi)) ** (2 / 3) * Math.cbrt(n);
    // The constant is a ratio of noisy sums: half as long or as long again costs 5 % of the least error.
    expect(mean).toBeGreaterThan(0.7 * best);
    expect(mean).toBeLessThan(1.4 * best);
  });

  it('is short for independent values, and no longer than a third of the series', () => {
    expect(blockLength(autocovariances(autoregression(400, 0, 1)), 400)).toBeLessThan(4);
    const slope = Array.from({ length: 30 }, (_, t) => t);
    expect(blockLength(autocovariances(slope), 30)).toBeLessThanOrEqual(10);
  });
});

describe('uncertaintyOfMean', () => {
  it('of values that are all alike is none', () => {
    expect(uncertaintyOfMean([2, 2, 2, 2])).toMatchObject({ standardError: 0, effectiveSize: 4 });
  });

  it('has the standard error and the effective size of an autoregression', () => {
    const [n, phi, series] = [1000, 0.8, 40];
    const found = Array.from({ length: series }, (_, index) => uncertaintyOfMean(autoregression(n, phi, 100 + index)));
    const ratio = found.reduce((sum, { standardError }) => sum + standardError, 0) / series / (5 / Math.sqrt(n));
    // The variance has n/b ≈ 37 degrees of freedom: its root is known to 1/√74 ≈ 12 % each, and to 1.8 % of 40; four of them, and
    // the 3 % or so that the larger of several estimates is too large by.
    expect(Math.abs(ratio - 1)).toBeLessThan(0.1);
    const size = found.reduce((sum, { effectiveSize }) => sum + effectiveSize, 0) / series;
    expect(Math.abs(size / ((n * (1 - phi)) / (1 + phi)) - 1)).toBeLessThan(0.2);
  });
});
