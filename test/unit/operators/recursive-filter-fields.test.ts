import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Backend } from '../../../engine/index.ts';
import { filterSymbol, recursiveFilter } from '../../../engine/operators/recursive-filter/index.ts';
import type { RecursiveFilterParameters } from '../../../engine/operators/recursive-filter/plan.ts';
import { applyOperator, allBackends } from '../../setup/backends.ts';
import { signal } from './recursive-filter-cases.ts';
import { noise } from '../../../engine/check/measures.ts';
import { dot, wrap } from './signals.ts';

const field: RecursiveFilterParameters = {
  ...signal(37, 2, 4),
  ny: 50,
  batch: 2,
  sigmaY: 3.5,
};

/** The symbol applied to a periodic signal by a discrete Fourier transform, term by term. */
function bySymbol(input: Float64Array, sigma: number, iterations: number): Float64Array {
  const n = input.length;
  const output = new Float64Array(n);
  for (let m = 0; m < n; m++) {
    const omega = (2 * Math.PI * m) / n;
    let real = 0;
    let imaginary = 0;
    for (let i = 0; i < n; i++) {
      real += input[i] * Math.cos(omega * i);
      imaginary -= input[i] * Math.sin(omega * i);
    }
    const gain = filterSymbol(sigma, iterations, omega) / n;
    for (let i = 0; i < n; i++) output[i] += gain * (real * Math.cos(omega * i) - imaginary * Math.sin(omega * i));
  }
  return output;
}

