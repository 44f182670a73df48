/** Benchmarks in a thread or worker: what is called there, what it says meanwhile, and that side of it. */
import {
  benchmarkNamed,
  createReferenceBackend,
  driveBenchmarks,
  fromPlainError,
  Given,
  memoryOf,
  resultOf,
  serveCalls,
  toPlainError,
  type Backend,
  type BenchBackend,
  type Benchmark,
  type BenchListener,
  type BenchmarkRow,
  type HostPort,
  type PlainError,
  type TimeBudget,
} from '../../engine/index.ts';

// A type, not an interface: it has to be a record of functions.
export type BenchmarkCommands = {
  /** The benchmarks of these names, one after the other, each within a budget, and compared with the reference. */
  readonly measure: (asked: { readonly names: readonly string[]; readonly budget?: TimeBudget | undefined }) => void;
  /** One run of a benchmark on the reference, for others to be compared with. */
  readonly result: (name: string) => Float64Array;
};

export type BenchmarkEvent =
  | { readonly type: 'opened'; readonly backend: BenchBackend }
  | { readonly type: 'begin'; readonly name: string }
  | { readonly type: 'row'; readonly row: BenchmarkRow }
  | { readonly type: 'failed'; readonly name: string; readonly failure: PlainError };

/** Hands what the thread says to who listens to benchmarks. */
export function hearBenchmarks(event: BenchmarkEvent, listener: BenchListener): void {
  switch (event.type) {
    case 'opened':
      listener.opened(event.backend);
      break;
    case 'begin':
      listener.begin(event.name);
      break;
    case 'row':
      void listener.row(event.row);
      break;
    case 'failed':
      listener.failed(event.name, fromPlainError(event.failure));
      break;
    default:
      event satisfies never;
  }
}

function named(name: string): Benchmark {
  const benchmark = benchmarkNamed(name);
  if (!benchmark) throw new RangeError(`there is no benchmark ${name}`);
  return benchmark;
}

/** @param turn lets messages in */
export function serveBenchmarks(
  port: HostPort<BenchmarkCommands, BenchmarkEvent>,
  open: () => Backend | Promise<Backend>,
  turn: () => Promise<void>,
): void {
  let reference: Backend | undefined;
  const onReference = (name: string): Promise<Float64Array> =>
    resultOf((reference ??= createReferenceBackend()), named(name));
  const tell = serveCalls<BenchmarkCommands, BenchmarkEvent>(port, {
    async measure({ names, budget }) {
      const backend = await open();
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
            budget,
            // It ends with its thread.
            signal: new AbortController().signal,
            turn,
          },
        );
      } finally {
        backend.dispose();
      }
    },
    async result(name) {
      tell({ type: 'begin', name });
      const values = await onReference(name);
      return new Given(values, memoryOf([values]));
    },
  });
}
