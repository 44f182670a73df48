/** Benchmarks: what they are, how they are timed, and what is reported of them. */
import { answerBenchmarks, cycleBenchmarks } from './cycle.ts';
import { sizesOf, type Benchmark, type Sizes, type Extent } from './benchmark.ts';
import { convolutionBenchmarks } from './convolution.ts';
import { SUITES, type Suite } from './document.ts';
import { gainCovarianceBenchmarks, letkfBenchmarks } from './letkf.ts';
import { recursiveFilterBenchmarks } from './recursive-filter.ts';
import { shallowWaterBenchmarks } from './shallow-water.ts';

export type { Benchmark, BenchmarkProblem, Workload, Extent } from './benchmark.ts';
export { benchDocumentSchema, SUITES } from './document.ts';
export type { BenchDocument, BenchmarkRow, PublishedComparison, Suite } from './document.ts';
export { driveBenchmarks, benchmarkCeilings, resultOf, runBenchmark, variantsOf } from './run.ts';
export type { BenchBackend, BenchListener, BenchOptions } from './run.ts';
export { measure, type Measurement, type TimeBudget } from './measure.ts';
export { compareWithPublished } from './published.ts';
export { relateRows, largestError, rowOf, type Judgement } from './row.ts';

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
