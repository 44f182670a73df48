/** The mathematics of the recursive filter in float64: matrix, kernel, variance, limits. No backend is opened. */
import { describe, expect, it } from 'vitest';
import { LimitError } from '../../../engine/index.ts';
import {
  filterReach,
  overlappedBand,
  recursiveFilter,
  recursiveFilterTaps,
  recursiveFilterVariance,
} from '../../../engine/operators/recursive-filter/index.ts';
import type { RecursiveFilterParameters } from '../../../engine/operators/recursive-filter/plan.ts';
import { tileLines } from '../../../engine/operators/recursive-filter/variants.ts';
import { signal } from './recursive-filter-cases.ts';

/** The matrix of a filter on a line, by rows. */
function matrixOf(parameters: RecursiveFilterParameters): Float64Array {
  const { nx } = parameters;
  const run = recursiveFilter.implementations.reference(parameters);
  const matrix = new Float64Array(nx * nx);
  const output = new Float64Array(nx);
  for (let j = 0; j < nx; j++) {
    const input = new Float64Array(nx);
    input[j] = 1;
    run({ input, output });
    for (let i = 0; i < nx; i++) matrix[i * nx + j] = output[i];
  }
  return matrix;
}

const transposed = (matrix: Float64Array, n: number): Float64Array =>
  matrix.map((_, at) => matrix[(at % n) * n + Math.floor(at / n)]);

/** e^{−x} I_n(x), by the integral (1/π) ∫ e^{x(cos θ − 1)} cos nθ dθ, exact to rounding with so many nodes. */
function scaledBessel(n: number, x: number): number {
  const nodes = 256;
  let sum = 0;
  for (let k = 0; k < nodes; k++) {
    const theta = (2 * Math.PI * k) / nodes;
    sum += Math.exp(x * (Math.cos(theta) - 1)) * Math.cos(n * theta);
  }
  return sum / nodes;
}

/** e^{−x²/2σ²} / (σ√2π). */
const gaussian = (x: number, sigma: number): number =>
  Math.exp(-(x ** 2) / (2 * sigma ** 2)) / (sigma * Math.sqrt(2 * Math.PI));

describe('the matrix of the filter', () => {
  it.each([1, 2, 5, 10])('is symmetric for N = 40, σ = 2, K = %i', (iterations) => {
    const matrix = matrixOf(signal(40, 2, iterations));
    expect(matrix).toBeClose(transposed(matrix, 40), { absolute: 1e-15 });
    expect(matrix[20 * 40 + 20]).toBeGreaterThan(0.1);
  });

  it.each([
    { form: 'sweeps' as const },
    { form: 'fir' as const },
    { decomposition: { blocks: 7, overlap: 3 } },
    { decomposition: { blocks: 40, overlap: 5 } },
  ])('has as its adjoint the transpose, entry by entry: %o', (how) => {
    const parameters = { ...signal(40, 2, 3), ...how };
    const adjoint = matrixOf({ ...parameters, transpose: true });
    expect(adjoint).toBeClose(transposed(matrixOf(parameters), 40), { absolute: 1e-16 });
  });

  it('is not symmetric when decomposed, so that its adjoint is of its own', () => {
    const matrix = matrixOf({ ...signal(40, 2, 3), decomposition: { blocks: 7, overlap: 3 } });
    expect(matrix).not.toBeClose(transposed(matrix, 40), { absolute: 1e-3 });
  });

  it('is the filter itself when decomposed into one block', () => {
    const whole = signal(40, 2, 3);
    expect(matrixOf({ ...whole, decomposition: { blocks: 1, overlap: 0 } })).toBeClose(matrixOf(whole), {
      absolute: 0,
    });
  });

  it.each([
    { count: 1, overlap: 3 },
    { count: 7, overlap: 0 },
    { count: 7, overlap: 3 },
    { count: 3, overlap: 50 },
  ])('is that of its band when decomposed: %o', ({ count, overlap }) => {
    const matrix = matrixOf({ ...signal(40, 2, 3), decomposition: { blocks: count, overlap } });
    const { lower, width, rows } = overlappedBand(40, 2, 3, { count, overlap });
    const expected = matrix.map((_, at) => {
      const q = (at % 40) - Math.floor(at / 40) + lower;
      return q < 0 || q >= width ? 0 : rows[Math.floor(at / 40) * width + q];
    });
    expect(matrix).toBeClose(expected, { absolute: 1e-15 });
  });

  it('nears the whole filter as the overlap grows', () => {
    const whole = matrixOf(signal(60, 2, 5));
    const errors = [2, 5, 10, 16].map((overlap) => {
      const cut = matrixOf({ ...signal(60, 2, 5), decomposition: { blocks: 3, overlap } });
      // Away from the two ends, where zeros beyond the row replace the end conditions.
      return Math.max(...cut.map((value, at) => (at % 60 > 20 && at % 60 < 40 ? Math.abs(value - whole[at]) : 0)));
    });
    for (let i = 1; i < errors.length; i++) expect(errors[i]).toBeLessThan(errors[i - 1] / 3);
    expect(errors[3]).toBeLessThan(1e-7);
  });
});

