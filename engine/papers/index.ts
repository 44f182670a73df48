/**
 * The four papers that Shoal’s kernels come from, and all suites of benchmarks: the papers’ and the program’s own. The tables of a
 * paper have each row with its published figures, beside what was measured of it.
 */
import {
  sizesOf,
  answerBenchmarks,
  compareWithPublished,
  cycleBenchmarks,
  SUITES,
  shallowWaterBenchmarks,
} from '../benchmarks/index.ts';
import type { Benchmark, BenchmarkRow, Extent, PublishedComparison, Sizes, Suite } from '../benchmarks/index.ts';
import { gainCovarianceBenchmarks, gainCovariancePaper, gainOfBasin } from './gain-covariance/index.ts';
import { analysePoint, letkfBenchmarks, letkfPaper } from './letkf/index.ts';
import type { Paper } from './paper.ts';
import { filterSignal, recursiveFilterBenchmarks, recursiveFilterPaper } from './recursive-filter/index.ts';
import {
  convolutionBenchmarks,
  convolutionPasses,
  separableConvolutionPaper,
  tuningSurface,
} from './separable-convolution/index.ts';

export type { Paper } from './paper.ts';
export { filterTimes, type FilterAnswer, type FilterQuestion, type FilterTime } from './recursive-filter/index.ts';
export { axesAfter, quickestPass } from './separable-convolution/index.ts';
export type {
  PassesAnswer,
  PassesQuestion,
  Surface,
  SurfaceAnswer,
  SurfaceQuestion,
} from './separable-convolution/index.ts';
export type { GainAnswer, GainQuestion } from './gain-covariance/index.ts';
export { occupancy, PAPER_CARDS, type PointAnswer, type PointQuestion } from './letkf/index.ts';

export const PAPERS: readonly Paper[] = [
  recursiveFilterPaper,
  separableConvolutionPaper,
  letkfPaper,
  gainCovariancePaper,
];

const BENCHMARKS: Readonly<Record<Suite, Sizes>> = {
  'recursive-filter': recursiveFilterBenchmarks,
  convolution: convolutionBenchmarks,
  letkf: letkfBenchmarks,
  'gain-covariance': gainCovarianceBenchmarks,
  'shallow-water': shallowWaterBenchmarks,
  cycle: cycleBenchmarks,
  answer: answerBenchmarks,
};

/** @returns the benchmarks of these suites, in the order of all suites */
export function benchmarksOf(suites: readonly Suite[], extent: Extent): readonly Benchmark[] {
  return SUITES.filter((suite) => suites.includes(suite)).flatMap((suite) => sizesOf(BENCHMARKS[suite], extent));
}

/** @returns the benchmark of that name, of any size */
export function benchmarkNamed(name: string): Benchmark | undefined {
  return Object.values(BENCHMARKS)
    .flatMap(({ usual, papers, quick }) => [...usual, ...papers, ...quick])
    .find((benchmark) => benchmark.name === name);
}

/** What the figures of the papers ask a backend, by name: each takes plain data and returns plain data; one reports what it knows meanwhile. */
export const PAPER_QUESTIONS = { filterSignal, convolutionPasses, tuningSurface, analysePoint, gainOfBasin } as const;

/** A row of a paper’s table. */
export interface PaperRow {
  /** The benchmark’s name, or that of a variant of it. */
  readonly name: string;
  /** What distinguishes it from the other rows of its table, by its published letter. */
  readonly parameters: BenchmarkRow['parameters'];
  /** What was measured; undefined before. */
  readonly row: BenchmarkRow | undefined;
  /** Every published figure of the row, with its ratio if it was measured. */
  readonly published: readonly PublishedComparison[];
}

/** @returns every published figure of a row, the first that the document names first */
export function publishedOf(row: Pick<BenchmarkRow, 'published' | 'otherPublished'>): readonly PublishedComparison[] {
  return [row.published, ...row.otherPublished].filter((figure) => figure !== null);
}

function measuredRow(row: BenchmarkRow): PaperRow {
  return { name: row.name, parameters: row.parameters, row, published: publishedOf(row) };
}

function unmeasuredRow({ name, parameters = {}, published }: Benchmark): PaperRow {
  const figures = published.map((figure) => compareWithPublished(figure, 0));
  return { name, parameters, row: undefined, published: figures };
}

/** The letters that the rows of a table are sorted by; rows that are equal in all keep their order, as patterns of kernels do. */
const SORTED_BY = ['N', 'n', 'K', 't', 'm'] as const;

function inOrder(a: PaperRow, b: PaperRow): number {
  const apart = (letter: string): number => Number(a.parameters[letter] ?? 0) - Number(b.parameters[letter] ?? 0);
  return SORTED_BY.map(apart).find((difference) => difference !== 0) ?? 0;
}

/**
 * @param benchmarks that measure the tables of a paper
 * @param measured on one backend; rows of other benchmarks are skipped
 * @returns the rows by table, sorted by size: all that can be measured, and of those the variants that were
 */
export function paperTables(
  benchmarks: readonly Benchmark[],
  measured: readonly BenchmarkRow[],
): ReadonlyMap<string, readonly PaperRow[]> {
  const tables = new Map<string, PaperRow[]>();
  const add = (table: string, row: PaperRow): void => {
    tables.set(table, [...(tables.get(table) ?? []), row]);
  };
  for (const benchmark of benchmarks) {
    const { name, suite, table = suite } = benchmark;
    const row = measured.find((one) => one.name === name);
    add(table, row ? measuredRow(row) : unmeasuredRow(benchmark));
    for (const variant of measured) {
      if (variant.variantOf === name) add(variant.table ?? suite, measuredRow(variant));
    }
  }
  return new Map([...tables].map(([table, rows]) => [table, rows.sort(inOrder)]));
}
