/**
 * What others have published: the figure, the hardware and the source, and how a time of ours reads in the same unit. They
 * are context and not a race: hardware, precision and sometimes the algorithm differ, and each says how.
 */
import type { PublishedComparison } from './document.ts';

/** @param cellSteps cells times steps of one run */
export function publishedShallowWater(cellSteps: number): readonly PublishedFigure[] {
  return [
    {
      value: 979,
      unit: 'Mcell-steps/s',
      largerIsBetter: true,
      hardware: 'P100',
      source: 'gpu-ocean, second-order rotating shallow water, RK2, 1024²',
      measured: (milliseconds) => cellSteps / milliseconds / 1000,
    },
  ];
}

const CONVOLUTION_SOURCE =
  'Génovese et al., separable convolutions of the wavelet code [magic-filter]; a memory copy would allow about 170 GFLOP/s on its GPUs';

type OnHardware = readonly [value: number, hardware: string];
type Direction = 'forward' | 'inverse';

/** The GPUs, at 124 × 132 × 130; `in blocks` filters in blocks. */
const ON_GPU: Readonly<Record<1 | 3, Readonly<Record<Direction, readonly OnHardware[]>>>> = {
  1: {
    forward: [
      [105, 'HD 6970'],
      [93, 'C2070'],
    ],
    inverse: [
      [105, 'HD 6970'],
      [92, 'C2070'],
    ],
  },
  3: {
    forward: [
      [118, 'HD 6970, in blocks'],
      [105, 'C2070, in blocks'],
      [101, 'HD 6970'],
      [91, 'C2070'],
    ],
    inverse: [
      [100, 'HD 6970'],
      [92, 'C2070'],
    ],
  },
};

/** One core at 128 × 126 × 130, along one axis: SSE by patterns of columns × lines, and what came before it. */
const ON_ONE_CORE: readonly OnHardware[] = [
  [8.57, 'SSE, 1 × 6'],
  [8.49, 'SSE, 1 × 8'],
  [8.49, 'SSE, 4 × 2'],
  [8.45, 'SSE, 1 × 4'],
  [8.43, 'SSE, 2 × 4'],
  [8.43, 'SSE, 1 × 10'],
  [8.03, 'SSE, 2 × 2'],
  [7.77, 'SSE, 1 × 12'],
  [7.45, 'SSE, 1 × 2'],
  [7.14, 'SSE, 4 × 2, transposed'],
  [6.52, 'SSE, transposed'],
  [6.32, 'SSE, 2 × 4, transposed'],
  [2.96, 'unrolled by 8, transposed'],
  [2.23, 'unrolled by 8'],
  [0.361, 'simple, transposed'],
  [0.357, 'simple'],
];

function figure([value, hardware]: OnHardware, flops: number, includes: string): PublishedFigure {
  return {
    value,
    hardware,
    unit: 'GFLOP/s',
    largerIsBetter: true,
    source: CONVOLUTION_SOURCE,
    includes,
    measured: (milliseconds: number) => flops / milliseconds / 1e6,
  };
}

/**
 * @param axes along which is filtered
 * @param flops operations of one run
 */
export function publishedOnGpu(axes: 1 | 3, direction: Direction, flops: number): readonly PublishedFigure[] {
  return ON_GPU[axes][direction].map((entry) => figure(entry, flops, 'float64'));
}

/** @param flops operations of one run */
export function publishedOnOneCore(flops: number): readonly PublishedFigure[] {
  return ON_ONE_CORE.map(([value, how]) => figure([value, `one CPU core, ${how}`], flops, 'float64, one axis'));
}

export interface PublishedFigure {
  readonly value: number;
  readonly unit: string;
  readonly hardware: string;
  readonly source: string;
  /** What else it holds than what is timed here. */
  readonly includes?: string;
  /** Whether a larger value is better. */
  readonly largerIsBetter: boolean;
  /** The time of one run of ours in the unit of the figure; undefined where the two cannot be compared. */
  readonly measured: ((milliseconds: number) => number) | undefined;
}

/** What figures in seconds have in common. */
const IN_SECONDS = {
  unit: 's',
  largerIsBetter: false,
  measured: (milliseconds: number) => milliseconds / 1000,
} as const;

/** The unit of a figure that is a ratio to one core of its own machine; ours is the ratio to one thread of `wasm`. */
export const OVER_ONE_CORE = '× one core';

