/** The published figures in the code, held to the tables of [rf-gpu] as the paper prints them: seconds. */
import { describe, expect, it } from 'vitest';
import { compareWithPublished } from '../../../../engine/benchmarks/index.ts';
import { benchmarksOf } from '../../../../engine/papers/index.ts';
import {
  PUBLISHED_TEST_1,
  publishedConfiguration,
  publishedOnCpu,
  publishedOnGpu,
} from '../../../../engine/papers/recursive-filter/published.ts';

const LENGTHS = [10_000, 50_000, 100_000];

/** K, then GPU / CPU by N. */
const TABLE_1 = `
10    0.274 / 5.892    3.243 / 129.790  10.219 / 403.871
50    0.483 / 6.293    3.592 / 149.592  11.883 / 518.560
100   0.596 / 8.431    4.711 / 172.197  12.703 / 650.195
500   0.778 / 9.324    5.719 / 195.150  13.177 / 757.912
1000  0.984 / 129.790  6.135 / 223.542  14.297 / 875.442`;

/** Blocks × threads, then seconds by N, for K = 500. */
const TABLE_2 = `
10 x 100   0.77  5.72  13.17
4 x 250    0.59  5.01  11.88
2 x 512    0.41  4.07  10.91
1 x 1024   0.38  3.76  9.68
20 x 100   0.55  6.24  11.57
8 x 250    0.47  4.92  10.71
4 x 512    0.39  3.67  10.42
2 x 1024   0.31  3.10  8.96
30 x 100   0.21  3.24  6.58
12 x 250   0.17  3.12  5.70
6 x 512    0.14  3.02  4.99
3 x 1024   0.12  2.99  4.07`;

/** The same with dynamic parallelism. */
const TABLE_3 = `
10 x 100   0.28  4.64  10.09
4 x 250    0.21  3.86  9.71
2 x 512    0.19  3.60  8.15
1 x 1024   0.13  3.09  6.92`;

function rowsOf(table: string): number[][] {
  const rows = table.trim().split('\n');
  return rows.map((row) => row.match(/[\d.]+/g)?.map(Number) ?? []);
}

const values = (figures: readonly { readonly value: number }[]): number[] => figures.map(({ value }) => value);

describe('published figures of the recursive filter', () => {
  it('are those of Table 1', () => {
    for (const [iterations, ...row] of rowsOf(TABLE_1)) {
      LENGTHS.forEach((length, column) => {
        expect(values(publishedOnGpu(length, iterations))).toEqual([row[2 * column]]);
        expect(values(publishedOnCpu(length, iterations))).toEqual([row[2 * column + 1]]);
      });
    }
    expect(publishedOnGpu(20_000, 10)).toEqual([]);
    expect(publishedOnCpu(10_000, 20)).toEqual([]);
  });

  it('are those of Tables 2 and 3, each with its configuration', () => {
    const expected = [
      ...rowsOf(TABLE_2).map((row) => ({ row, dynamic: '' })),
      ...rowsOf(TABLE_3).map((row) => ({ row, dynamic: ', dynamic parallelism' })),
    ];
    LENGTHS.forEach((length, column) => {
      const configurations = new Set(expected.map(({ row: [groups, threads] }) => `${groups} ${threads}`));
      const found = [...configurations].flatMap((configuration) => {
        const [groups, threads] = configuration.split(' ').map(Number);
        return publishedConfiguration(length, groups, threads).map(({ value, hardware }) => `${hardware}: ${value}`);
      });
      const printed = expected.map(
        ({ row: [groups, threads, ...seconds], dynamic }) =>
          `Titan X, ${groups} × ${threads} threads${dynamic}: ${seconds[column]}`,
      );
      expect(found.toSorted()).toEqual(printed.toSorted());
    });
  });

  it('say of Table 3 what it holds that we do not do', () => {
    const dynamic = [
      [10, 100],
      [4, 250],
    ].flatMap(([groups, threads]) => publishedConfiguration(10_000, groups, threads));
    expect(values(dynamic.filter(({ includes }) => includes?.includes('launches')))).toEqual([0.28, 0.21]);
  });

  it('are those of Test 1', () => {
    expect(values(PUBLISHED_TEST_1)).toEqual([6.93, 7.24]);
  });

  it('give no ratio for the value that is a slip', () => {
    const [slip] = publishedOnCpu(10_000, 1000);
    expect(compareWithPublished(slip, 1)).toMatchObject({ value: 129.79, measured: null, ratio: null });
    expect(slip.includes).toContain('slip');
    const [right] = publishedOnCpu(50_000, 10);
    expect(compareWithPublished(right, 1000).ratio).toBe(129.79);
  });

  it('of the GPU are beside Algorithm 2, of the CPU beside the exact filter', () => {
    for (const { name, published } of benchmarksOf(['recursive-filter'], 'papers')) {
      for (const { hardware } of published) {
        expect([name, hardware.includes('CPU')]).toEqual([name, !/-m\d+$/.test(name)]);
      }
    }
  });
});
