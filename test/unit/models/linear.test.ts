import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createReferenceBackend, LimitError, type Backend } from '../../../engine/index.ts';
import {
  differenceFrom,
  LINEARISED_CASES,
  taylorOrder,
  transposeError,
} from '../../../engine/check/assimilation/linear-models.ts';
import { FLOAT32_DIFFERENCE, LEAST_ORDER, LIMITED_SHARE } from '../../../engine/check/cases/linearised.ts';
import { createLinearWindow, createLorenz96 } from '../../../engine/models/index.ts';
import { allBackends } from '../../setup/backends.ts';

describe.each(allBackends)('linearised models on $name', ({ open, precision }) => {
  const isExact = precision === 'float64';
  let backend: Backend;
  beforeAll(async () => {
    backend = await open();
  });
  afterAll(() => backend.dispose());

  it.each(LINEARISED_CASES)('$name: the adjoint is the transpose of the tangent', async (each) => {
    const { difference, size } = await transposeError(backend, each);
    expect(difference).toBeLessThan(isExact ? 1e-14 : 2e-6);
    expect(size).toBeGreaterThan(1e-3);
  });

  // At a shore another rounding takes another branch of a limit: there the transpose alone is compared.
  it.each(LINEARISED_CASES.filter(({ isLimited }) => !isLimited))('$name: both are those of float64', async (each) => {
    const reference = createReferenceBackend();
    expect(await differenceFrom(reference, backend, each)).toBeLessThanOrEqual(isExact ? 0 : FLOAT32_DIFFERENCE);
    reference.dispose();
  });
});

describe('linearised models', () => {
  it.each(LINEARISED_CASES)('$name: what the tangent leaves is of second order', async (each) => {
    const backend = createReferenceBackend();
    const { order, share } = await taylorOrder(backend, each);
    expect(each.isLimited ? LIMITED_SHARE : order).toBeGreaterThan(each.isLimited ? share : LEAST_ORDER);
    backend.dispose();
  });

  it('refuses a trajectory that is too large to keep', async () => {
    const backend = createReferenceBackend();
    const long = createLinearWindow(backend, createLorenz96({ n: 4000 }), { seconds: 10_000, shares: [] });
    await expect(long).rejects.toThrow(LimitError);
    await expect(long).rejects.toThrow(/the trajectory of a window of 200000 steps takes \d+ MiB, allowed: 2048 MiB/);
    backend.dispose();
  });
});