/** @param milliseconds of one run of ours */
export function compareWithPublished(
  { value, unit, hardware, source, includes, largerIsBetter, measured }: PublishedFigure,
  milliseconds: number,
): PublishedComparison {
  const ours = milliseconds > 0 ? (measured?.(milliseconds) ?? null) : null;
  return {
    value,
    unit,
    hardware,
    source,
    includes: includes ?? null,
    measured: ours,
    ratio: ours === null ? null : largerIsBetter ? ours / value : value / ours,
  };
}

const GAIN_SOURCE = 'EnKF gain from a block-Toeplitz taper and a sparse H on GPUs [gain-gpu]';
const WITH_FILES = '1 to 2 s of reading and writing CSV files';

/** What [gain-gpu] has of P_HT with 16384 cells, 64 members and 129 observations. */
export const PUBLISHED_GAIN: readonly PublishedFigure[] = [
  { ...IN_SECONDS, value: 9, hardware: 'GPU, optimised', source: GAIN_SOURCE, includes: WITH_FILES },
  { ...IN_SECONDS, value: 17, hardware: 'CPU, Python', source: GAIN_SOURCE, includes: 'computing only' },
  { ...IN_SECONDS, value: 20, hardware: 'GPU, basic', source: GAIN_SOURCE, includes: WITH_FILES },
  { ...IN_SECONDS, value: 60, hardware: 'CPU, one core', source: GAIN_SOURCE, includes: 'said to be about a minute' },
];

const LETKF_SOURCE = 'LETKF on GPUs over Moler’s water model [letkf-gpu]';

/** The parts: C in three forms, P̃ᵃ from C, and both. */
export const LETKF_PARTS = ['c-naive', 'c-workgroup', 'c-members', 'p', 'c-p'] as const;
export type LetkfPart = (typeof LETKF_PARTS)[number];

type Ratios = readonly [gtx260: number, gtx460: number];

/** If the paper gives no size, its figure is beside both. */
const BOTH_SIZES = { 'c-naive': [15, 93.7], 'c-workgroup': [54, 77.5] } as const satisfies Record<string, Ratios>;

/** By cells a side. */
const RATIOS: Readonly<Record<number, Readonly<Record<LetkfPart, Ratios>>>> = {
  192: { ...BOTH_SIZES, 'c-members': [211.4, 175.4], p: [54.3, 75.1], 'c-p': [72.1, 92.7] },
  256: { ...BOTH_SIZES, 'c-members': [225.8, 181.1], p: [52.5, 80.8], 'c-p': [70.7, 99.6] },
};

function ratio(value: number, hardware: string, includes?: string): PublishedFigure {
  return {
    value,
    unit: OVER_ONE_CORE,
    largerIsBetter: true,
    hardware: `${hardware} over one core of a Q6600`,
    source: LETKF_SOURCE,
    ...(includes !== undefined && { includes }),
    measured: undefined,
  };
}

/** @param n cells a side */
export function publishedPart(n: number, part: LetkfPart): readonly PublishedFigure[] {
  const row = RATIOS[n];
  if (!row) return [];
  const [gtx260, gtx460] = row[part];
  return [ratio(gtx460, 'GTX 460'), ratio(gtx260, 'GTX 260')];
}

/** The nearest that there is to the whole analysis, which the paper left for later. @param n cells a side */
export function publishedAnalysis(n: number): readonly PublishedFigure[] {
  const row = RATIOS[n];
  return row ? [ratio(row['c-p'][1], 'GTX 460', 'C and P̃ᵃ alone, not the whole analysis')] : [];
}

const EIGENPROBLEMS = 16_384;

/** Eigenproblems alone, one a grid point; ours is the whole analysis of as many points. @param points of the grid */
export function publishedEigenproblems(points: number): readonly PublishedFigure[] {
  const one = {
    unit: `ms for ${EIGENPROBLEMS} points`,
    largerIsBetter: false,
    measured: (milliseconds: number) => (milliseconds * EIGENPROBLEMS) / points,
  };
  const what = `${EIGENPROBLEMS} symmetric eigenproblems of order 32 alone`;
  return [
    { ...one, value: 2.75, hardware: 'H100', source: `EigenG-Batched, ${what}` },
    { ...one, value: 14.8, hardware: 'H100', source: `cuSOLVER, ${what}` },
  ];
}

const FILTER_SOURCE = 'K-iterated recursive filters on GPUs with overlapping domain decomposition [rf-gpu]';

/** N: points of the signal. */
export const PUBLISHED_LENGTHS = [10_000, 50_000, 100_000] as const;
/** K: iterations. */
export const PUBLISHED_ITERATIONS = [10, 50, 100, 500, 1000] as const;
/** m: points by which a block is extended on both sides. */
export const PUBLISHED_OVERLAP = 5;

