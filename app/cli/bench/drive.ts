/** The loop over benchmarks on one backend: in the main thread for a GPU, in a worker for the reference backend. */
import { setImmediate as turn } from 'node:timers/promises';
import { DeviceLostError, StoppedError, measureCeilings, runBenchmark } from '../../../engine/index.ts';
import type { Backend, Benchmark, BenchmarkRow, Ceilings } from '../../../engine/index.ts';

/** A backend as results name it. */
export interface BenchBackend {
  readonly name: Backend['name'];
  readonly adapter: string;
  readonly precision: Backend['precision'];
  readonly ceilings: Ceilings;
}

export interface BenchListener {
  /** Said once, before the first benchmark. */
  opened(backend: BenchBackend): void;
  begin(benchmark: string): void;
  row(row: BenchmarkRow): void;
  /** A benchmark could not be run here; the ones after it still get their turn. */
  failed(benchmark: string, error: unknown): void;
}

export interface BenchOptions {
  /** What the reference gives, or why that is not known; absent for the reference itself. */
  readonly expected?: (benchmark: Benchmark) => Promise<Float64Array | string>;
  readonly signal: AbortSignal;
}

/** @throws StoppedError, DeviceLostError */
export async function driveBenchmarks(
  backend: Backend,
  benchmarks: readonly Benchmark[],
  listener: BenchListener,
  { expected, signal }: BenchOptions,
): Promise<void> {
  const ceilings = await measureCeilings(backend);
  const { name, adapter, precision } = backend;
  listener.opened({ name, adapter, precision, ceilings });
  for (const benchmark of benchmarks) {
    // Lets signals in, which promises alone do not.
    await turn();
    if (signal.aborted) throw new StoppedError('stopped');
    listener.begin(benchmark.name);
    try {
      listener.row(
        await runBenchmark(backend, benchmark, {
          ceilings,
          ...(expected && { expected }),
          signal,
          pause: () => turn(),
        }),
      );
    } catch (error) {
      if (error instanceof StoppedError || error instanceof DeviceLostError) throw error;
      listener.failed(benchmark.name, error);
    }
  }
}
