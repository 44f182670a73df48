import { describe, expect, it } from 'vitest';
import { randomStream } from '../../../engine/random/stream.ts';
import { medianInterval } from '../../../engine/statistics/index.ts';

describe('medianInterval', () => {
  it('ends at the second value from either end of ten, and holds with 1 − 22/1024', () => {
    const values = [10, 3, 7, 1, 9, 5, 2, 8, 4, 6];
    expect(medianInterval(values)).toEqual({ estimate: 5.5, low: 2, high: 9, level: 0.95, coverage: 1 - 22 / 1024 });
  });

  it('says of five values that their range falls short of 95 %, and of six that it does not', () => {
    expect(medianInterval([1, 2, 3, 4, 5])).toEqual({ estimate: 3, low: 1, high: 5, level: 0.95, coverage: 0.9375 });
    expect(medianInterval([1, 2, 3, 4, 5, 6]).coverage).toBe(0.96875);
    expect(medianInterval([1, 2, 3, 4, 5], { level: 0.9 }).coverage).toBe(0.9375);
  });

  it('of one value knows nothing', () => {
    expect(medianInterval([4])).toEqual({ estimate: 4, low: 4, high: 4, level: 0.95, coverage: 0 });
  });

  it.each([5, 6, 10, 23])('holds the median of a skewed distribution as often as it says, of %d values', (count) => {
    const samples = 2000;
    const stream = randomStream(1, 'test.coverage', count);
    let held = 0;
    let coverage = 0;
    for (let sample = 0; sample < samples; sample++) {
      // The median of exp(z) is 1.
      const found = medianInterval(Array.from({ length: count }, () => Math.exp(stream.normal())));
      if (found.low <= 1 && 1 <= found.high) held += 1;
      coverage = found.coverage;
    }
    // A binomial number, four standard deviations either way.
    const deviation = Math.sqrt(samples * coverage * (1 - coverage));
    expect(Math.abs(held - samples * coverage)).toBeLessThan(4 * deviation);
  });
});
