/** A filter far longer than its line costs what the line costs, and is what its literal sweeps are. */
import { expect, it } from 'vitest';
import {
  filterDeviation,
  recursiveFilter,
  recursiveFilterVariance,
} from '../../../engine/operators/recursive-filter/index.ts';

const N = 48;

/** The filter's matrix row by row, from its literal sweeps. */
function matrix(sigma: number, iterations: number): Float64Array[] {
  const parameters = { nx: N, ny: 1, batch: 1, sigmaX: sigma, sigmaY: 0, iterations, transpose: true } as const;
  const apply = recursiveFilter.implementations.reference({
    ...parameters,
    form: 'sweeps',
    boundaryX: 'free',
    boundaryY: 'free',
  });
  return Array.from({ length: N }, (_, i) => {
    const input = new Float64Array(N);
    input[i] = 1;
    const output = new Float64Array(N);
    apply({ input, output });
    return output;
  });
}

it.each([
  [30, 4],
  [1e3, 4],
  [1e6, 2],
  [60, 1000],
])('sigma %d, %d iterations', (sigma, iterations) => {
  const variance = recursiveFilterVariance(N, sigma, iterations, 'free');
  const rows = matrix(sigma, iterations);
  const parameters = { nx: N, ny: 1, batch: 1, sigmaX: sigma, sigmaY: 0, iterations, transpose: false } as const;
  const apply = recursiveFilter.implementations.reference({
    ...parameters,
    form: 'fir',
    boundaryX: 'free',
    boundaryY: 'free',
  });
  const output = new Float64Array(N);
  apply({ input: rows[0].map((_, j) => Math.sin(j)), output });
  const scale = Math.max(...rows.flatMap((row) => [...row].map(Math.abs)));
  rows.forEach((row, i) => {
    const squares = row.reduce((sum, weight) => sum + weight * weight, 0);
    expect(variance[i]).toBeCloseTo(squares, -Math.log10(1e-12 * squares));
    const filtered = row.reduce((sum, weight, j) => sum + weight * Math.sin(j), 0);
    // Rounding of N products, of the size of the largest.
    expect(Math.abs(output[i] - filtered)).toBeLessThan(N * 1e-15 * scale);
  });
});

it('takes a correlation of many basins for one of ten', () => {
  expect(filterDeviation(3, 0.5, 64)).toBe(6 / Math.SQRT2);
  expect(filterDeviation(1e8, 1, 64)).toBe(640 / Math.SQRT2);
});
