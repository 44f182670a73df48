/** The passes of the magic filter from one description: against the formula in float64, and their kernels against each other. */
import { beforeAll, describe, expect, it } from 'vitest';
import { someNumbers } from '../../../../engine/benchmarks/benchmark.ts';
import { LimitError, type Backend } from '../../../../engine/index.ts';
import { INVERSE_MAGIC_FILTER, MAGIC_FILTER } from '../../../../engine/papers/separable-convolution/benchmarks.ts';
import {
  filterPasses,
  SIMPLE,
  type PassElement,
  type PassesParameters,
  type PassKernel,
} from '../../../../engine/papers/separable-convolution/pass/index.ts';
import { applyOperator, backends } from '../../../setup/backends.ts';

const SCALAR = [
  [1, 1],
  [1, 8],
  [2, 3],
].map(([columns, lines]): PassKernel => ({ form: 'scalar', columns, lines }));

const VECTOR = [
  [1, 4],
  [1, 12],
  [2, 2],
  [2, 5],
  [4, 4],
  [8, 4],
].map(([columns, lines]): PassKernel => ({ form: 'vector', columns, lines }));

/** Blocks for which a GPU has workgroup memory. */
const ON_GPU = VECTOR.filter(({ columns }) => columns < 8);

/** Odd sizes, more taps than points, a line of one point, fewer columns than a block has. */
const SIZES = [
  [3, 5, 21],
  [7, 4, 33],
  [2, 1, 5],
  [1, 1, 1],
  [1, 9, 40],
] as const;

const FILTERS = [MAGIC_FILTER, INVERSE_MAGIC_FILTER, { taps: [2], lower: 0 }, { taps: [1, 2, 3], lower: 0 }] as const;

/** Sixteen terms, weights that sum to less than 6 in size, values below 1; three axes. */
const SUM_OF_ERRORS = 3 * 17 * 6 ** 3;

function dot(x: Float64Array, y: Float64Array): number {
  return x.reduce((sum, value, i) => sum + value * y[i], 0);
}

/** The formula along the fastest axis, point by point. */
function filtered(input: Float64Array, n: number, { taps, lower }: (typeof FILTERS)[number]): Float64Array {
  return input.map((_, at) => {
    const i = at % n;
    const start = at - i;
    return taps.reduce((sum, tap, q) => sum + tap * input[start + ((((i + q - lower) % n) + n) % n)], 0);
  });
}

describe.each(backends)('the passes on $name', ({ name, open, precision }) => {
  let backend: Backend;
  beforeAll(async () => {
    backend = await open();
    return () => backend.dispose();
  });

  const vectors = name === 'webgpu' ? ON_GPU : VECTOR;
  const elements: readonly PassElement[] = name === 'webgpu' ? ['real'] : ['real', 'double'];

  async function outputOf(element: PassElement, parameters: PassesParameters, seed = 1): Promise<Float64Array> {
    const points = parameters.n1 * parameters.n2 * parameters.n3;
    const arrays = { input: someNumbers(points, 1, seed), output: points };
    return (await applyOperator(backend, filterPasses[element], parameters, arrays)).output;
  }

  const roundingOf = (element: PassElement): number =>
    element === 'double' || precision === 'float64' ? 1.2e-16 : 6e-8;

  it.each(elements)('are the formula in %s, whatever the kernel, size and taps', async (element) => {
    for (const [n1, n2, n3] of SIZES) {
      for (const filter of FILTERS) {
        const once = filtered(someNumbers(n1 * n2 * n3, 1, 1), n3, filter);
        for (const transposed of [false, true]) {
          const expected = once.map((_, at) =>
            transposed ? once[(at % (n1 * n2)) * n3 + Math.floor(at / (n1 * n2))] : once[at],
          );
          for (const kernel of [undefined, SIMPLE, ...SCALAR, ...vectors]) {
            const found = await outputOf(element, { n1, n2, n3, axes: 1, transposed, ...filter, kernel });
            expect(found).toBeClose(expected, { absolute: SUM_OF_ERRORS * roundingOf(element) });
          }
        }
      }
    }
  });

  it.runIf(name === 'wasm').each(elements)(
    'are the formula in %s of more columns than are made at once',
    async (element) => {
      const [n1, n2, n3] = [43, 41, 40];
      const once = filtered(someNumbers(n1 * n2 * n3, 1, 1), n3, MAGIC_FILTER);
      const expected = once.map((_, at) => once[(at % (n1 * n2)) * n3 + Math.floor(at / (n1 * n2))]);
      for (const kernel of [...SCALAR, ...VECTOR]) {
        const found = await outputOf(element, { n1, n2, n3, axes: 1, transposed: true, ...MAGIC_FILTER, kernel });
        expect(found).toBeClose(expected, { absolute: SUM_OF_ERRORS * roundingOf(element) });
      }
    },
  );

  it.each(elements)('give the same bits in %s if their multiply-adds are fused alike', async (element) => {
    for (const transposed of [false, true]) {
      for (const axes of [1, 3] as const) {
        const size = { n1: 6, n2: 10, n3: 22, axes, transposed, ...MAGIC_FILTER };
        for (const kernels of name === 'wasm' ? [[SIMPLE, ...SCALAR], vectors] : [[SIMPLE, ...SCALAR, ...vectors]]) {
          const outputs = await Promise.all(kernels.map((kernel) => outputOf(element, { ...size, kernel })));
          for (const output of outputs) expect(output).toEqual(outputs[0]);
        }
      }
    }
  });

  it.each(elements)('return to the layout of the volume after three axes in %s', async (element) => {
    const size = { n1: 9, n2: 6, n3: 20, axes: 3, ...MAGIC_FILTER } as const;
    const [turned, straight] = await Promise.all(
      [true, false].map((transposed) => outputOf(element, { ...size, transposed })),
    );
    expect(turned).toBeClose(straight, { absolute: SUM_OF_ERRORS * roundingOf(element) });
  });

  it('are adjoint to each other forward and back', async () => {
    const size = { n1: 3, n2: 5, n3: 21, axes: 3, transposed: true } as const;
    const points = size.n1 * size.n2 * size.n3;
    const [a, b] = [someNumbers(points, 1, 1), someNumbers(points, 1, 2)];
    const [forward, back] = await Promise.all([
      outputOf('real', { ...size, ...MAGIC_FILTER }),
      outputOf('real', { ...size, ...INVERSE_MAGIC_FILTER }, 2),
    ]);
    expect(Math.abs(dot(forward, b) - dot(a, back))).toBeLessThan(points * SUM_OF_ERRORS * roundingOf('real'));
  });

  it.runIf(name === 'webgpu')('refuse float64 on a device that has none', async () => {
    await expect(
      outputOf('double', { n1: 1, n2: 1, n3: 8, axes: 1, transposed: false, ...MAGIC_FILTER }),
    ).rejects.toThrow(LimitError);
  });
});
