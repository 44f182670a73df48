/** The figures of the convolution's paper, typed here a second time: GFLOP/s, by row. */
import { expect, it } from 'vitest';
import { benchmarksOf, PAPERS } from '../../../../engine/index.ts';

const [II, III] = ['not transposed', 'transposed'].map(
  (how, at) => `Table II${at === 1 ? 'I' : ''}: SSE on one core, 32 columns × 5040, ${how}`,
);

const FIGURES: Readonly<Record<string, Readonly<Record<string, readonly number[]>>>> = {
  'Table I: three axes of 128 × 126 × 130 on one core': {
    simple: [0.357],
    'simple, transposed': [0.361],
    'unrolled by 8': [2.23],
    'unrolled by 8, transposed': [2.96],
    'SSE, transposed': [6.52],
  },
  [II]: {
    '1 × 2': [7.45],
    '1 × 4': [8.45],
    '2 × 2': [8.03],
    '1 × 6': [8.57],
    '1 × 8': [8.49],
    '2 × 4': [8.43],
    '4 × 2': [8.49],
    '1 × 10': [8.43],
    '1 × 12': [7.77],
  },
  [III]: { '2 × 4': [6.32], '4 × 2': [7.14] },
  // HD 6970, then C2070.
  'GPU: one axis of 124 × 132 × 130': { 'magic filter': [105, 93], block: [121, 108], inverse: [105, 92] },
  'GPU: three axes of 124 × 132 × 130': { 'magic filter': [101, 91], block: [118, 105], inverse: [100, 92] },
};

it('holds the figures of the paper, each in its own row', () => {
  const found: Record<string, Record<string, readonly number[]>> = {};
  for (const { table = '', parameters, published } of benchmarksOf(['convolution'], 'papers')) {
    const { kernel } = parameters ?? {};
    if (kernel !== undefined) (found[table] ??= {})[kernel] = published.map(({ value }) => value);
  }
  expect(found).toEqual(FIGURES);
});

it('has the paper’s best of three axes beside the program’s own kernels', () => {
  const [own] = benchmarksOf(['convolution'], 'usual');
  expect(own.published.map(({ value, hardware }) => [hardware, value])).toEqual([
    ['HD 6970, in blocks', 118],
    ['C2070, in blocks', 105],
  ]);
});

/** Three digits of each number. */
const ROUNDING = 0.035;

it('quotes counters and times of the application whose ratios are the published ones', () => {
  const [counters, application] = PAPERS.flatMap(({ quoted = [] }) => quoted);
  for (const [name, cycles, instructions, perCycle] of counters.rows) {
    expect([name, Math.abs(instructions / cycles / perCycle - 1) < ROUNDING]).toEqual([name, true]);
  }
  const [[, alone]] = application.rows;
  for (const [name, seconds, faster] of application.rows) {
    expect([name, Math.abs(alone / seconds / faster - 1) < ROUNDING]).toEqual([name, true]);
  }
  expect(counters.rows.map(([name]) => name)).toEqual(Object.keys(Object.values(FIGURES)[0]));
});
