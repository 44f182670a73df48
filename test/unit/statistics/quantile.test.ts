import { expect, it } from 'vitest';
import { median, quantile, sortedQuantile } from '../../../engine/statistics/index.ts';

it('is the middle value, or the mean of the two in the middle', () => {
  expect(median([3, 1, 2])).toBe(2);
  expect(median([4, 1, 3, 2])).toBe(2.5);
  expect(median([7])).toBe(7);
});

it('goes in a straight line from one value to the next', () => {
  const values = [40, 10, 20, 30, 50];
  expect([0, 0.25, 0.5, 1].map((share) => quantile(values, share))).toEqual([10, 20, 30, 50]);
  expect(quantile(values, 0.1)).toBeCloseTo(14, 12);
  expect(sortedQuantile(Float32Array.of(10, 20), 0.75)).toBe(17.5);
});

it('takes nothing of an infinite neighbour that counts for nothing', () => {
  expect(quantile([-Infinity, 1, Infinity], 0.5)).toBe(1);
});

it('leaves the values in their order, and refuses none', () => {
  const values = [2, 1];
  expect(median(values)).toBe(1.5);
  expect(values).toEqual([2, 1]);
  expect(() => median([])).toThrow(RangeError);
  expect(() => quantile([], 0.5)).toThrow(RangeError);
});
