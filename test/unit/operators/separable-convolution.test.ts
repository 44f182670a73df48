import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Backend } from '../../../engine/index.ts';
import { LimitError } from '../../../engine/index.ts';
import { gaussianTaps, separableConvolution2d } from '../../../engine/operators/convolution/index.ts';
import type { SeparableConvolution2dParameters } from '../../../engine/operators/convolution/index.ts';
import { applyOperator, allBackends } from '../../setup/backends.ts';
import { noise } from '../../../engine/check/measures.ts';
import { dot, wrap } from './signals.ts';

const skew = { taps: [0.5, -0.25, 0.125, 1], lower: 1 };
const wide = { taps: Array.from({ length: 19 }, (_, q) => Math.fround(1 / (q + 3))), lower: 12 };

const base: SeparableConvolution2dParameters = {
  nx: 70,
  ny: 19,
  batch: 2,
  tapsX: skew,
  tapsY: wide,
  boundaryX: 'zero',
  boundaryY: 'periodic',
  transpose: false,
};

/** The double sum of the definition. */
function doubleSum(
  { nx, ny, batch, tapsX, tapsY, boundaryX, boundaryY }: SeparableConvolution2dParameters,
  input: Float64Array,
): Float64Array {
  const output = new Float64Array(input.length);
  for (let field = 0; field < batch; field++)
    for (let j = 0; j < ny; j++)
      for (let i = 0; i < nx; i++)
        for (const [b, weightY] of tapsY.taps.entries())
          for (const [a, weightX] of tapsX.taps.entries()) {
            const [fromX, fromY] = [i + a - tapsX.lower, j + b - tapsY.lower];
            const x = boundaryX === 'periodic' ? wrap(fromX, nx) : fromX;
            const y = boundaryY === 'periodic' ? wrap(fromY, ny) : fromY;
            if (x < 0 || x >= nx || y < 0 || y >= ny) continue;
            output[(field * ny + j) * nx + i] += weightX * weightY * input[(field * ny + y) * nx + x];
          }
  return output;
}

describe.each(allBackends)('separable-convolution-2d on $name', ({ open, precision }) => {
  let backend: Backend;
  beforeAll(async () => {
    backend = await open();
  });
  afterAll(() => backend.dispose());

  async function apply(parameters: SeparableConvolution2dParameters, input: Float64Array): Promise<Float64Array> {
    return (await applyOperator(backend, separableConvolution2d, parameters, { input, output: input.length })).output;
  }

  // 4 + 19 roundings of sums below 4 in size.
  const rounding = precision === 'float64' ? 1e-14 : 3e-6;

  it.each([
    base,
    { ...base, boundaryX: 'periodic' as const, boundaryY: 'zero' as const },
    { ...base, nx: 3, ny: 5, batch: 3 },
    { ...base, nx: 1, ny: 1, batch: 1 },
  ])('is the double sum on $batch fields of $ny × $nx', async (parameters) => {
    const input = noise(parameters.nx * parameters.ny * parameters.batch);
    expect(await apply(parameters, input)).toBeClose(doubleSum(parameters, input), { relative: rounding });
  });

  it.each([base, { ...base, nx: 3, ny: 5, batch: 3 }])(
    'has the adjoint ⟨Ax, y⟩ = ⟨x, Aᵀy⟩ on $batch fields of $ny × $nx',
    async (parameters) => {
      const length = parameters.nx * parameters.ny * parameters.batch;
      const [x, y] = [noise(length, 2), noise(length, 3)];
      const forward = dot(await apply(parameters, x), y);
      const backward = dot(x, await apply({ ...parameters, transpose: true }, y));
      expect(Math.abs(forward - backward) / length).toBeLessThan(precision === 'float64' ? 1e-14 : 1e-6);
      // The filter is far from symmetric, so the test would see a transpose that is omitted.
      expect(Math.abs(dot(await apply(parameters, y), x) - forward)).toBeGreaterThan(0.5);
    },
  );

  it('keeps a constant where a Gaussian of unit sum does not reach the edge', async () => {
    const taps = gaussianTaps(3, 1e-7);
    const parameters = { ...base, ny: 70, batch: 1, tapsX: taps, tapsY: taps };
    const output = await apply(parameters, new Float64Array(70 * 70).fill(2));
    const interior = Array.from({ length: 70 }, (_, j) => output[j * 70 + 35]);
    expect(interior).toBeClose(new Float64Array(70).fill(2), { absolute: precision === 'float64' ? 1e-14 : 1e-6 });
    expect(output[35 * 70]).toBeLessThan(1.2);
  });
});

describe('gaussianTaps', () => {
  it('are symmetric, of unit sum, with the variance L²', () => {
    const { taps, lower } = gaussianTaps(4, 1e-15);
    const moment = (power: number) =>
      Array.from(taps).reduce((sum, weight, q) => sum + weight * (q - lower) ** power, 0);
    expect(moment(0)).toBeCloseTo(1, 14);
    expect(Math.abs(moment(1))).toBeLessThan(1e-14);
    expect(moment(2)).toBeCloseTo(16, 11);
    expect(Array.from(taps).toReversed()).toEqual(Array.from(taps));
  });

  it('omit no more than the tolerance, and no taps that they need not', () => {
    const whole = gaussianTaps(2.5, 1e-16);
    const { taps, lower } = gaussianTaps(2.5, 1e-4);
    const tail = (reach: number) =>
      Array.from(whole.taps)
        .filter((_, q) => Math.abs(q - whole.lower) > reach)
        .reduce((sum, weight) => sum + weight, 0);
    expect(taps.length).toBe(2 * lower + 1);
    expect(tail(lower)).toBeLessThanOrEqual(1e-4);
    expect(tail(lower - 1)).toBeGreaterThan(1e-4);
  });

  it('are a single 1 for a length of 0, and refuse nonsense', () => {
    expect(gaussianTaps(0, 1e-8)).toEqual({ taps: [1], lower: 0 });
    expect(() => gaussianTaps(-1, 1e-8)).toThrow(/length is -1/);
    expect(() => gaussianTaps(1, 0)).toThrow(LimitError);
  });
});

describe('separable-convolution-2d parameters', () => {
  it.each([
    [{ ...base, nx: 0 }, /nx is 0/],
    [{ ...base, batch: 0.5 }, /batch is 0\.5/],
    [{ ...base, tapsX: { taps: [], lower: 0 } }, /tapsX is empty/],
    [{ ...base, tapsY: { taps: [1, 2], lower: 2 } }, /lower of tapsY is 2/],
  ])('refuses what cannot be filtered: %#', (parameters, message) => {
    expect(() => separableConvolution2d.implementations.reference(parameters)).toThrow(message);
    expect(() => separableConvolution2d.cost(parameters, 4)).toThrow(LimitError);
  });

  it('counts two passes', () => {
    expect(separableConvolution2d.cost({ ...base, batch: 1 }, 4)).toEqual({
      bytes: 2 * 2 * 70 * 19 * 4,
      flops: 2 * (4 + 19) * 70 * 19,
    });
  });
});
