/**
 * What a benchmark is: one size of one kernel, or a whole cycle, with inputs that are the same on every machine. Its name
 * stays from version to version, so that results can be laid side by side.
 */
import type { Backend, BackendName, Cost } from '../compute/backend.ts';
import type { Suite } from './document.ts';
import type { PublishedFigure } from './published-figure.ts';

/** The sizes in which a suite runs. */
export interface Sizes {
  /** One row a kernel, as published or as users have it: minutes for all suites. */
  readonly usual: readonly Benchmark[];
  /** The other rows of the papers' tables, and those that show how time grows. */
  readonly papers: readonly Benchmark[];
  /** Small ones of the same kind, over in seconds anywhere. */
  readonly quick: readonly Benchmark[];
}

/** `papers` has the usual ones as well. */
export type Extent = 'quick' | 'usual' | 'papers';

export function sizesOf(sizes: Sizes, extent: Extent): readonly Benchmark[] {
  switch (extent) {
    case 'quick':
      return sizes.quick;
    case 'usual':
      return sizes.usual;
    case 'papers':
      return [...sizes.usual, ...sizes.papers];
    default:
      return extent satisfies never;
  }
}

/** What a benchmark of an operator computes, for another program to compute the same. */
export interface BenchmarkProblem {
  readonly operator: string;
  readonly parameters: unknown;
  /** The contents of the fields that are read. */
  readonly inputs: Readonly<Record<string, ArrayLike<number>>>;
  /** The field that `result` is of. */
  readonly output: string;
}

/** A benchmark that is ready to run on one backend. Whoever opens it disposes it. */
export interface Workload {
  /**
   * One run, queued: `operator` is a single operator, which the backend's own clock can time. `whole` may wait for results on
   * its way or for those of the run before, and is timed from outside.
   */
  readonly kind: 'operator' | 'whole';
  /** Bytes and operations of one run by formula; undefined where they are those of the kernels that it runs. */
  readonly cost: Cost | undefined;
  /** Undefined of what is no single operator. */
  readonly problem?: BenchmarkProblem;
  /** Queues what brings the inputs back to where they were, where runs change them. */
  reset(): void;
  run(): void | Promise<void>;
  /** The values after one run from the beginning: they say whether the backend is right. */
  result(): Promise<Float64Array>;
  /** @throws Error when a run went wrong in a way that makes its time worthless */
  verify(): Promise<void>;
  dispose(): void;
}

/** What the time of a benchmark is divided by, so that sizes can be compared. */
interface CellWork {
  /** Benchmarks of one series differ in their size alone. */
  readonly series: string;
  /** Cells times steps times members of one run. */
  readonly cells: number;
}

interface Approximation {
  /** The benchmark whose result this one approximates. */
  readonly exact: string;
  /** Values at both ends of the result in which the two differ on purpose: they are not counted, and a note mentions them. */
  readonly ends: number;
}

/** A variant of a kernel, as the choices of a backend name it. */
export interface VariantChoice {
  readonly kernel: string;
  readonly sizeClass: string;
  readonly variant: string;
}

export interface Benchmark {
  readonly suite: Suite;
  /** Unique, and the same in every version. */
  readonly name: string;
  /** The published table that this is a row of. */
  readonly table?: string;
  /** What distinguishes the rows of a table or a series, by its published letter. */
  readonly parameters?: Readonly<Record<string, number | string>>;
  /** What others have published about this size, or a rate of this kernel; the first is the headline. */
  readonly published: readonly PublishedFigure[];
  readonly cellWork?: CellWork;
  readonly approximates?: Approximation;
  /** Published as a ratio to one core: one thread of `reference` and of `wasm` are timed as well. */
  readonly comparesWithOneThread?: boolean;
  /** The variants that its kernels have on a backend. */
  readonly variants?: (backend: Backend) => readonly VariantChoice[];
  /** The benchmark that this is a variant of: its result is the same. */
  readonly variantOf?: string;
  /** What a reader should know of how a backend computes it, in sentences without a full stop. */
  readonly notes?: (backend: Backend) => readonly string[];
  /** The backends that have this kernel; all if omitted. */
  readonly backends?: readonly BackendName[];
  open(backend: Backend): Promise<Workload>;
}

/** @returns the benchmarks that a backend can run; all if it is not known yet */
export function benchmarksOn(benchmarks: readonly Benchmark[], backend: BackendName | undefined): readonly Benchmark[] {
  return benchmarks.filter(({ backends }) => !backend || (backends?.includes(backend) ?? true));
}
