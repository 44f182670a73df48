/** The worker's side: times benchmarks on a backend of its own, and computes on the reference what they are compared with. */
import {
  benchmarkNamed,
  createReferenceBackend,
  driveBenchmarks,
  resultOf,
  serveCalls,
  toPlainError,
} from '../../../engine/index.ts';
import type { Backend, Benchmark } from '../../../engine/index.ts';
import type { BenchmarkCommands, BenchmarkEvent, BenchmarkHostPort } from './benchmark-calls.ts';

function named(name: string): Benchmark {
  const benchmark = benchmarkNamed(name);
  if (!benchmark) throw new RangeError(`there is no benchmark ${name}`);
  return benchmark;
}

/** @param turn lets messages in */
export function serveBenchmarks(
  port: BenchmarkHostPort,
  open: () => Promise<Backend>,
  turn: () => Promise<void>,
): void {
  const tell = serveCalls<BenchmarkCommands, BenchmarkEvent>(port, {
    async measure(names) {
      const backend = await open();
      const reference = createReferenceBackend();
      const onReference = (name: string): Promise<Float64Array> => resultOf(reference, named(name));
      try {
        await driveBenchmarks(
          backend,
          names.map(named),
          {
            opened: (opened) => tell({ type: 'opened', backend: opened }),
            begin: (name) => tell({ type: 'begin', name }),
            row: (row) => tell({ type: 'row', row }),
            failed: (name, error) => tell({ type: 'failed', name, failure: toPlainError(error) }),
          },
          {
            ...(backend.name !== 'reference' && { expected: onReference }),
            exact: onReference,
            // It ends with its worker.
            signal: new AbortController().signal,
            turn,
          },
        );
      } finally {
        reference.dispose();
        backend.dispose();
      }
    },
  });
}
