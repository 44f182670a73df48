/** The figures of [rf-gpu]. */
import { IN_SECONDS, type PublishedFigure } from '../../benchmarks/index.ts';

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
