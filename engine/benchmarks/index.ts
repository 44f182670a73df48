/** How benchmarks are described, timed and reported. Those of the papers are in `engine/papers`, which lists all suites. */
export { benchmarksOn, sizesOf } from './benchmark.ts';
export type { Benchmark, BenchmarkProblem, Workload, Extent, Sizes, VariantChoice } from './benchmark.ts';
export { benchDocumentSchema, SUITES } from './document.ts';
export type { BenchDocument, BenchmarkRow, BenchRequest, PublishedComparison, Suite } from './document.ts';
export { describeBackend, driveBenchmarks, benchmarkCeilings, resultOf, runBenchmark, variantsOf } from './run.ts';
export type { BenchBackend, BenchListener, BenchOptions } from './run.ts';
export { budgetWithin, measure, type Measurement, type TimeBudget } from './measure.ts';
export { compareWithPublished, IN_SECONDS, OVER_ONE_CORE } from './published-figure.ts';
export type { PublishedFigure } from './published-figure.ts';
export { relateRows, largestError, rowOf, type Judgement } from './row.ts';
export { openOperator, operatorResult, smoothEnsemble, someNumbers } from './operator-workload.ts';
export { answerBenchmarks, CYCLES, cycleBenchmarks, openCycles } from './cycle.ts';
export { shallowWaterBenchmarks } from './shallow-water.ts';
