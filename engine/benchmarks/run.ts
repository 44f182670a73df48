/** Runs benchmarks, one after the other, on one backend. */
import type { Backend, Ceilings } from '../compute/backend.ts';

import type { Benchmark } from './benchmark.ts';
import { measure } from './measure.ts';
import type { BenchmarkRow } from './document.ts';
import type { MeasureOptions } from './measure.ts';
import { largestError, rowOf } from './row.ts';
import type { Judgement } from './row.ts';

export interface BenchmarkOptions extends MeasureOptions {
  /** What the reference backend gives of a benchmark, or why there is nothing to compare with; absent for the reference itself. */
  readonly expected?: (name: string) => Promise<Float64Array | string>;
  /** The same for the approximated result; absent if not requested. */
  readonly exact?: (name: string) => Promise<Float64Array | string>;
}

function judge(result: Float64Array, expected: Float64Array | string | undefined): Judgement {
  if (expected === undefined) return undefined;
  return typeof expected === 'string' ? { absent: expected } : { error: largestError(result, expected) };
}

/** The same without so many values at both ends, which `withEnds` has. */
function judgeInside(result: Float64Array, expected: Float64Array | string | undefined, ends: number): Judgement {
  const whole = judge(result, expected);
  if (typeof expected !== 'object' || !whole || !('error' in whole)) return whole;
  const inside = (values: Float64Array): Float64Array => values.subarray(ends, values.length - ends);
  return { error: largestError(inside(result), inside(expected)), withEnds: whole.error };
}

/** @throws StoppedError; LimitError where the backend cannot hold the benchmark */
export async function runBenchmark(
  backend: Backend,
  benchmark: Benchmark,
  { expected, exact, ...options }: BenchmarkOptions,
): Promise<BenchmarkRow> {
  const workload = await benchmark.open(backend);
  let measurement;
  try {
    measurement = await measure(backend, workload, options);
  } finally {
    workload.dispose();
  }
  const { name, variantOf, approximates } = benchmark;
  return rowOf(benchmark, backend, measurement, options.ceilings, {
    reference: judge(measurement.result, await expected?.(variantOf ?? name)),
    ...(approximates && {
      exact: judgeInside(measurement.result, await exact?.(approximates.exact), approximates.ends),
    }),
  });
}

/** @returns what one run from the beginning gives on this backend */
export async function resultOf(backend: Backend, benchmark: Benchmark): Promise<Float64Array> {
  const workload = await benchmark.open(backend);
  try {
    await workload.run();
    return await workload.result();
  } finally {
    workload.dispose();
  }
}

/** The names of `Ceilings` as results have them. */
export interface BenchmarkCeilings {
  readonly copyGBs: number;
  readonly fmaGFLOPs: number;
  readonly dispatchMicroseconds: number;
}

export function benchmarkCeilings(ceilings: Ceilings): BenchmarkCeilings {
  const { copyGigabytesPerSecond, fmaGigaflopsPerSecond, dispatchMicroseconds } = ceilings;
  return { copyGBs: copyGigabytesPerSecond, fmaGFLOPs: fmaGigaflopsPerSecond, dispatchMicroseconds };
}
