/** Figure 1 of [rf-gpu]: its points, what was measured of them, and what the paper has of them. */
import { describe, expect, it } from 'vitest';
import { benchmarksOf, filterTimes } from '../../../../engine/papers/index.ts';
import { benchDocumentSchema } from '../../../../engine/index.ts';
import { benchmarkDocument } from '../../../setup/benchmark-document.ts';

const benchmarks = benchmarksOf(['recursive-filter'], 'papers');
const [row] = benchDocumentSchema.parse(benchmarkDocument()).rows;

describe('Figure 1 of the recursive filter', () => {
  it('has a point for each N and K of the paper, each with a benchmark of its own', () => {
    const times = filterTimes(benchmarks, []);
    expect(times.map(({ length, iterations }) => [length, iterations])).toEqual(
      [10_000, 50_000, 100_000].flatMap((length) => [10, 50, 100, 500, 1000].map((iterations) => [length, iterations])),
    );
    expect(new Set(times.map(({ name }) => name)).size).toBe(15);
    expect(times.every(({ milliseconds }) => milliseconds === null)).toBe(true);
  });

  it('has Table 1 beside every point, and Table 2 where that has 3 × 1024 threads', () => {
    const times = filterTimes(benchmarks, []);
    expect(times.map(({ published }) => published?.value)).toEqual([
      0.274, 0.483, 0.596, 0.778, 0.984, 3.243, 3.592, 4.711, 5.719, 6.135, 10.219, 11.883, 12.703, 13.177, 14.297,
    ]);
    const alike = times.flatMap(({ iterations, publishedAlike }) =>
      publishedAlike ? [[iterations, publishedAlike.value]] : [],
    );
    expect(alike).toEqual([
      [500, 0.12],
      [500, 2.99],
      [500, 4.07],
    ]);
  });

  it('has the times that were measured', () => {
    const [, second] = filterTimes(benchmarks, []);
    const times = filterTimes(benchmarks, [{ ...row, name: second.name, milliseconds: 0.25 }]);
    expect(times.map(({ milliseconds }) => milliseconds).filter((time) => time !== null)).toEqual([0.25]);
    expect(times[1].milliseconds).toBe(0.25);
  });
});
