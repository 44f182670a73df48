/** The loop over benchmarks on one backend, in whatever thread that computes. */
import type { Backend, Ceilings } from '../compute/backend.ts';

import { DeviceLostError, StoppedError } from '../errors.ts';
import { measureCeilings } from '../performance/ceilings/index.ts';
import type { Benchmark } from './benchmark.ts';
import type { BenchmarkRow } from './document.ts';
import type { TimeBudget } from './measure.ts';
import { runBenchmark } from './run.ts';
import { variantsOf } from './variants.ts';

/** A backend as results name it. */
export interface BenchBackend {
  readonly name: Backend['name'];
  readonly adapter: string;
  readonly precision: Backend['precision'];
  /** Threads of the host that compute; null where a device does. */
  readonly threads: number | null;
  readonly ceilings: Ceilings;
}

export interface BenchListener {
  /** Said once, before the first benchmark. */
  opened(backend: BenchBackend): void;
  /** So many more than were asked for: the variants of those. */
  more?(benchmarks: number): void;
  begin(benchmark: string): void;
  row(row: BenchmarkRow): void;
  /** A benchmark could not be run here; the ones after it still get their turn. */
  failed(benchmark: string, error: unknown): void;
}

export interface BenchOptions {
  /** What the reference gives of a benchmark, or why that is not known; absent for the reference itself. */
  readonly expected?: (name: string) => Promise<Float64Array | string>;
  /** The same for the approximated result. */
  readonly exact?: (name: string) => Promise<Float64Array | string>;
  readonly budget?: TimeBudget | undefined;
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
  { expected, exact, budget, variants = false, signal, turn }: BenchOptions,
): Promise<void> {
  const ceilings = await measureCeilings(backend);
  const { name, adapter, precision, threads = null } = backend;
  listener.opened({ name, adapter, precision, threads, ceilings });
  const all = variants ? benchmarks.flatMap((one) => [one, ...variantsOf(one, backend)]) : benchmarks;
  listener.more?.(all.length - benchmarks.length);
  for (const benchmark of all) {
    await turn();
    if (signal.aborted) throw new StoppedError('stopped');
    listener.begin(benchmark.name);
    try {
      listener.row(
        await runBenchmark(backend, benchmark, {
          ceilings,
          ...(expected && { expected }),
          ...(exact && { exact }),
          ...(budget && { budget }),
          signal,
          pause: turn,
        }),
      );
    } catch (error) {
      if (error instanceof StoppedError || error instanceof DeviceLostError) throw error;
      listener.failed(benchmark.name, error);
    }
  }
}
