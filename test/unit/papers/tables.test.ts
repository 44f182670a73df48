import { expect, it } from 'vitest';
import { benchmarksOf, compareWithPublished, paperTables, PAPERS, type BenchmarkRow } from '../../../engine/index.ts';
import { benchmarkRow } from '../../setup/benchmark-document.ts';

const benchmarks = benchmarksOf(['gain-covariance'], 'papers');
const [{ name, published }] = benchmarks;
const figures = published.map((figure) => compareWithPublished(figure, 500));
const row: BenchmarkRow = {
  ...benchmarkRow,
  suite: 'gain-covariance',
  name,
  published: figures[0],
  otherPublished: figures.slice(1),
};

it('has every row and every published figure before anything is measured', () => {
  for (const { suite } of PAPERS) {
    const rows = [...paperTables(benchmarksOf([suite], 'papers'), []).values()].flat();
    expect(rows.map((one) => one.name).sort()).toEqual(
      benchmarksOf([suite], 'papers')
        .map((one) => one.name)
        .sort(),
    );
    expect(rows.some((one) => one.published.length > 1)).toBe(true);
    expect(rows.every((one) => one.published.every(({ ratio }) => ratio === null))).toBe(true);
  }
});

it('sorts rows by size, and keeps the order of those of one size', () => {
  const tables = paperTables(benchmarksOf(['recursive-filter', 'gain-covariance'], 'papers'), []);
  const sizes = (table: string) =>
    tables.get(table)?.map(({ parameters: { N, K, form, t } }) => [N, K, form ?? t].join(' '));
  expect(sizes('recursive filter: Table 1, N × K')?.slice(0, 4)).toEqual([
    '10000 10 quickest',
    '10000 10 sweeps',
    '10000 10 1000',
    '10000 50 quickest',
  ]);
  expect(tables.get('P_HT: from basic to optimised')?.map(({ parameters: { step } }) => step)).toEqual([
    'basic',
    'rows',
    'transposed',
    'one launch',
    'ours',
  ]);
});

it('says of every published figure what it includes', () => {
  const all = PAPERS.flatMap(({ suite }) => benchmarksOf([suite], 'papers').flatMap((one) => one.published));
  expect(all.length).toBeGreaterThan(100);
  expect(all.filter(({ includes = '' }) => includes === '')).toEqual([]);
});

it('has what was measured with all its ratios, and variants in a table of their own', () => {
  const variant = {
    ...row,
    name: `${name}-tiles-4`,
    variantOf: name,
    table: 'variants',
    published: null,
    otherPublished: [],
  };
  const other = { ...row, name: 'letkf-256-k32-l9' };
  const tables = paperTables(benchmarks, [other, variant, row]);
  const found = [...tables.values()].flat().find((one) => one.name === name);
  expect(found?.row).toBe(row);
  expect(found?.published.map(({ value, ratio }) => [value, ratio])).toEqual(
    published.map(({ value }) => [value, value / 0.5]),
  );
  expect(tables.get('variants')?.map((one) => one.name)).toEqual([variant.name]);
  expect([...tables.values()].flat()).toHaveLength(benchmarks.length + 1);
});