describe('recursiveFilterTaps', () => {
  it('are the interior of the sweeps, with unit sum and variance σ²', () => {
    const taps = recursiveFilterTaps(3, 4, 1e-16);
    const row = matrixOf(signal(401, 3, 4))
      .subarray(200 * 401 + 200, 201 * 401)
      .subarray(0, taps.length);
    expect(taps.subarray(0, row.length)).toBeClose(row, { absolute: 1e-15 });
    const moment = (power: number) => taps.reduce((sum, weight, n) => sum + 2 * weight * n ** power, 0);
    expect(moment(0) - taps[0]).toBeCloseTo(1, 13);
    expect(moment(2)).toBeCloseTo(9, 9);
  });

  it('tend to the Bessel kernel with 1/K', () => {
    const errors = [100, 1000, 10_000].map((iterations) => {
      const taps = recursiveFilterTaps(2, iterations, 1e-14);
      return Math.max(...taps.map((weight, n) => Math.abs(weight - scaledBessel(n, 4))));
    });
    expect(errors[0]).toBeLessThan(5e-3);
    expect(errors[0] / errors[1]).toBeCloseTo(10, 0);
    expect(errors[1] / errors[2]).toBeCloseTo(10, 0);
  });

  it('stay 3.8 % from the sampled Gaussian at σ = 2, and come to 0.27 % of it at σ = 8, K = 500', () => {
    expect(recursiveFilterTaps(2, 1e6, 1e-12)[0] / gaussian(0, 2)).toBeCloseTo(1.038, 3);
    expect(recursiveFilterTaps(8, 500, 1e-12)[0] / gaussian(0, 8)).toBeCloseTo(1.0027, 4);
  });

  it.each([
    { sigma: 0.4, iterations: 1 },
    { sigma: 2, iterations: 500 },
    { sigma: 25, iterations: 2 },
  ])('reach as far as the tolerance asks and no further: σ $sigma, K $iterations', ({ sigma, iterations }) => {
    const whole = recursiveFilterTaps(sigma, iterations, 1e-16);
    const tail = (reach: number) => 2 * whole.subarray(reach + 1).reduce((sum, weight) => sum + weight, 0);
    const reach = recursiveFilterTaps(sigma, iterations, 1e-8).length - 1;
    expect(tail(reach)).toBeLessThanOrEqual(1e-8);
    expect(tail(reach - 2)).toBeGreaterThan(1e-8);
    const bound = filterReach(sigma, iterations, 1e-8);
    expect(bound).toBeGreaterThanOrEqual(reach);
    expect(bound).toBeLessThanOrEqual(reach + 2 + 2 * sigma);
  });

  it('are a single 1 for σ = 0', () => {
    expect(recursiveFilterTaps(0, 3, 1e-8)).toEqual(Float64Array.of(1));
  });
});

describe('recursiveFilterVariance', () => {
  it.each([
    { n: 1, sigma: 2, iterations: 3, boundary: 'free' as const },
    { n: 2, sigma: 5, iterations: 2, boundary: 'free' as const },
    { n: 80, sigma: 2, iterations: 5, boundary: 'free' as const },
    { n: 80, sigma: 2, iterations: 5, boundary: 'periodic' as const },
    { n: 15, sigma: 6, iterations: 2, boundary: 'free' as const },
    { n: 15, sigma: 6, iterations: 2, boundary: 'periodic' as const },
    { n: 64, sigma: 0, iterations: 2, boundary: 'free' as const },
  ])('is the diagonal of A·Aᵀ: n $n, σ $sigma, K $iterations, $boundary', ({ n, sigma, iterations, boundary }) => {
    const matrix = matrixOf({ ...signal(n, sigma, iterations), boundaryX: boundary });
    const diagonal = Float64Array.from({ length: n }, (_, i) =>
      matrix.subarray(i * n, (i + 1) * n).reduce((sum, weight) => sum + weight ** 2, 0),
    );
    expect(recursiveFilterVariance(n, sigma, iterations, boundary)).toBeClose(diagonal, { absolute: 1e-14 });
  });

  it('is quick for a long line', () => {
    const variance = recursiveFilterVariance(1_000_000, 5, 10, 'free');
    expect(variance[500_000]).toBe(variance[100]);
    expect(variance[0]).not.toBeCloseTo(variance[100], 3);
  });

  it('refuses nonsense', () => {
    expect(() => recursiveFilterVariance(0, 1, 1, 'free')).toThrow(LimitError);
    expect(() => recursiveFilterVariance(5, -1, 1, 'free')).toThrow(/sigma -1/);
    expect(() => recursiveFilterVariance(5, 1, 0, 'free')).toThrow(/iterations 0/);
  });
});

