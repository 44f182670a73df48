import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Backend } from '../../../engine/index.ts';
import { LimitError } from '../../../engine/index.ts';
import { diagonal } from '../../../engine/operators/diagonal/index.ts';
import { applyOperator, allBackends } from '../../setup/backends.ts';

describe.each(allBackends)('diagonal on $name', ({ open }) => {
  let backend: Backend;
  beforeAll(async () => {
    backend = await open();
  });
  afterAll(() => backend.dispose());

  it.each([
    { length: 1, batch: 1 },
    { length: 5, batch: 3 },
    { length: 257, batch: 2 },
  ])('multiplies $batch fields of $length by one scale', async ({ length, batch }) => {
    // Small integers and quarters: exact in both precisions.
    const scale = Float64Array.from({ length }, (_, i) => (i % 7) - 3);
    const input = Float64Array.from({ length: length * batch }, (_, i) => (i % 11) / 4);
    const { output } = await applyOperator(
      backend,
      diagonal,
      { length, batch },
      { scale, input, output: length * batch },
    );
    expect(output).toBeClose(
      input.map((value, i) => scale[i % length] * value),
      { absolute: 0 },
    );
  });
});

describe('diagonal parameters', () => {
  it('must be positive integers', () => {
    expect(() => diagonal.implementations.reference({ length: 0, batch: 1 })).toThrow(/length is 0/);
    expect(() => diagonal.cost({ length: 2, batch: 1.5 }, 4)).toThrow(LimitError);
  });

  it('reads and writes each field once, and the scale once', () => {
    expect(diagonal.cost({ length: 10, batch: 3 }, 4)).toEqual({ bytes: 7 * 10 * 4, flops: 30 });
  });
});
