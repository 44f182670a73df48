/** The paper [rf-gpu], and what its figures ask a backend. */
import { operatorResult, type Benchmark, type BenchmarkRow, type PublishedFigure } from '../../benchmarks/index.ts';
import type { Backend } from '../../compute/backend.ts';
import { blockRange, recursiveFilter } from '../../operators/recursive-filter/index.ts';
import type { Paper } from '../paper.ts';
import { sweepsOfSignal } from './configured-filter.ts';
import { PUBLISHED_FIGURE_1_BLOCKS, PUBLISHED_OVERLAP, publishedConfiguration, publishedOnGpu } from './published.ts';

export { recursiveFilterBenchmarks } from './benchmarks.ts';

export const recursiveFilterPaper: Paper = {
  id: 'recursive-filter',
  subject: 'K-iterated recursive filters in overlapping blocks',
  authors: ['De Luca', 'Galletti', 'Giunta', 'Marcellino'],
  publication: '',
  key: 'rf-gpu',
  suite: 'recursive-filter',
  summary:
    'A Gaussian smooths a signal by K passes forwards and backwards, each a recurrence of first order. Algorithm 2 cuts the signal into t blocks, extends each by m points, filters them in parallel and drops the extensions.',
};

/** A point of the figure. */
export interface FilterTime {
  /** The benchmark’s name. */
  readonly name: string;
  /** N */
  readonly length: number;
  /** K */
  readonly iterations: number;
  /** What was measured; null before. */
  readonly milliseconds: number | null;
  /** Table 1, 10 × 100 threads: the figure is a drawing without numbers. Seconds. */
  readonly published: PublishedFigure | undefined;
  /** Table 2, which has the figure’s own 3 × 1024 threads for K = 500 alone. Seconds. */
  readonly publishedAlike: PublishedFigure | undefined;
}

/**
 * Figure 1 of [rf-gpu]: how long Algorithm 2 takes over K and N, in 3 × 1024 blocks. Each point is a benchmark of the tables.
 *
 * @param benchmarks of the paper, of which those that are not points of the figure are skipped
 * @param measured on one backend
 * @returns the points, by N and then by K
 */
export function filterTimes(
  benchmarks: readonly Benchmark[],
  measured: readonly BenchmarkRow[],
): readonly FilterTime[] {
  return benchmarks
    .flatMap(({ name, parameters: { N, K, t, m } = {} }): FilterTime[] => {
      if (t !== PUBLISHED_FIGURE_1_BLOCKS || m !== PUBLISHED_OVERLAP) return [];
      const [length, iterations] = [Number(N), Number(K)];
      const [published] = publishedOnGpu(length, iterations);
      const alike = iterations === 500 ? publishedConfiguration(length, 3, PUBLISHED_FIGURE_1_BLOCKS / 3) : [];
      const milliseconds = measured.find((row) => row.name === name)?.milliseconds ?? null;
      return [{ name, length, iterations, milliseconds, published, publishedAlike: alike[0] }];
    })
    .sort((a, b) => a.length - b.length || a.iterations - b.iterations);
}

export interface FilterQuestion {
  /** s₀ [N] */
  readonly signal: Float64Array;
  /** σ > 0, grid points. */
  readonly sigma: number;
  /** K ≥ 1 */
  readonly iterations: number;
  /** t, from 1 to N. */
  readonly blocks: number;
  /** m ≥ 0, points by which a block is extended on both sides. */
  readonly overlap: number;
}

export interface FilterAnswer {
  /** Where each block begins without its overlap, and how many points it has. */
  readonly blocks: readonly { readonly start: number; readonly size: number }[];
  /** Algorithm 2. [N] */
  readonly filtered: Float64Array;
  /** The filter of the whole signal. [N] */
  readonly undivided: Float64Array;
  /** The convolution with a Gaussian of standard deviation σ and sum 1, zeros beyond the ends. [N] */
  readonly gaussian: Float64Array;
}

/** @returns the convolution of a signal with a Gaussian whose taps sum to 1 */
function gaussianOf(signal: Float64Array, sigma: number): Float64Array {
  const reach = Math.ceil(6 * sigma);
  const taps = Float64Array.from({ length: 2 * reach + 1 }, (_, j) => Math.exp(-0.5 * ((j - reach) / sigma) ** 2));
  const sum = taps.reduce((a, b) => a + b);
  return signal.map((_, i) => taps.reduce((total, tap, j) => total + (tap / sum) * (signal[i + j - reach] ?? 0), 0));
}

/**
 * A signal filtered by Algorithm 2 [rf-gpu], beside the undivided filter and the Gaussian that both tend to.
 *
 * Filters a signal in both ways. @throws LimitError if the backend cannot hold it
 */
export async function filterSignal(
  backend: Backend,
  { signal, sigma, iterations, blocks, overlap }: FilterQuestion,
): Promise<FilterAnswer> {
  const whole = sweepsOfSignal({ length: signal.length, sigma, iterations });
  const inputs = { arrays: { input: signal, output: signal.length }, output: 'output' } as const;
  const undivided = await operatorResult(backend, recursiveFilter, whole, inputs);
  const divided = { ...whole, decomposition: { blocks, overlap } };
  const filtered = await operatorResult(backend, recursiveFilter, divided, inputs);
  const ranges = Array.from({ length: blocks }, (_, block) => blockRange(signal.length, blocks, block));
  return { blocks: ranges, filtered, undivided, gaussian: gaussianOf(signal, sigma) };
}
