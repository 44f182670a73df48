import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Backend } from '../../../engine/index.ts';
import { LimitError } from '../../../engine/index.ts';
import { blockMean } from '../../../engine/operators/block-mean/index.ts';
import { applyOperator, allBackends } from '../../setup/backends.ts';

describe.each(allBackends)('means of blocks, on $name', ({ open }) => {
  let backend: Backend;
  beforeAll(async () => {
    backend = await open();
  });
  afterAll(() => backend.dispose());

  it.each([
    { nx: 5, ny: 3, variables: 3, factor: 2 },
    { nx: 3, ny: 1, variables: 1, factor: 4 },
    { nx: 140, ny: 130, variables: 2, factor: 1 },
  ])('are those of $factor × $factor cells, on $nx × $ny cells', async ({ nx, ny, variables, factor }) => {
    const cells = nx * ny;
    // Quarters, and blocks of 1, 4 and 16: exact in both precisions.
    const offset = Float64Array.from({ length: cells }, (_, i) => (i % 7) / 4);
    const coarse = Float64Array.from({ length: variables * cells }, (_, i) => (i % 31) - 11);
    const along = nx * factor;
    const fine = Float64Array.from({ length: variables * cells * factor ** 2 }, (_, element) => {
      const [row, column] = [Math.floor(element / along), element % along];
      const apart = factor === 1 ? 0 : 2 * ((row + column) % 2) - 1;
      return coarse[Math.floor(row / factor) * nx + Math.floor(column / factor)] + apart;
    });
    const found = await applyOperator(
      backend,
      blockMean,
      { nx, ny, variables, factor },
      { fine, offset, coarse: variables * cells },
    );
    const expected = coarse.map((value, i) => value + (i < cells ? offset[i] : 0));
    expect(found.coarse).toBeClose(expected, { absolute: 0 });
  });
});

describe('what a block is', () => {
  it('is at least a cell', () => {
    expect(() => blockMean.cost({ nx: 4, ny: 4, variables: 3, factor: 0 }, 4)).toThrow(LimitError);
    expect(blockMean.cost({ nx: 2, ny: 2, variables: 3, factor: 2 }, 4)).toEqual({ bytes: 256, flops: 60 });
  });
});
