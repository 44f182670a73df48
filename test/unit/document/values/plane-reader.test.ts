/** Means over blocks of cells. */
import { describe, expect, it } from 'vitest';
import { blockMeans } from '../../../../app/document/values/plane-reader.ts';

describe('means over blocks', () => {
  const values = Float32Array.of(1, 2, 3, 4, 9, 5, 6, 7, 8, 9, 9, 9, 9, 9, 9);

  it('omit the cells beyond the last whole block', () => {
    expect(blockMeans(values, { nx: 5, ny: 3, x: 2, y: 2 })).toEqual(Float64Array.of(3.5, 5.5));
  });

  it('are of the differences from other numbers', () => {
    const other = values.map((value, cell) => value - cell);
    expect(blockMeans(values, { nx: 5, ny: 3, x: 2, y: 1 }, other)).toEqual(
      Float64Array.of(0.5, 2.5, 5.5, 7.5, 10.5, 12.5),
    );
  });

  it('of blocks of one cell are the numbers', () => {
    expect([...blockMeans(values, { nx: 5, ny: 3, x: 1, y: 1 })]).toEqual([...values]);
  });
});
