/** What a method's kind says of how it is tuned. */
import { describe, expect, it } from 'vitest';
import { legibleEnds } from '../../../engine/methods/definition.ts';

describe('ends of what is allowed', () => {
  it.each([
    [0.505, 44.10666060866584, 0.505, 44.1],
    [7575.0001, 336_041.7, 7580, 336_000],
    [0.0012341, 0.99999, 0.00124, 0.999],
    [1, 10, 1, 10],
  ])('of %d and %d are %d and %d', (least, most, legibleLeast, legibleMost) => {
    expect(legibleEnds(least, most)).toEqual({ least: legibleLeast, most: legibleMost });
  });

  it('never leave what was allowed', () => {
    for (let n = 1; n < 2000; n++) {
      const value = n * Math.SQRT2 * 10 ** ((n % 9) - 4);
      const { least, most } = legibleEnds(value, value);
      expect(least).toBeGreaterThanOrEqual(value);
      expect(most).toBeLessThanOrEqual(value);
      expect(least - most).toBeLessThan(0.0101 * value);
    }
  });
});
