import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Backend } from '../../../engine/index.ts';
import { LimitError } from '../../../engine/index.ts';
import { convolution } from '../../../engine/operators/convolution/index.ts';
import { applyOperator, allBackends } from '../../setup/backends.ts';
import { oracleCases } from '../../setup/oracle.ts';
import { noise } from '../../../engine/check/measures.ts';
import { wrap } from './signals.ts';

/** The formula itself, three sums inside each other. */
function tripleSum(
  volume: Float64Array,
  [n1, n2, n3]: readonly number[],
  taps: readonly number[],
  lower: number,
): Float64Array {
  const out = new Float64Array(volume.length);
  for (let i = 0; i < n1; i++)
    for (let j = 0; j < n2; j++)
      for (let k = 0; k < n3; k++)
        for (let a = 0; a < taps.length; a++)
          for (let b = 0; b < taps.length; b++)
            for (let c = 0; c < taps.length; c++) {
              const from = (wrap(i + a - lower, n1) * n2 + wrap(j + b - lower, n2)) * n3 + wrap(k + c - lower, n3);
              out[(i * n2 + j) * n3 + k] += taps[a] * taps[b] * taps[c] * volume[from];
            }
  return out;
}

describe.each(allBackends)('convolution on $name', ({ open, precision }) => {
  let backend: Backend;
  beforeAll(async () => {
    backend = await open();
  });
  afterAll(() => backend.dispose());

  it.each(oracleCases('convolution'))('reproduces $name', async ({ parameters, inputs, outputs, tolerance }) => {
    const [n1, n2, n3] = inputs['volume'].shape;
    const { taps, lower } = parameters as { taps: number[]; lower: number };
    const input = Float64Array.from(inputs['volume'].data);
    const { output } = await applyOperator(
      backend,
      convolution,
      { n1, n2, n3, taps, lower },
      { input, output: input.length },
    );
    expect(output).toBeClose(outputs['volume'].data, { relative: tolerance[precision] });
  });

  // Sums of 3 × taps products of numbers below 1: eps × taps × 3 passes × max|out| (all below 4).
  const rounding = precision === 'float64' ? 1e-14 : 2e-6;

  it.each([
    { sizes: [1, 1, 1], taps: [0.5, 0.25, -0.125], lower: 1 },
    { sizes: [2, 1, 3], taps: [0.1, 0.2, 0.3, 0.4, 0.5], lower: 4 },
    { sizes: [5, 4, 1], taps: [0.3, -0.7], lower: 0 },
    { sizes: [3, 35, 66], taps: [0.25, 0.5, 0.25], lower: 1 },
    { sizes: [2, 3, 70], taps: [1, 0, 0.5, 0, 0, -0.25, 0], lower: 3 },
  ])('is the triple sum for sizes $sizes and $taps.length taps', async ({ sizes, taps, lower }) => {
    const [n1, n2, n3] = sizes;
    const input = noise(n1 * n2 * n3);
    const { output } = await applyOperator(
      backend,
      convolution,
      { n1, n2, n3, taps, lower },
      { input, output: input.length },
    );
    expect(output).toBeClose(tripleSum(input, sizes, taps, lower), { relative: rounding });
  });

  it('shifts by whole points when one tap is 1, with more taps than a chunk of the kernel holds', async () => {
    const taps = Array.from({ length: 151 }, (_, q) => (q === 140 ? 1 : 0));
    const [n1, n2, n3] = [3, 7, 130];
    const input = noise(n1 * n2 * n3);
    const { output } = await applyOperator(
      backend,
      convolution,
      { n1, n2, n3, taps, lower: 2 },
      { input, output: input.length },
    );
    const expected = input.map((_, at) => {
      const [i, j, k] = [Math.floor(at / (n2 * n3)), Math.floor(at / n3) % n2, at % n3];
      return input[(((i + 138) % n1) * n2 + ((j + 138) % n2)) * n3 + ((k + 138) % n3)];
    });
    expect(output).toBeClose(expected, { absolute: 0 });
  });
});

describe('convolution parameters', () => {
  const good = { n1: 2, n2: 2, n3: 2, taps: [1], lower: 0 };

  it.each([
    [{ ...good, n2: 0 }, /n2 is 0/],
    [{ ...good, n3: 1.5 }, /n3 is 1.5/],
    [{ ...good, taps: [] }, /taps is empty/],
    [{ ...good, taps: [1, NaN] }, /taps\[1\] is NaN/],
    [{ ...good, lower: 1 }, /from 0 to 0/],
  ])('refuses %o', (parameters, message) => {
    expect(() => convolution.implementations.reference(parameters)).toThrow(LimitError);
    expect(() => convolution.cost(parameters, 8)).toThrow(message);
  });

  it('counts three passes of 32 operations a point for 16 taps, as published, and a volume read and written', () => {
    const taps = Array.from({ length: 16 }, () => 1);
    const { bytes, flops } = convolution.cost({ n1: 4, n2: 5, n3: 6, taps, lower: 7 }, 4);
    expect(flops).toBe(3 * 32 * 120);
    expect(bytes).toBe(2 * 120 * 4);
  });
});