type ByLength = readonly [n10000: number, n50000: number, n100000: number];

/** By iterations, then by length: GPU and one CPU core. */
const TABLE_1: Readonly<Record<number, { readonly gpu: ByLength; readonly cpu: ByLength }>> = {
  10: { gpu: [0.274, 3.243, 10.219], cpu: [5.892, 129.79, 403.871] },
  50: { gpu: [0.483, 3.592, 11.883], cpu: [6.293, 149.592, 518.56] },
  100: { gpu: [0.596, 4.711, 12.703], cpu: [8.431, 172.197, 650.195] },
  500: { gpu: [0.778, 5.719, 13.177], cpu: [9.324, 195.15, 757.912] },
  1000: { gpu: [0.984, 6.135, 14.297], cpu: [129.79, 223.542, 875.442] },
};

interface Configuration {
  readonly blocks: number;
  readonly threads: number;
  readonly seconds: ByLength;
}

function configuration(blocks: number, threads: number, ...seconds: ByLength): Configuration {
  return { blocks, threads, seconds };
}

/** K = 500, by configuration. */
const TABLE_2: readonly Configuration[] = [
  configuration(10, 100, 0.77, 5.72, 13.17),
  configuration(4, 250, 0.59, 5.01, 11.88),
  configuration(2, 512, 0.41, 4.07, 10.91),
  configuration(1, 1024, 0.38, 3.76, 9.68),
  configuration(20, 100, 0.55, 6.24, 11.57),
  configuration(8, 250, 0.47, 4.92, 10.71),
  configuration(4, 512, 0.39, 3.67, 10.42),
  configuration(2, 1024, 0.31, 3.1, 8.96),
  configuration(30, 100, 0.21, 3.24, 6.58),
  configuration(12, 250, 0.17, 3.12, 5.7),
  configuration(6, 512, 0.14, 3.02, 4.99),
  configuration(3, 1024, 0.12, 2.99, 4.07),
];

/** The same with dynamic parallelism. */
const TABLE_3: readonly Configuration[] = [
  configuration(10, 100, 0.28, 4.64, 10.09),
  configuration(4, 250, 0.21, 3.86, 9.71),
  configuration(2, 512, 0.19, 3.6, 8.15),
  configuration(1, 1024, 0.13, 3.09, 6.92),
];

/** t: blocks of Algorithm 2, as many as a configuration has threads in all. */
export const PUBLISHED_BLOCKS: readonly number[] = [
  ...new Set(TABLE_2.map(({ blocks, threads }) => blocks * threads)),
].sort((a, b) => a - b);

function seconds(value: number, hardware: string): PublishedFigure {
  return { ...IN_SECONDS, value, hardware, source: FILTER_SOURCE };
}

function columnOf(length: number): number {
  return PUBLISHED_LENGTHS.findIndex((published) => published === length);
}

/** @returns what Table 1 has of a signal of `length` points and K = `iterations`: GPU, then CPU */
export function publishedTable1(length: number, iterations: number): readonly PublishedFigure[] {
  const row = TABLE_1[iterations];
  const column = columnOf(length);
  if (!row || column < 0) return [];
  return [seconds(row.gpu[column], 'Titan X, 10 × 100 threads'), seconds(row.cpu[column], 'one CPU core')];
}

/** The best of Table 2 at N = 10⁵ and K = 500. */
export const PUBLISHED_BEST: PublishedFigure = seconds(4.07, 'Titan X');

/** @returns what Tables 2 and 3 have of a signal of `length` points, K = 500 and t = `blocks`, best first */
export function publishedConfigurations(length: number, blocks: number): readonly PublishedFigure[] {
  const column = columnOf(length);
  if (column < 0) return [];
  const figures = (table: readonly Configuration[], how: string): PublishedFigure[] =>
    table
      .filter((entry) => entry.blocks * entry.threads === blocks)
      .map((entry) => seconds(entry.seconds[column], `Titan X, ${entry.blocks} × ${entry.threads} threads${how}`));
  return [...figures(TABLE_2, ''), ...figures(TABLE_3, ', dynamic parallelism')].sort((a, b) => a.value - b.value);
}

/** N = 10⁵, K = 10, t = 100. */
export const PUBLISHED_TEST_1: readonly PublishedFigure[] = [
  seconds(6.93, 'Titan X, larger fetch granularity'),
  seconds(7.24, 'Titan X'),
];
