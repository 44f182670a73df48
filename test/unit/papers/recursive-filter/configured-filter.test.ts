/** Algorithm 2 by blocks and threads on each backend, against the program's filter in as many blocks. */
import { describe, expect, it } from 'vitest';
import { createReferenceBackend, LimitError } from '../../../../engine/index.ts';
import { someNumbers } from '../../../../engine/benchmarks/benchmark.ts';
import { configuredFilter } from '../../../../engine/papers/recursive-filter/configured-filter.ts';
import { recursiveFilter } from '../../../../engine/operators/recursive-filter/index.ts';
import { applyOperator, backends } from '../../../setup/backends.ts';

const length = 1003;
const signal = someNumbers(length, 1, 5);
const size = { length, sigma: 2, iterations: 7 };

describe.each(backends)('Algorithm 2 in blocks of threads on $name', ({ open, precision }) => {
  it.each([
    // More threads than are swept side by side, parts of two lengths, one thread, no overlap, and parts that the ends reach into.
    { blocks: 3, threads: 70, overlap: 5 },
    { blocks: 7, threads: 9, overlap: 4 },
    { blocks: 5, threads: 1, overlap: 20 },
    { blocks: 1, threads: 1, overlap: 0 },
    { blocks: 17, threads: 59, overlap: 3 },
  ])('$blocks × $threads, m = $overlap', async ({ blocks, threads, overlap }) => {
    const arrays = { input: signal, output: length };
    const { output } = await applyOperator(
      await open(),
      configuredFilter,
      { ...size, blocks, threads, overlap },
      arrays,
    );
    const expected = await applyOperator(
      createReferenceBackend(),
      recursiveFilter,
      {
        nx: length,
        ny: 1,
        batch: 1,
        sigmaX: 2,
        sigmaY: 0,
        iterations: 7,
        form: 'sweeps',
        transpose: false,
        boundaryX: 'free',
        boundaryY: 'free',
        decomposition: { blocks: blocks * threads, overlap },
      },
      arrays,
    );
    expect(output).toBeClose(expected.output, { absolute: precision === 'float64' ? 1e-15 : 2e-6 });
  });

  it('refuses more threads than the signal has points', async () => {
    const asked = { ...size, blocks: 40, threads: 30, overlap: 5 };
    const run = applyOperator(await open(), configuredFilter, asked, { input: signal, output: length });
    await expect(run).rejects.toThrow(LimitError);
  });
});
