/** The speed that playing reaches. */
import { expect, it } from 'vitest';
import { measureSpeed, reachedText } from '../../../../app/document/run/player.ts';

it('is measured over the last cycles', () => {
  const { arrived } = measureSpeed();
  expect(arrived(0)).toBeUndefined();
  expect(arrived(500)).toBeUndefined();
  expect(arrived(1000)).toBe(2);
  for (let n = 0; n < 6; n += 1) arrived(2000 + 1000 * n);
  expect(arrived(8000)).toBeCloseTo(1, 9);
});

it('is said only if it falls short of what is wanted', () => {
  expect(reachedText(16, 2.13)).toBe('2.1/s reached');
  expect(reachedText(1, 0.34)).toBe('0.3/s reached');
  expect(reachedText(2, 1.9)).toBeUndefined();
  expect(reachedText(2, undefined)).toBeUndefined();
});
