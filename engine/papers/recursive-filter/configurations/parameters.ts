/** What a configuration of Algorithm 2 is prepared with. */
import type { RecursiveFilterParameters } from '../../../operators/recursive-filter/index.ts';

export interface FilterConfiguration {
  /** N */
  readonly length: number;
  /** Grid points, above 0. */
  readonly sigma: number;
  /** K */
  readonly iterations: number;
  /** Blocks of threads, and threads of a block: at most N in all. */
  readonly blocks: number;
  readonly threads: number;
  /** m, points by which the part of a thread is extended on both sides. */
  readonly overlap: number;
}

/** @returns the filter of as many blocks as a configuration has threads in all */
export function filterParameters(configuration: FilterConfiguration): RecursiveFilterParameters {
  const { length, sigma, iterations, blocks, threads, overlap } = configuration;
  return {
    nx: length,
    ny: 1,
    batch: 1,
    sigmaX: sigma,
    sigmaY: 0,
    iterations,
    form: 'sweeps',
    transpose: false,
    boundaryX: 'free',
    boundaryY: 'free',
    decomposition: { blocks: blocks * threads, overlap },
  };
}
