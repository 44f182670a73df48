/** What the page calls in the worker that times benchmarks for it, and what that says meanwhile. */
import type {
  BenchBackend,
  BenchmarkRow,
  CallMessage,
  HostMessage,
  PlainError,
  Port,
  StarterPort,
} from '../../../engine/index.ts';

// A type, not an interface: it has to be a record of functions.
export type BenchmarkCommands = {
  /** The benchmarks of these names, one after the other, each compared with the reference. */
  readonly measure: (names: readonly string[]) => void;
};

export type BenchmarkEvent =
  | { readonly type: 'opened'; readonly backend: BenchBackend }
  | { readonly type: 'begin'; readonly name: string }
  | { readonly type: 'row'; readonly row: BenchmarkRow }
  | { readonly type: 'failed'; readonly name: string; readonly failure: PlainError };

export type BenchmarkStarterPort = StarterPort<HostMessage<BenchmarkEvent>, CallMessage<keyof BenchmarkCommands>>;
export type BenchmarkHostPort = Port<CallMessage<keyof BenchmarkCommands>, HostMessage<BenchmarkEvent>>;
