/** A signal filtered in both ways, on each backend. */
import { describe, expect, it } from 'vitest';
import { filterSignal } from '../../../../engine/papers/recursive-filter/index.ts';
import { backends } from '../../../setup/backends.ts';

const signal = Float64Array.from({ length: 90 }, (_, i) => Number(i === 30) + Number(i > 60));

/** Away from the ends, whose conditions Algorithm 2 does not have. */
function inside(values: Float64Array): Float64Array {
  return values.subarray(20, 70);
}

describe.each(backends)('a filtered signal on $name', ({ open, precision }) => {
  const tolerance = precision === 'float64' ? 1e-12 : 1e-5;

  it('agrees with the undivided filter where blocks overlap far enough, and differs at their seams where they do not', async () => {
    const backend = await open();
    const ask = { signal, sigma: 2, iterations: 4, blocks: 3 };
    const far = await filterSignal(backend, { ...ask, overlap: 30 });
    const near = await filterSignal(backend, { ...ask, overlap: 0 });
    expect(inside(far.filtered)).toBeClose(inside(far.undivided), { absolute: Math.max(tolerance, 1e-6) });
    expect(Math.abs(near.filtered[31] - near.undivided[31])).toBeGreaterThan(0.01);
  });

  it('says where the blocks are, the longer ones first', async () => {
    const { blocks } = await filterSignal(await open(), { signal, sigma: 2, iterations: 1, blocks: 4, overlap: 3 });
    expect(blocks.map(({ start, size }) => [start, size])).toEqual([
      [0, 23],
      [23, 23],
      [46, 22],
      [68, 22],
    ]);
  });

  it('tends to the Gaussian', async () => {
    const backend = await open();
    const errorOf = async (iterations: number): Promise<number> => {
      const { undivided, gaussian } = await filterSignal(backend, {
        signal,
        sigma: 4,
        iterations,
        blocks: 1,
        overlap: 0,
      });
      return Math.abs(undivided[30] - gaussian[30]);
    };
    expect(await errorOf(50)).toBeLessThan(0.1 * (await errorOf(1)));
  });
});
