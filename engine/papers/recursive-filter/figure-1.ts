/** Figure 1 of [rf-gpu]: how long Algorithm 2 takes over K and N, in 3 × 1024 blocks. Each point is a benchmark of the tables. */
import type { Benchmark, BenchmarkRow, PublishedFigure } from '../../benchmarks/index.ts';
import { PUBLISHED_FIGURE_1_BLOCKS, PUBLISHED_OVERLAP, publishedConfiguration, publishedOnGpu } from './published.ts';

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
