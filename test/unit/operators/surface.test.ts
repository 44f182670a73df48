import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Backend } from '../../../engine/index.ts';
import { LimitError } from '../../../engine/index.ts';
import { standardDeviation, surfaceElevation } from '../../../engine/operators/surface/index.ts';
import { applyOperator, allBackends } from '../../setup/backends.ts';

describe.each(allBackends)('states as they are drawn, on $name', ({ open }) => {
  let backend: Backend;
  beforeAll(async () => {
    backend = await open();
  });
  afterAll(() => backend.dispose());

  it.each([
    { cells: 1, variables: 1 },
    { cells: 5, variables: 3 },
    { cells: 257, variables: 2 },
  ])('adds the bed to component 0 of $variables on $cells cells', async ({ cells, variables }) => {
    // Quarters: exact in both precisions.
    const state = Float64Array.from({ length: cells * variables }, (_, i) => (i % 13) / 4);
    const bed = Float64Array.from({ length: cells }, (_, i) => -(i % 5) / 4);
    const { planes } = await applyOperator(
      backend,
      surfaceElevation,
      { cells, variables },
      { state, bed, planes: cells * variables },
    );
    expect(planes).toBeClose(
      state.map((value, i) => (i < cells ? value + bed[i] : value)),
      { absolute: 0 },
    );
  });

  it.each([1, 300])('takes %i square roots of a longer field, 0 of what rounding made negative', async (length) => {
    const variance = Float64Array.from({ length: length + 2 }, (_, i) => (i % 4) ** 2 / 4);
    variance[0] = -1e-12;
    const { deviation } = await applyOperator(backend, standardDeviation, { length }, { variance, deviation: length });
    // The square root of WGSL is right to 2.5 units of float32 at least.
    expect(deviation).toBeClose(
      Float64Array.from({ length }, (_, i) => (i % 4) / 2),
      { absolute: 3e-7 },
    );
  });
});

describe('their parameters', () => {
  it('must be positive integers', () => {
    expect(() => surfaceElevation.implementations.reference({ cells: 0, variables: 3 })).toThrow(/cells is 0/);
    expect(() => surfaceElevation.cost({ cells: 4, variables: 0.5 }, 4)).toThrow(LimitError);
    expect(() => standardDeviation.implementations.reference({ length: -1 })).toThrow(/length is -1/);
  });

  it('are counted', () => {
    expect(surfaceElevation.cost({ cells: 10, variables: 3 }, 4)).toEqual({ bytes: 280, flops: 10 });
    expect(standardDeviation.cost({ length: 10 }, 8)).toEqual({ bytes: 160, flops: 10 });
  });
});
