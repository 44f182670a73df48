import { expect, it } from 'vitest';
import { selectInPlace } from '../../../engine/index.ts';
import { randomStream } from '../../../engine/random/stream.ts';

it.each([1, 2, 3, 10, 257])('finds every order statistic of %i numbers, equal ones among them', (length) => {
  const stream = randomStream(7, 'select', length);
  const values = Float64Array.from({ length }, () => Math.round(20 * stream.normal()));
  const sorted = values.toSorted();
  for (let k = 0; k < length; k++) expect(selectInPlace(values.slice(), k)).toBe(sorted[k]);
});

it('leaves the smaller ones before it and the larger ones after it', () => {
  const values = Float64Array.of(5, 1, 4, 2, 3, 9, 7);
  expect(selectInPlace(values, 3)).toBe(4);
  expect(Math.max(...values.subarray(0, 3))).toBeLessThanOrEqual(4);
  expect(Math.min(...values.subarray(4))).toBeGreaterThanOrEqual(4);
});
