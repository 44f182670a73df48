/** The magic filter, and the pass along one axis that is timed with it. */
import { describe, expect, it } from 'vitest';
import {
  axisConvolution,
  INVERSE_MAGIC_FILTER,
  MAGIC_FILTER,
} from '../../../../engine/papers/separable-convolution/benchmarks.ts';
import { someNumbers } from '../../../../engine/benchmarks/operator-workload.ts';

import { applyOperator, backends } from '../../../setup/backends.ts';

function dot(x: Float64Array, y: Float64Array): number {
  return x.reduce((sum, value, i) => sum + value * y[i], 0);
}

describe('the magic filter', () => {
  it('has sixteen taps from −7 to 8 that sum to 1, and its transpose those from −8 to 7', () => {
    expect(MAGIC_FILTER.taps).toHaveLength(16);
    expect(MAGIC_FILTER.lower).toBe(7);
    // Seventeen digits of each as they were published, so that the sum is right to as many roundings as there are taps.
    expect(MAGIC_FILTER.taps.reduce((sum, tap) => sum + tap, 0)).toBeCloseTo(1, 14);
    expect(INVERSE_MAGIC_FILTER.taps).toEqual(MAGIC_FILTER.taps.toReversed());
    expect(INVERSE_MAGIC_FILTER.lower).toBe(8);
    // The tap at offset 0.
    expect(MAGIC_FILTER.taps[MAGIC_FILTER.lower]).toBe(0.9940415697834004);
  });
});

describe.each(backends)('the pass along an axis on $name', ({ open, precision }) => {
  it('is its formula, and the two filters are adjoint', async () => {
    const backend = await open();
    const size = { n1: 3, n2: 5, n3: 21 };
    const points = size.n1 * size.n2 * size.n3;
    const [a, b] = [someNumbers(points, 1, 1), someNumbers(points, 1, 2)];
    const filtered = async (input: Float64Array, filter: typeof MAGIC_FILTER | typeof INVERSE_MAGIC_FILTER) => {
      const { output } = await applyOperator(
        backend,
        axisConvolution,
        { ...size, ...filter },
        { input, output: points },
      );
      return output;
    };
    const forward = await filtered(a, MAGIC_FILTER);
    const { taps, lower } = MAGIC_FILTER;
    const expected = a.map((_, at) => {
      const i = at % size.n3;
      return taps.reduce((sum, tap, q) => sum + tap * a[at - i + ((i + q - lower + size.n3) % size.n3)], 0);
    });
    // Sixteen terms, weights that sum to less than 1.3 in size, values below 1.
    const rounding = 17 * 1.3 * (precision === 'float64' ? 1.2e-16 : 6e-8);
    expect(forward).toBeClose(expected, { absolute: rounding });
    const back = await filtered(b, INVERSE_MAGIC_FILTER);
    // Rounding of as many products as there are points.
    expect(Math.abs(dot(forward, b) - dot(a, back))).toBeLessThan(points * rounding);
    backend.dispose();
  });
});
