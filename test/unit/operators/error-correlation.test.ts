import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LimitError, type Backend } from '../../../engine/index.ts';
import { errorCorrelation } from '../../../engine/operators/stochastic-enkf/index.ts';
import { applyOperator, allBackends } from '../../setup/backends.ts';

/** Quarters and halves: sums of them are exact in both precisions. */
function inQuarters(seed: number): number {
  return (((seed * 7) % 11) - 5) / 4;
}

const SIZES = [
  { observations: 1, block: 1 },
  { observations: 7, block: 4 },
  { observations: 150, block: 90 },
];

describe.each(allBackends)('correlated errors on $name', ({ open }) => {
  let backend: Backend;
  beforeAll(async () => {
    backend = await open();
  });
  afterAll(() => backend.dispose());

  it.each(SIZES)('have their correlations beside $observations variances, $block of them in a block', async (size) => {
    const { observations: p, block } = size;
    const first = p - block;
    const rows = Array.from({ length: p }, (_, a) =>
      a < first ? [a] : Array.from({ length: a - first + 1 }, (_each, b) => first + b),
    );
    const indptr = new Uint32Array(p + 1);
    rows.forEach((row, a) => (indptr[a + 1] = indptr[a] + row.length));
    const indices = rows.flat();
    const correlation = rows.flatMap((row, a) => row.map((b) => (a === b ? 1 : inQuarters(a * p + b))));
    const inverseErrorStd = Float64Array.from({ length: p }, (_, j) => (j % 5 === 3 ? 0 : 1 + (j % 3)));
    const matrix = Float64Array.from({ length: p * p }, (_, at) => inQuarters(at + 1));
    const expected = matrix.slice();
    for (let a = first; a < p; a++) {
      for (let b = first; b < p; b++) {
        if (a === b || inverseErrorStd[a] === 0 || inverseErrorStd[b] === 0) continue;
        expected[a * p + b] += inQuarters(Math.max(a, b) * p + Math.min(a, b));
      }
    }
    const found = await applyOperator(
      backend,
      errorCorrelation,
      { observations: p, nonzeros: indices.length },
      { indptr, indices: Uint32Array.from(indices), correlation, inverseErrorStd, matrix },
    );
    expect(found.matrix).toBeClose(expected, { absolute: 0 });
  });

  it('need observations', async () => {
    await expect(backend.prepare(errorCorrelation, { observations: 0, nonzeros: 1 })).rejects.toThrow(LimitError);
  });
});
