/** The bottoms of scenario files, as elevations. */
import { describe, expect, it } from 'vitest';
import { bedElevation } from '../../../engine/bathymetry/index.ts';
import { NO_FILES } from '../../../engine/index.ts';

const grid = { nx: 41, ny: 21, dx: 10, dy: 10, periodicX: false, periodicY: false };

describe('a harbour', () => {
  const harbour = { kind: 'harbour', depth: 20, endDepth: -4, breakwater: 0.5, crest: 5, opening: 0.15 } as const;
  const bed = bedElevation(harbour, grid, NO_FILES);
  const at = (j: number, i: number): number => bed[j * grid.nx + i];

  it('rises evenly from the deep end to the beach', () => {
    expect([at(0, 0), at(0, 10), at(0, 40)]).toEqual([-20, -14, 4]);
  });

  it('has a breakwater as high as its crest, which slopes down within two cells', () => {
    expect([at(3, 18), at(3, 19), at(3, 20), at(3, 21), at(3, 22)]).toEqual(
      [-9.2, -1.8, 5, -1.2, -6.8].map((z) => expect.closeTo(z, 1)),
    );
  });

  it('has an opening in the middle, of its share of the width', () => {
    const open = Array.from({ length: grid.ny }, (_, j) => j).filter((j) => at(j, 20) < 0);
    expect(open).toEqual([9, 10, 11]);
  });
});
