import { describe, expect, it } from 'vitest';
import { fairCoinTail, logGamma, studentHalfWidth, studentTail } from '../../../engine/statistics/quantile.ts';

describe('logGamma', () => {
  it('is the logarithm of factorials', () => {
    expect(logGamma(1)).toBeCloseTo(0, 12);
    expect(logGamma(5)).toBeCloseTo(Math.log(24), 12);
    expect(logGamma(0.5)).toBeCloseTo(Math.log(Math.sqrt(Math.PI)), 12);
    expect(logGamma(0.25)).toBeCloseTo(Math.log(3.625609908221908), 12);
  });
});

describe('fairCoinTail', () => {
  it('adds up binomial coefficients', () => {
    expect(fairCoinTail(1, 10)).toBeCloseTo(11 / 1024, 15);
    expect(fairCoinTail(10, 10)).toBeCloseTo(1, 14);
  });

  it('holds where 2⁻ⁿ is no longer a number', () => {
    // One half of the outcomes, and half of those in the middle: C(2000, 1000)/2²⁰⁰⁰ = 1/√(1000π) to first order.
    expect(fairCoinTail(1000, 2000)).toBeCloseTo(0.5 + 0.5 / Math.sqrt(1000 * Math.PI), 5);
  });
});

describe('studentHalfWidth', () => {
  it.each([
    [0.95, 1, 12.7062],
    [0.95, 2, 4.30265],
    [0.95, 5, 2.57058],
    [0.95, 10, 2.22814],
    [0.95, 30, 2.04227],
    [0.9, 10, 1.81246],
    [0.99, 4, 4.60409],
    [0.95, 1e4, 1.9602],
  ])('gives tables’ critical value at level %d with %d degrees of freedom', (level, degrees, expected) => {
    // The tables have six digits.
    expect(Math.abs(studentHalfWidth(level, degrees) / expected - 1)).toBeLessThan(3e-6);
  });

  it('leaves beyond it what the level does', () => {
    for (const degrees of [1, 2.5, 7, 300]) {
      expect(studentTail(studentHalfWidth(0.95, degrees), degrees)).toBeCloseTo(0.05, 8);
    }
    // Of one degree it is Cauchy's distribution.
    expect(studentTail(-1, 1)).toBeCloseTo(0.5, 12);
    expect(studentTail(0, 3)).toBe(1);
    expect(studentTail(Infinity, 3)).toBe(0);
  });

  it('lies between its neighbours for degrees that are not whole', () => {
    expect(studentHalfWidth(0.95, 2.5)).toBeLessThan(studentHalfWidth(0.95, 2));
    expect(studentHalfWidth(0.95, 2.5)).toBeGreaterThan(studentHalfWidth(0.95, 3));
  });
});
