/** Benchmarks: what they are, how they are timed, and what is reported of them. */
import { answerBenchmarks } from './answer.ts';
import type { Benchmark } from './benchmark.ts';
import { convolutionBenchmarks } from './convolution.ts';
import { cycleBenchmarks } from './cycle.ts';
import { SUITES } from './document.ts';
import type { Suite } from './document.ts';
import { gainCovarianceBenchmarks } from './gain-covariance.ts';
import { letkfBenchmarks } from './letkf.ts';
import { recursiveFilterBenchmarks } from './recursive-filter.ts';
import { shallowWaterBenchmarks } from './shallow-water.ts';
import type { Sizes } from './sizes.ts';
import { sizesOf } from './sizes.ts';
import type { Extent } from './sizes.ts';

export type { Benchmark, BenchmarkProblem, Workload } from './benchmark.ts';
export { benchDocumentSchema, SUITES } from './document.ts';
export type { BenchDocument, BenchmarkRow, PublishedComparison, Suite } from './document.ts';
export { driveBenchmarks } from './drive.ts';
export type { BenchBackend, BenchListener, BenchOptions } from './drive.ts';
export { measure } from './measure.ts';
export type { Measurement, TimeBudget } from './measure.ts';
export { compareWithPublished } from './published/index.ts';
export { relateRows } from './relations.ts';
export { largestError, rowOf } from './row.ts';
export type { Judgement, Judgements } from './row.ts';
export { benchmarkCeilings, resultOf, runBenchmark } from './run.ts';
export type { BenchmarkCeilings } from './run.ts';
export type { Extent } from './sizes.ts';
export { variantsOf } from './variants.ts';

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
