/** Drops on states, on each backend: sums of products of lines, less a level in cells with water. */
import { describe, expect, it } from 'vitest';
import { someNumbers } from '../../../engine/benchmarks/benchmark.ts';
import { fallingDrops } from '../../../engine/operators/falling-drops/index.ts';
import { allBackends, applyOperator } from '../../setup/backends.ts';

describe.each(allBackends)('falling drops on $name', ({ open, precision }) => {
  // Rows that end within four cells, more rows than a part has, and states with more than their first plane.
  it.each([
    { states: 3, drops: 2, nx: 7, ny: 70, first: 0, stride: 1000 },
    { states: 1, drops: 8, nx: 64, ny: 3, first: 2, stride: 192 },
  ])('$states states of $nx × $ny, $drops drops', async (size) => {
    const { states, drops, nx, ny, first, stride } = size;
    // No drop reaches every third row, so that rows are skipped if nothing is taken from them either.
    const across = someNumbers(states * drops * ny, 1, 2).map((value, at) => ((at % ny) % 3 === 0 ? 0 : value));
    const along = someNumbers(states * drops * nx, 1, 3);
    const levels = Float64Array.from({ length: states }, (_, s) => 0.25 * s);
    const water = Float64Array.from({ length: nx * ny }, (_, cell) => Number(cell % 5 > 0));
    const before = someNumbers((first + states) * stride, 1, 4);
    const { ensemble } = await applyOperator(await open(), fallingDrops, size, {
      along,
      across,
      levels,
      water,
      ensemble: before,
    });
    const expected = before.map((value, at) => {
      const [s, cell] = [Math.floor(at / stride) - first, at % stride];
      if (s < 0 || cell >= nx * ny) return value;
      const ofDrop = (_: unknown, d: number): number =>
        across[(s * drops + d) * ny + Math.floor(cell / nx)] * along[(s * drops + d) * nx + (cell % nx)];
      return Array.from({ length: drops }, ofDrop).reduce((a, b) => a + b, value) - levels[s] * water[cell];
    });
    // A rounding of each factor, product and sum of numbers up to 1.
    const absolute = 4 * (drops + 2) * 2 ** (precision === 'float64' ? -53 : -24);
    expect(ensemble).toBeClose(expected, { absolute });
  });
});