describe.each(allBackends)('recursive-filter of fields on $name', ({ open, precision }) => {
  let backend: Backend;
  beforeAll(async () => {
    backend = await open();
  });
  afterAll(() => backend.dispose());

  async function filter(parameters: RecursiveFilterParameters, input: Float64Array): Promise<Float64Array> {
    return (await applyOperator(backend, recursiveFilter, parameters, { input, output: input.length })).output;
  }

  // Float32: eps = 6e-8 for each of some ten roundings that an iteration's memory holds; a DFT of n terms has n · eps.
  const rounding = precision === 'float64' ? 1e-12 : 3e-6;

  it.each(['sweeps', 'fir'] as const)('filters every row, then every column, of every field as %s', async (form) => {
    const { nx, ny, batch, sigmaX, sigmaY, iterations } = field;
    const input = noise(nx * ny * batch);
    const expected = new Float64Array(input.length);
    const alongX = recursiveFilter.implementations.reference({ ...signal(nx, sigmaX, iterations), batch: ny * batch });
    const alongY = recursiveFilter.implementations.reference(signal(ny, sigmaY, iterations));
    alongX({ input, output: expected });
    const column = new Float64Array(ny);
    const filtered = new Float64Array(ny);
    for (let member = 0; member < batch; member++)
      for (let i = 0; i < nx; i++) {
        const start = member * nx * ny + i;
        for (let j = 0; j < ny; j++) column[j] = expected[start + j * nx];
        alongY({ input: column, output: filtered });
        for (let j = 0; j < ny; j++) expected[start + j * nx] = filtered[j];
      }
    expect(await filter({ ...field, form }, input)).toBeClose(expected, { relative: rounding });
  });

  it('leaves an axis of σ 0 as it is, and copies where both are', async () => {
    const { nx, ny, batch } = field;
    const input = noise(nx * ny * batch);
    const alongX = await filter({ ...field, sigmaY: 0 }, input);
    const rows = await filter({ ...signal(nx, field.sigmaX, field.iterations), batch: ny * batch }, input);
    expect(alongX).toBeClose(rows, { relative: rounding });
    expect(await filter({ ...field, sigmaX: 0, sigmaY: 0 }, input)).toBeClose(input, { absolute: 0 });
    const both = await filter(field, input);
    expect(await filter({ ...field, sigmaX: 0 }, alongX)).toBeClose(both, { relative: rounding });
  });

  it('cuts rows that are longer than a tile, several at a time', async () => {
    const parameters = { ...signal(1100, 2, 3), ny: 9 };
    const input = noise(1100 * 9);
    const expected = new Float64Array(input.length);
    recursiveFilter.implementations.reference(parameters)({ input, output: expected });
    for (const form of ['sweeps', 'fir'] as const) {
      expect(await filter({ ...parameters, form }, input)).toBeClose(expected, { relative: rounding });
    }
  });

  it.each([
    { nx: 1, sigma: 2, iterations: 2 },
    { nx: 2, sigma: 1, iterations: 1 },
    { nx: 9, sigma: 30, iterations: 3 },
    { nx: 24, sigma: 2.5, iterations: 4 },
    { nx: 121, sigma: 1.5, iterations: 100 },
  ])('is the symbol by a DFT on a circle of $nx, σ $sigma, K $iterations', async ({ nx, sigma, iterations }) => {
    const input = noise(nx);
    const parameters = { ...signal(nx, sigma, iterations), boundaryX: 'periodic' as const };
    const expected = bySymbol(input, sigma, iterations);
    expect(await filter(parameters, input)).toBeClose(expected, { relative: rounding });
    expect(await filter({ ...parameters, transpose: true }, input)).toBeClose(expected, { relative: rounding });
  });

  it('commutes with a shift along the periodic axis alone', async () => {
    const { nx, ny } = field;
    const parameters = { ...field, batch: 1, boundaryY: 'periodic' as const };
    const input = noise(nx * ny);
    const shift = (values: Float64Array) => values.map((_, at) => values[wrap(at - 7 * nx, nx * ny)]);
    expect(await filter(parameters, shift(input))).toBeClose(shift(await filter(parameters, input)), {
      relative: rounding,
    });
  });

  it.each([
    { ...field, form: 'sweeps' as const },
    { ...field, form: 'fir' as const },
    { ...field, nx: 3, form: 'fir' as const },
    { ...field, boundaryY: 'periodic' as const, form: 'auto' as const },
    { ...field, decomposition: { blocks: 5, overlap: 4 } },
    { ...field, decomposition: { blocks: 37, overlap: 2 } },
    { ...field, decomposition: { blocks: 4, overlap: 0 } },
    { ...field, decomposition: { blocksY: 3, overlap: 2 } },
    { ...field, decomposition: { blocks: 5, blocksY: 4, overlap: 11 } },
    { ...field, nx: 61, ny: 70, decomposition: { blocks: 9, blocksY: 70, overlap: 3 } },
  ])('has the adjoint ⟨Vx, y⟩ = ⟨x, Vᵀy⟩: case %#', async (parameters) => {
    const length = parameters.nx * parameters.ny * parameters.batch;
    const [x, y] = [noise(length, 5), noise(length, 6)];
    const forward = dot(await filter(parameters, x), y);
    const backward = dot(x, await filter({ ...parameters, transpose: true }, y));
    const size = Math.sqrt(dot(x, x) * dot(y, y));
    expect(Math.abs(forward - backward) / size).toBeLessThan(precision === 'float64' ? 1e-15 : 1e-7);
    expect(Math.abs(forward) / size).toBeGreaterThan(1e-5);
  });

  it('decomposes rows as the reference does, also where a block needs several tiles', async () => {
    for (const { nx, overlap } of [
      { nx: 37, overlap: 6 },
      { nx: 12_001, overlap: 9 },
    ]) {
      for (const transpose of [false, true]) {
        const parameters = { ...signal(nx, 3, 3), transpose, decomposition: { blocks: 2, overlap } };
        const input = noise(nx);
        const expected = new Float64Array(nx);
        recursiveFilter.implementations.reference(parameters)({ input, output: expected });
        expect(await filter(parameters, input)).toBeClose(expected, { relative: rounding });
      }
    }
  });

  it.each([
    { blocksY: 3, overlap: 2 },
    { blocks: 7, blocksY: 4, overlap: 5 },
    { blocks: 1, blocksY: 1, overlap: 90 },
    { blocks: 61, blocksY: 70, overlap: 1 },
  ])('decomposes fields as the reference does: %o', async (decomposition) => {
    const shape = { ...signal(61, 3, 3), ny: 70, sigmaY: 2, batch: 2, decomposition };
    const input = noise(61 * 70 * 2);
    for (const transpose of [false, true]) {
      const expected = new Float64Array(input.length);
      recursiveFilter.implementations.reference({ ...shape, transpose })({ input, output: expected });
      expect(await filter({ ...shape, transpose }, input)).toBeClose(expected, { relative: rounding });
    }
  });

  it('keeps a constant in the interior over 500 iterations', async () => {
    const nx = 200;
    for (const form of ['sweeps', 'fir'] as const) {
      const parameters = { ...signal(nx, 2, 500), form };
      const constant = await filter(parameters, new Float64Array(nx).fill(3));
      const interior = constant.subarray(20, nx - 20);
      expect(interior).toBeClose(new Float64Array(interior.length).fill(3), {
        absolute: precision === 'float64' ? 2e-12 : 1e-6,
      });
      expect(constant.every(Number.isFinite)).toBe(true);
    }
  });
});
