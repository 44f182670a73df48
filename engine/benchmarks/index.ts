/** How benchmarks are described, timed and reported. Those of the papers are in `engine/papers`, which lists all suites. */
export {
  benchmarksOn,
  sizesOf,
  compareWithPublished,
  IN_SECONDS,
  OVER_ONE_CORE,
  openOperator,
  operatorResult,
  smoothEnsemble,
  someNumbers,
  type Benchmark,
  type BenchmarkProblem,
  type Workload,
  type Extent,
  type Sizes,
  type VariantChoice,
  type PublishedFigure,
} from './benchmark.ts';
export { benchDocumentSchema, SUITES } from './document.ts';
export type { BenchDocument, BenchmarkRow, BenchRequest, PublishedComparison, Suite } from './document.ts';
export {
  describeBackend,
  driveBenchmarks,
  benchmarkCeilings,
  resultOf,
  runBenchmark,
  variantsOf,
  relateRows,
  largestError,
  rowOf,
} from './run.ts';
export type { BenchBackend, BenchListener, BenchOptions, Judgement } from './run.ts';
export { budgetWithin, measure, type Measurement, type TimeBudget } from './measure.ts';
export { answerBenchmarks, CYCLES, cycleBenchmarks, openCycles } from './cycle.ts';
export { shallowWaterBenchmarks } from './shallow-water.ts';
