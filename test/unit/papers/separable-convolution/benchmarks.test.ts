/** The magic filter, and the rows that are timed with it. */
import { describe, expect, it } from 'vitest';
import { benchmarksOf, largestError, resultOf } from '../../../../engine/index.ts';
import { INVERSE_MAGIC_FILTER, MAGIC_FILTER } from '../../../../engine/papers/separable-convolution/benchmarks.ts';
import { backends } from '../../../setup/backends.ts';

describe('the magic filter', () => {
  it('has sixteen taps from −7 to 8 that sum to 1, and its transpose those from −8 to 7', () => {
    expect(MAGIC_FILTER.taps).toHaveLength(16);
    expect(MAGIC_FILTER.lower).toBe(7);
    // Seventeen digits of each as they were published, so that the sum is right to as many roundings as there are taps.
    expect(MAGIC_FILTER.taps.reduce((sum, tap) => sum + tap, 0)).toBeCloseTo(1, 14);
    expect(INVERSE_MAGIC_FILTER.taps).toEqual(MAGIC_FILTER.taps.toReversed());
    expect(INVERSE_MAGIC_FILTER.lower).toBe(8);
    // The tap at offset 0.
    expect(MAGIC_FILTER.taps[MAGIC_FILTER.lower]).toBe(0.9940415697834004);
  });
});

describe.each(backends)('the quick rows on $name', ({ name, open }) => {
  it('have the same result in every kernel, forward and back each', async () => {
    const backend = await open();
    const rows = benchmarksOf(['convolution'], 'quick').filter(
      ({ parameters }) => parameters?.['kernel'] !== undefined,
    );
    const results = await Promise.all(rows.map((row) => resultOf(backend, row)));
    const ofAxes = (axes: number, isInverse: boolean) =>
      results.filter((_, at) => rows[at].name.includes(`${axes}d`) && rows[at].name.endsWith('inverse') === isInverse);
    // Along three axes each sum has 16 terms, weights below 1.3 in size; along one the results are transposed alike.
    const rounding = 3 * 17 * 1.3 ** 3 * (name === 'webgpu' ? 6e-8 : 1.2e-16);
    for (const group of [ofAxes(3, false), ofAxes(1, false), ofAxes(1, true)]) {
      expect(group.length).toBeGreaterThan(0);
      for (const result of group) expect(largestError(result, group[0])).toBeLessThanOrEqual(rounding);
    }
    backend.dispose();
  });

  it('say in the papers’ tables how they differ from the paper', async () => {
    const backend = await open();
    const notesOf = (table: string): string =>
      benchmarksOf(['convolution'], 'papers')
        .find((row) => row.table?.includes(table))
        ?.notes?.(backend)
        .join('; ') ?? 'no row';
    const isShared = name === 'wasm' && backend.threads !== 1;
    expect([notesOf('Table II'), notesOf('GPU')].map((text) => text.includes('one thread'))).toEqual([
      isShared,
      isShared,
    ]);
    expect([notesOf('Table II'), notesOf('GPU')].map((text) => text.includes('in place of the GPU'))).toEqual([
      false,
      name === 'wasm',
    ]);
    backend.dispose();
  });
});
