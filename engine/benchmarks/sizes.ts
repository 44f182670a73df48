/** The sizes in which a suite runs. */
import type { Benchmark } from './benchmark.ts';

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
