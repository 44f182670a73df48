import { expect, it } from 'vitest';
import { squareDomain } from '../../../app/figures/spread-skill.ts';

it('has the same ends of both axes, with room', () => {
  const [from, to] = squareDomain([[{ x: 0.1, y: 0.4 }], [{ x: 0.2, y: Number.NaN }]]) ?? [];
  expect(from).toBe(0);
  expect(to).toBeCloseTo(0.42, 12);
  expect(squareDomain([[]])).toBeUndefined();
  expect(squareDomain([[{ x: 0, y: 0 }]])).toBeUndefined();
});
