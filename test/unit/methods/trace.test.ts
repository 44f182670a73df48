/** Traces by products: exact by unit vectors, and by random signs with an error that is reported. */
import { expect, it } from 'vitest';
import { createTraceProbes } from '../../../engine/methods/shared/explaining.ts';

const SIZE = 40;
/** Symmetric, with a diagonal of 1 … 40 over 10 and neighbours that are linked. */
function product(z: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < SIZE; i++) {
    sum += (z[i] * z[i] * (i + 1)) / 10;
    if (i > 0) sum += 2 * 0.5 * z[i] * z[i - 1];
  }
  return sum;
}

/** The first is not used. */
const USED = Array.from({ length: SIZE }, (_, j) => j > 0);
const TRACE = (SIZE * (SIZE + 1)) / 20 - 0.1;

it('is exact if there are as many products as observations', () => {
  const { vectors, trace } = createTraceProbes(USED, SIZE, 1);
  expect(vectors).toHaveLength(SIZE - 1);
  const { value, ...rest } = trace(vectors.map(product));
  expect(value).toBeClose(TRACE, { absolute: SIZE * 2 ** -50 * TRACE });
  expect(rest).toEqual({ standardError: 0, observations: SIZE - 1 });
});

it('is within a few of its standard errors otherwise, which are those of random signs', () => {
  const probes = 20;
  const { vectors, trace } = createTraceProbes(USED, probes, 1);
  expect(vectors).toHaveLength(probes);
  expect(vectors.every((vector) => vector[0] === 0 && vector.subarray(1).every((z) => Math.abs(z) === 1))).toBe(true);
  const { value, standardError, observations } = trace(vectors.map(product));
  expect(observations).toBe(SIZE - 1);
  // The variance of zᵀMz is twice the sum of squares off the diagonal: of 2 · 38 elements of 1/2.
  const expected = Math.sqrt((2 * 2 * 38 * 0.25) / probes);
  expect(Math.abs(value - TRACE)).toBeLessThan(4 * expected);
  // The standard deviation of 20 numbers is known to a factor of two, beyond four of its own errors.
  expect(standardError).toBeGreaterThan(expected / 2);
  expect(standardError).toBeLessThan(2 * expected);
});

it('is nothing of nothing', () => {
  const { vectors, trace } = createTraceProbes([false], 3, 1);
  expect(vectors).toHaveLength(0);
  expect(trace([])).toEqual({ value: 0, standardError: 0, observations: 0 });
});
