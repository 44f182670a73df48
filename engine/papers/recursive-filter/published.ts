/** The figures of [rf-gpu]. */
import { IN_SECONDS, type PublishedFigure } from '../../benchmarks/index.ts';

const FILTER_SOURCE =
  'De Luca, Galletti, Giunta, Marcellino: K-iterated recursive filters with overlapping blocks [rf-gpu]';

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

/** What the times of a GPU hold, and of Table 3 besides. */
const ON_GPU = 'σ = 2, m = 5; whether with copies to the GPU is not known';
const LAUNCHES = 'with kernels that the GPU launches for each iteration, where here one dispatch makes all K';
const ON_CPU = 'σ = 2, the signal undivided';

/** Blocks × threads of Table 2, in its order. */
export const PUBLISHED_CONFIGURATIONS: readonly (readonly [blocks: number, threads: number])[] = TABLE_2.map(
  ({ blocks, threads }) => [blocks, threads],
);

function seconds(value: number, hardware: string, includes: string): PublishedFigure {
  return { ...IN_SECONDS, value, hardware, source: FILTER_SOURCE, includes };
}

function columnOf(length: number): number {
  return PUBLISHED_LENGTHS.findIndex((published) => published === length);
}

/** @returns what Table 1 has of Algorithm 2 on a GPU, with t = 1000 blocks; nothing for other sizes */
export function publishedOnGpu(length: number, iterations: number): readonly PublishedFigure[] {
  const found = TABLE_1[iterations]?.gpu[columnOf(length)];
  return found === undefined ? [] : [seconds(found, 'Titan X, 10 × 100 threads', ON_GPU)];
}

/** @returns what Table 1 has of the filter on a CPU; nothing for other sizes */
export function publishedOnCpu(length: number, iterations: number): readonly PublishedFigure[] {
  const found = TABLE_1[iterations]?.cpu[columnOf(length)];
  if (found === undefined) return [];
  const figure = seconds(found, 'one CPU core', ON_CPU);
  return length === 10_000 && iterations === 1000 ? [{ ...figure, includes: SLIP, measured: undefined }] : [figure];
}

/** Why a value that fits neither its row nor its column has no ratio. */
const SLIP = 'probably a slip of the paper: it is the value of K = 10, N = 50 000';

/** t of Table 1, and of Figure 1. */
export const PUBLISHED_TABLE_1_BLOCKS = 1000;
export const PUBLISHED_FIGURE_1_BLOCKS = 3 * 1024;

/** @returns what Tables 2 and 3 have of a signal of `length` points, K = 500 and a configuration, best first */
export function publishedConfiguration(length: number, blocks: number, threads: number): readonly PublishedFigure[] {
  const column = columnOf(length);
  if (column < 0) return [];
  const figures = (table: readonly Configuration[], how = '', includes = ON_GPU): PublishedFigure[] =>
    table
      .filter((entry) => entry.blocks === blocks && entry.threads === threads)
      .map((entry) => seconds(entry.seconds[column], `Titan X, ${blocks} × ${threads} threads${how}`, includes));
  return [...figures(TABLE_2), ...figures(TABLE_3, ', dynamic parallelism', `${ON_GPU}; ${LAUNCHES}`)].sort(
    (a, b) => a.value - b.value,
  );
}

/** N = 10⁵, K = 10, t = 100. */
export const PUBLISHED_TEST_1: readonly PublishedFigure[] = [
  seconds(6.93, 'Titan X, larger fetch granularity', ON_GPU),
  seconds(7.24, 'Titan X', ON_GPU),
];
