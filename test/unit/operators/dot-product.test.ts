import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Backend } from '../../../engine/index.ts';
import { dotProduct } from '../../../engine/operators/dot-product/index.ts';
import { applyOperator, allBackends } from '../../setup/backends.ts';

/** Reproducible numbers in (−1, 1): a Weyl sequence, well spread and never 0. */
function spread(length: number, start = 1): Float64Array {
  return Float64Array.from({ length }, (_, i) => 2 * (((i + start) * 0.786_151_377_757_423_3) % 1) - 1);
}

function dot(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i];
  return sum;
}

describe.each(allBackends)('dot product on $name', ({ open, precision }) => {
  const single = precision === 'float32';
  let backend: Backend;
  beforeAll(async () => {
    backend = await open();
  });
  afterAll(() => backend.dispose());

  it.each([1, 255, 257, 1000, 300_001])('sums %d products pairwise', async (length) => {
    const x = spread(length).map((value) => 1 + 0.1 * value);
    const y = spread(length, 99);
    const { result } = await applyOperator(backend, dotProduct, { length, factor: 0.5 }, { x, y, result: 1 });
    const scale =
      0.5 *
      dot(
        x,
        y.map((value) => Math.abs(value)),
      );
    // Some 20 levels of pairs, and each factor and product rounded once: 23 × 6e-8 of the sum of sizes at most; float64 sums
    // one after the other, whose rounding grows as the root of their number.
    expect(result[0]).toBeClose(0.5 * dot(x, y), { absolute: scale * (single ? 1.4e-6 : 1e-13) });
  });
});