describe('recursive-filter parameters', () => {
  const good = signal(10, 2, 3);

  it.each([
    [{ ...good, nx: 0 }, /nx is 0/],
    [{ ...good, batch: 1.5 }, /batch is 1\.5/],
    [{ ...good, sigmaX: -1 }, /sigmaX is -1/],
    [{ ...good, sigmaY: NaN }, /sigmaY is NaN/],
    [{ ...good, iterations: 0 }, /iterations is 0/],
    [{ ...good, decomposition: { blocks: 11, overlap: 1 } }, /blocks is 11, more than the 10 points/],
    [{ ...good, decomposition: { blocks: 0, overlap: 1 } }, /blocks is 0/],
    [{ ...good, decomposition: { blocksY: 2, overlap: 1 } }, /blocksY is 2, more than the 1 points of a column/],
    [{ ...good, ny: 4, boundaryY: 'periodic' as const, decomposition: { blocksY: 2, overlap: 1 } }, /boundaryY "free"/],
    [{ ...good, decomposition: { blocks: 2, overlap: -1 } }, /overlap is -1/],
    [{ ...good, form: 'fir' as const, decomposition: { blocks: 2, overlap: 1 } }, /literal sweeps with free ends/],
    [{ ...good, boundaryX: 'periodic' as const, decomposition: { blocks: 2, overlap: 1 } }, /boundaryX "free"/],
    [{ ...good, nx: 20_000, sigmaX: 900, form: 'fir' as const }, /use form "sweeps"/],
  ])('are refused when they make no sense: %#', (parameters, message) => {
    expect(() => recursiveFilter.implementations.reference(parameters)).toThrow(LimitError);
    expect(() => recursiveFilter.cost(parameters, 4)).toThrow(message);
  });

  it('count six operations an iteration for the sweeps, two a tap for the FIR', () => {
    const parameters = { ...signal(1000, 2, 500), batch: 3 };
    expect(recursiveFilter.cost(parameters, 8)).toEqual({ bytes: 2 * 3000 * 8, flops: 6 * 500 * 3000 });
    const taps = 2 * recursiveFilterTaps(2, 500, 1e-9).length - 1;
    expect(recursiveFilter.cost({ ...parameters, form: 'fir' }, 4).flops).toBe(2 * taps * 3000);
    const overlapping = { ...parameters, decomposition: { blocks: 10, overlap: 5 } };
    expect(recursiveFilter.cost(overlapping, 4).flops).toBeCloseTo(6 * 500 * 3 * (1000 + 10 * 2 * 5), 3);
    expect(recursiveFilter.cost({ ...parameters, ny: 4, sigmaY: 1 }, 4).bytes).toBe(2 * 2 * 12_000 * 4);
  });

  it('let auto take the FIR for many iterations and the sweeps for few', () => {
    for (const [parameters, form] of [
      [signal(1000, 2, 500), 'fir'],
      [signal(1000, 20, 2), 'sweeps'],
    ] as const) {
      expect(recursiveFilter.cost({ ...parameters, form: 'auto' }, 4)).toEqual(
        recursiveFilter.cost({ ...parameters, form }, 4),
      );
    }
  });
});

describe('tileLines', () => {
  it('covers a line with tiles whose halos fit', () => {
    for (const points of [1, 5, 128, 129, 1000, 1024, 1025, 8192, 100_000])
      for (const reach of [1, 20, 400]) {
        const { lanes, cells, tilePoints, halo, tiles } = tileLines(points, reach);
        expect(Number.isInteger(Math.log2(lanes)) && lanes <= 256 && cells <= 32).toBe(true);
        expect(tiles * tilePoints).toBeGreaterThanOrEqual(points);
        expect(tilePoints + (tiles > 1 ? 2 * halo : 0)).toBeLessThanOrEqual(lanes * cells);
        expect(tiles === 1 || halo >= reach).toBe(true);
      }
  });

  it('says what would fit when a kernel reaches too far', () => {
    expect(() => tileLines(10_000, 4000)).toThrow(LimitError);
    expect(tileLines(8192, 1e6).tiles).toBe(1);
  });
});
