/**
 * What a benchmark is: one size of one kernel, or a whole cycle, with inputs that are the same on every machine. Its name
 * stays from version to version, so that results can be laid side by side.
 */
import type { Backend, Cost } from '../compute/backend.ts';
import type { PublishedFigure } from './published.ts';

export const SUITES = [
  'recursive-filter',
  'convolution',
  'letkf',
  'gain-covariance',
  'shallow-water',
  'cycle',
] as const;
export type Suite = (typeof SUITES)[number];

/** A benchmark that is ready to run on one backend. Whoever opens it disposes it. */
export interface Workload {
  /**
   * One run, queued: `operator` is a single operator, which the backend's own clock can time. `whole` may wait for results on
   * its way or for those of the run before, and is timed from outside.
   */
  readonly kind: 'operator' | 'whole';
  /** Bytes and operations of one run by formula; undefined where they are those of the kernels that it runs. */
  readonly cost: Cost | undefined;
  /** Queues what brings the inputs back to where they were, where runs change them. */
  reset(): void;
  run(): void | Promise<void>;
  /** The values after one run from the beginning: they say whether the backend is right. */
  result(): Promise<Float64Array>;
  /** @throws Error when a run went wrong in a way that makes its time worthless */
  verify(): Promise<void>;
  dispose(): void;
}

export interface Benchmark {
  readonly suite: Suite;
  /** Unique, and the same in every version. */
  readonly name: string;
  /** What others have published about this size, or a rate of this kernel; the first is the headline. */
  readonly published: readonly PublishedFigure[];
  open(backend: Backend): Promise<Workload>;
}
