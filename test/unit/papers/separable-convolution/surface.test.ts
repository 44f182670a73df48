/** The tuning surface of a pass: what is reported while it is measured, and what it is in the end. */
import { describe, expect, it } from 'vitest';
import { BackendError, LimitError, type SurfaceAnswer, type SurfaceQuestion } from '../../../../engine/index.ts';
import { tuningSurface } from '../../../../engine/papers/separable-convolution/index.ts';
import { backends } from '../../../setup/backends.ts';
import { isNightly } from '../../../setup/nightly.ts';

const QUESTION: SurfaceQuestion = { element: 'real', transposed: false, lengths: [16, 4], milliseconds: 400 };

function measured([first]: SurfaceAnswer): number {
  return first?.cells.filter((cell) => cell.gigaflops !== null).length ?? 0;
}

describe.each(backends)('the tuning surface on $name', ({ name, open }) => {
  it.runIf(name === 'reference')('is refused by a backend with one form of the pass', async () => {
    await expect(tuningSurface(await open(), QUESTION)).rejects.toThrow(BackendError);
  });

  it.runIf(name === 'webgpu')('is refused in float64 by a device that has none', async () => {
    await expect(tuningSurface(await open(), { ...QUESTION, element: 'double' })).rejects.toThrow(LimitError);
  });

  // Software compiles kernels for a GPU slowly: for seconds a length.
  it.runIf(name === 'wasm' || (name === 'webgpu' && isNightly))(
    'fills cell by cell, and has a rate of every pattern that there was time for',
    async () => {
      const backend = await open();
      const counts: number[] = [];
      const [lengths, milliseconds] = name === 'wasm' ? [[16, 4], 400] : [[16], 8000];
      const answer = await tuningSurface(backend, { ...QUESTION, lengths, milliseconds }, (part) =>
        counts.push(measured(part)),
      );
      expect(answer.map(({ length }) => length)).toEqual(lengths);
      // From nothing upwards, a cell at a time.
      expect(counts[0]).toBe(0);
      for (const [at, count] of counts.entries()) expect([0, 1]).toContain(count - (counts[at - 1] ?? 0));
      for (const { cells, copyGigaflops } of answer) {
        const patterns = cells.map(({ columns, lines }) => `${columns} x ${lines}`);
        expect(new Set(patterns).size).toBe(patterns.length);
        expect(patterns.length).toBeGreaterThan(8);
        const rates = cells.flatMap(({ gigaflops }) => (gigaflops === null ? [] : [gigaflops]));
        expect(rates.length).toBeGreaterThan(0);
        for (const rate of rates) expect(rate).toBeGreaterThan(0);
        expect(copyGigaflops).toBeGreaterThan(0);
      }
      // A pass has so many more operations to the byte.
      const [long, short = long] = answer;
      expect(long.copyGigaflops / short.copyGigaflops).toBeCloseTo(lengths[0] / lengths[lengths.length - 1], 9);
      backend.dispose();
    },
  );
});
