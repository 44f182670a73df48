/** Benchmarks: what they are, how they are timed, and what is reported of them. */
import { SUITES } from './benchmark.ts';
import type { Benchmark, Suite } from './benchmark.ts';
import { convolutionBenchmarks, quickConvolutionBenchmarks } from './convolution.ts';
import { cycleBenchmarks, quickCycleBenchmarks } from './cycle.ts';
import { gainCovarianceBenchmarks, quickGainCovarianceBenchmarks } from './gain-covariance.ts';
import { letkfBenchmarks, quickLetkfBenchmarks } from './letkf.ts';
import { quickRecursiveFilterBenchmarks, recursiveFilterBenchmarks } from './recursive-filter.ts';
import { quickShallowWaterBenchmarks, shallowWaterBenchmarks } from './shallow-water.ts';

export { SUITES } from './benchmark.ts';
export type { Benchmark, Suite, Workload } from './benchmark.ts';
export { StoppedError, measure } from './measure.ts';
export type { Measurement } from './measure.ts';
export { compareWithPublished } from './published.ts';
export type { PublishedComparison } from './published.ts';
export { largestError, rowOf } from './row.ts';
export type { BenchmarkRow, Judgement } from './row.ts';
export { benchmarkCeilings, resultOf, runBenchmark } from './run.ts';
export type { BenchmarkCeilings } from './run.ts';

interface Sizes {
  /** As published, or as users have them. */
  readonly full: readonly Benchmark[];
  /** Small ones of the same kind, over in seconds anywhere. */
  readonly quick: readonly Benchmark[];
}

const BENCHMARKS: Readonly<Record<Suite, Sizes>> = {
  'recursive-filter': { full: recursiveFilterBenchmarks, quick: quickRecursiveFilterBenchmarks },
  convolution: { full: convolutionBenchmarks, quick: quickConvolutionBenchmarks },
  letkf: { full: letkfBenchmarks, quick: quickLetkfBenchmarks },
  'gain-covariance': { full: gainCovarianceBenchmarks, quick: quickGainCovarianceBenchmarks },
  'shallow-water': { full: shallowWaterBenchmarks, quick: quickShallowWaterBenchmarks },
  cycle: { full: cycleBenchmarks, quick: quickCycleBenchmarks },
};

/** @returns the benchmarks of these suites, in the order of all suites */
export function benchmarksOf(suites: readonly Suite[], { quick }: { readonly quick: boolean }): readonly Benchmark[] {
  return SUITES.filter((suite) => suites.includes(suite)).flatMap(
    (suite) => BENCHMARKS[suite][quick ? 'quick' : 'full'],
  );
}

/** @returns the benchmark of that name, of either size */
export function benchmarkNamed(name: string): Benchmark | undefined {
  return Object.values(BENCHMARKS)
    .flatMap(({ full, quick }) => [...full, ...quick])
    .find((benchmark) => benchmark.name === name);
}
