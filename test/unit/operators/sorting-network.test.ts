/** The network that the kernels of the CRPS sort by: it sorts everything if it sorts all zeros and ones [knuth1998, 5.3.4 Z]. */
import { expect, it } from 'vitest';
import { sortingNetwork } from '../../../engine/operators/statistics/crps-kernels.ts';
import { randomStream } from '../../../engine/random/stream.ts';

function sorted(values: readonly number[]): readonly number[] {
  const result = [...values];
  for (const [a, b] of sortingNetwork(values.length)) {
    if (result[a] > result[b]) [result[a], result[b]] = [result[b], result[a]];
  }
  return result;
}

it.each([1, 2, 3, 5, 8, 11, 13])('sorts all zeros and ones, %i values', (count) => {
  for (let pattern = 0; pattern < 2 ** count; pattern++) {
    const values = Array.from({ length: count }, (_, bit) => Math.floor(pattern / 2 ** bit) % 2);
    expect(sorted(values)).toEqual(values.toSorted((a, b) => a - b));
  }
});

it.each([24, 31, 32])('sorts %i numbers, some of them equal', (count) => {
  const stream = randomStream(1, 'network');
  for (let round = 0; round < 50; round++) {
    const values = Array.from({ length: count }, () => stream.integer(20));
    expect(sorted(values)).toEqual(values.toSorted((a, b) => a - b));
  }
});

it('compares 191 times to sort 32 values', () => {
  expect(sortingNetwork(32)).toHaveLength(191);
});
