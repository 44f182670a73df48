/** Runs benchmarks, one after the other, on one backend. */
import type { Backend, Ceilings } from '../compute/backend.ts';
import type { Benchmark, VariantChoice } from './benchmark.ts';
import { measure, type MeasureOptions, type TimeBudget } from './measure.ts';
import type { BenchDocument, BenchmarkRow } from './document.ts';
import { largestError, rowOf, type Judgement } from './row.ts';
import { DeviceLostError, StoppedError } from '../errors.ts';
import { measureCeilings } from '../performance/ceilings/index.ts';

/** The benchmark with one variant chosen, whatever was chosen before, which holds again once it is open. */
function withVariant(benchmark: Benchmark, { kernel, sizeClass, variant }: VariantChoice): Benchmark {
  const role = kernel.slice(kernel.indexOf('.') + 1);
  return {
    ...benchmark,
    name: `${benchmark.name}-${role}-${variant}`,
    table: `${benchmark.table ?? benchmark.suite}: variants of its kernels`,
    parameters: { ...benchmark.parameters, kernel: role, variant },
    variantOf: benchmark.name,
    async open(backend) {
      const choices = backend.tuning?.choices;
      const before = choices?.of(kernel, sizeClass);
      choices?.choose(kernel, sizeClass, variant);
      try {
        return await benchmark.open(backend);
      } finally {
        choices?.choose(kernel, sizeClass, before);
      }
    },
  };
}

/** @returns the benchmark in all variants that its kernels have on this backend; none if there is one form of each */
export function variantsOf(benchmark: Benchmark, backend: Backend): readonly Benchmark[] {
  return (benchmark.variants?.(backend) ?? []).map((choice) => withVariant(benchmark, choice));
}

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
interface BenchmarkCeilings {
  readonly copyGBs: number;
  readonly fmaGFLOPs: number;
  readonly dispatchMicroseconds: number;
}

export function benchmarkCeilings(ceilings: Ceilings): BenchmarkCeilings {
  const { copyGigabytesPerSecond, fmaGigaflopsPerSecond, dispatchMicroseconds } = ceilings;
  return { copyGBs: copyGigabytesPerSecond, fmaGFLOPs: fmaGigaflopsPerSecond, dispatchMicroseconds };
}

/** A backend as results name it. */
export interface BenchBackend {
  readonly name: Backend['name'];
  readonly adapter: string;
  readonly precision: Backend['precision'];
  /** Threads of the host that compute; null where a device does. */
  readonly threads: number | null;
  readonly ceilings: Ceilings;
}

/** @returns a backend as the document has it */
export function describeBackend({
  name,
  adapter,
  precision,
  threads,
  ceilings,
}: BenchBackend): BenchDocument['backends'][number] {
  const { clock, tickMicroseconds } = ceilings;
  return { name, adapter, precision, threads, ceilings: { ...benchmarkCeilings(ceilings), clock, tickMicroseconds } };
}

export interface BenchListener {
  /** Said once, before the first benchmark. */
  opened(backend: BenchBackend): void;
  /** So many more than were asked for: the variants of those. */
  more?(benchmarks: number): void;
  begin(benchmark: string): void;
  /** The next benchmark waits for what this begins. */
  row(row: BenchmarkRow): void | Promise<void>;
  /** A benchmark could not be run here; the ones after it still get their turn. */
  failed(benchmark: string, error: unknown): void;
}

export interface BenchOptions {
  /** What the reference gives of a benchmark, or why that is not known; absent for the reference itself. */
  readonly expected?: (name: string) => Promise<Float64Array | string>;
  /** The same for the approximated result. */
  readonly exact?: (name: string) => Promise<Float64Array | string>;
  /** The budget of each measurement; a function is asked before each. */
  readonly budget?: TimeBudget | (() => TimeBudget) | undefined;
  /** Whether a benchmark has its row already, and is skipped. */
  readonly isKnown?: (name: string) => boolean;
  /** Whether to run every variant of a benchmark’s kernels as well. */
  readonly variants?: boolean | undefined;
  readonly signal: AbortSignal;
  /** A turn of the thread: lets signals and messages in, which promises alone do not. */
  readonly turn: () => Promise<void>;
}

/** @throws StoppedError, DeviceLostError */
export async function driveBenchmarks(
  backend: Backend,
  benchmarks: readonly Benchmark[],
  listener: BenchListener,
  { expected, exact, budget, isKnown, variants = false, signal, turn }: BenchOptions,
): Promise<void> {
  const ceilings = await measureCeilings(backend);
  const { name, adapter, precision, threads = null } = backend;
  listener.opened({ name, adapter, precision, threads, ceilings });
  const withVariants = variants ? benchmarks.flatMap((one) => [one, ...variantsOf(one, backend)]) : benchmarks;
  const all = withVariants.filter((one) => !isKnown?.(one.name));
  listener.more?.(all.length - benchmarks.length);
  for (const benchmark of all) {
    await turn();
    if (signal.aborted) throw new StoppedError('stopped');
    listener.begin(benchmark.name);
    try {
      const row = await runBenchmark(backend, benchmark, {
        ceilings,
        ...(expected && { expected }),
        ...(exact && { exact }),
        ...(budget && { budget: typeof budget === 'function' ? budget() : budget }),
        signal,
        pause: turn,
      });
      await listener.row(row);
    } catch (error) {
      if (error instanceof StoppedError || error instanceof DeviceLostError) throw error;
      listener.failed(benchmark.name, error);
    }
  }
}
