import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Backend } from '../../../engine/index.ts';
import { wetProjection } from '../../../engine/operators/wet-projection/index.ts';
import { applyOperator, allBackends } from '../../setup/backends.ts';

/** Depths of 0, 0.25 and 0.5 m: the one that is just dry counts as dry. */
const depth = (cell: number): number => 0.25 * (cell % 5 < 3 ? cell % 5 : 2);

describe.each(allBackends)('the projection onto wet cells on $name', ({ open }) => {
  let backend: Backend;
  beforeAll(async () => {
    backend = await open();
  });
  afterAll(() => backend.dispose());

  it.each([
    { variables: 3, cells: 5 },
    { variables: 1, cells: 257 },
    { variables: 3, cells: 600 },
  ])('omits $variables variables where $cells cells are dry', async ({ variables, cells }) => {
    const dryDepth = 0.25;
    const bed = Float64Array.from({ length: cells }, (_, cell) => (cell % 3) - 1);
    const background = Float64Array.from({ length: variables * cells }, (_, i) =>
      i < cells ? bed[i] + depth(i) : 7 + i,
    );
    const given = Float64Array.from({ length: variables * cells }, (_, i) => 1 + (i % 13));
    const { increment } = await applyOperator(
      backend,
      wetProjection,
      { variables, cells, dryDepth, thinDepth: 0 },
      { background, bed, increment: given },
    );
    expect([...increment]).toEqual([...given].map((value, i) => (depth(i % cells) > dryDepth ? value : 0)));
  });

  it('lets increments grow with the depth of thin water, and leaves those of deeper water', async () => {
    const depths = Float64Array.from({ length: 21 }, (_, cell) => cell / 8);
    const bed = depths.map((_, cell) => -cell);
    const { increment } = await applyOperator(
      backend,
      wetProjection,
      { variables: 2, cells: 21, dryDepth: 0.125, thinDepth: 2 },
      {
        background: Float64Array.from({ length: 42 }, (_, i) => (i < 21 ? bed[i] + depths[i] : 5)),
        bed,
        increment: new Float64Array(42).fill(3),
      },
    );
    // Powers of two: every share is exact.
    const shares = [...depths].map((each) => (each <= 0.125 ? 0 : Math.min(1, each / 2)));
    expect([...increment]).toEqual([...shares, ...shares].map((share) => 3 * share));
  });
});
