import { expect, it } from 'vitest';
import { overStretches, stretchOf } from '../../../../app/report/sections/figures.ts';

it('leaves a short series as it is, and has few points of a long one', () => {
  expect(stretchOf(240)).toBe(1);
  expect(stretchOf(1400)).toBe(6);
  const points = [{ x: 0, y: 3 }];
  expect(overStretches(points, 1)).toBe(points);
});

it('takes means over stretches at their middles, without what is not finite', () => {
  const points = [1, 3, Number.NaN, 5, 7].map((y, x) => ({ x, y }));
  expect(overStretches(points, 2)).toEqual([
    { x: 0.5, y: 2 },
    { x: 2.5, y: 5 },
    { x: 4, y: 7 },
  ]);
});
