/** The figures of the convolution's paper, typed here a second time: GFLOP/s. */
import { expect, it } from 'vitest';
import { benchmarksOf } from '../../../../engine/index.ts';

const FIGURES: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  'convolution-124x132x130': { 'HD 6970': 101, C2070: 91, 'HD 6970, in blocks': 118, 'C2070, in blocks': 105 },
  'convolution-124x132x130-inverse': { 'HD 6970': 100, C2070: 92 },
  'convolution-1d-124x132x130': { 'HD 6970': 105, C2070: 93, 'HD 6970, in blocks': 121, 'C2070, in blocks': 108 },
  'convolution-1d-124x132x130-inverse': { 'HD 6970': 105, C2070: 92 },
  'convolution-128x126x130': {
    'one CPU core, simple': 0.357,
    'one CPU core, simple, transposed': 0.361,
    'one CPU core, unrolled by 8': 2.23,
    'one CPU core, unrolled by 8, transposed': 2.96,
    'one CPU core, SSE, transposed': 6.52,
  },
  'convolution-1d-1x32x5040': {
    'one CPU core, SSE, 1 × 2': 7.45,
    'one CPU core, SSE, 1 × 4': 8.45,
    'one CPU core, SSE, 2 × 2': 8.03,
    'one CPU core, SSE, 1 × 6': 8.57,
    'one CPU core, SSE, 1 × 8': 8.49,
    'one CPU core, SSE, 2 × 4': 8.43,
    'one CPU core, SSE, 4 × 2': 8.49,
    'one CPU core, SSE, 1 × 10': 8.43,
    'one CPU core, SSE, 1 × 12': 7.77,
    'one CPU core, SSE, 2 × 4, transposed': 6.32,
    'one CPU core, SSE, 4 × 2, transposed': 7.14,
  },
};

it('holds the figures of the paper, each beside its size', () => {
  const found = benchmarksOf(['convolution'], 'papers')
    .filter(({ published }) => published.length > 0)
    .map(({ name, published }) => [
      name,
      Object.fromEntries(published.map(({ hardware, value }) => [hardware, value])),
    ]);
  expect(Object.fromEntries(found)).toEqual(FIGURES);
});
