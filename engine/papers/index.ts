/** The four papers that Shoal’s kernels come from, and all suites of benchmarks: the papers’ and the program’s own. */
import { sizesOf, answerBenchmarks, cycleBenchmarks, SUITES, shallowWaterBenchmarks } from '../benchmarks/index.ts';
import type { Benchmark, Extent, Sizes, Suite } from '../benchmarks/index.ts';
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
export { paperTables, publishedOf, type PaperRow } from './tables.ts';
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
