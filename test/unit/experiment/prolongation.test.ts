/** States over finer cells: as much in each cell as before, smooth where they were, at rest where they rested. */
import { describe, expect, it } from 'vitest';
import { prolong, prolongBed, prolongState, refinedGrid } from '../../../engine/experiment/hidden-truth.ts';
import { blockMean } from '../../../engine/operators/block-mean/index.ts';

const grid = { nx: 12, ny: 9, dx: 1, dy: 2, periodicX: true, periodicY: false };
const cells = grid.nx * grid.ny;
const byCell = (value: (i: number, j: number) => number): Float64Array =>
  Float64Array.from({ length: cells }, (_, cell) => value(cell % grid.nx, Math.floor(cell / grid.nx)));

function meansOf(fine: Float64Array, factor: number): Float64Array {
  const coarse = new Float64Array(fine.length / factor ** 2);
  const variables = coarse.length / cells;
  const mean = blockMean.implementations.reference({ nx: grid.nx, ny: grid.ny, variables, factor });
  mean({ fine, offset: new Float64Array(cells), coarse });
  return coarse;
}

/** ∫ over a cell of cos(2πx/nx), per cell. */
const wave = (i: number, factor = 1): number => {
  const k = (2 * Math.PI) / (grid.nx * factor);
  return (Math.sin(k * (i + 1)) - Math.sin(k * i)) / k;
};

describe('a plane over finer cells', () => {
  it.each([2, 3, 5])('has the same means with %i a side', (factor) => {
    const rough = byCell((i, j) => Math.sin(5 * i + 3 * j * j));
    expect(meansOf(prolong(rough, grid, factor), factor)).toBeClose(rough, { absolute: 1e-14 });
  });

  it('is the wave itself, to the third order of its means', () => {
    const fine = prolong(
      byCell((i) => wave(i)),
      grid,
      2,
    );
    const along = 2 * grid.nx;
    // The parabola's error is a third derivative's: at most (2π/12)³/12 on a wave of one.
    const bound = ((2 * Math.PI) / grid.nx) ** 3 / 12;
    for (let i = 0; i < along; i++) expect(Math.abs(fine[i] - wave(i, 2))).toBeLessThan(bound);
  });
});

describe('water over finer cells', () => {
  // A beach along y that rises out of the water.
  const bed = byCell((_i, j) => (j - 5.3) * 0.2);

  it.each([2, 4])('rests where it rested, with %i a side', (factor) => {
    const fineBed = prolongBed(bed, grid, factor);
    expect(meansOf(fineBed, factor)).toBeClose(bed, { absolute: 1e-15 });
    const still = new Float64Array(3 * cells);
    bed.forEach((elevation, cell) => (still[cell] = Math.max(0, -elevation)));
    const fine = prolongState(still, grid, factor, { bed, fineBed });
    fineBed.forEach((elevation, cell) => {
      expect(Math.abs(fine[cell] - Math.max(0, -elevation))).toBeLessThan(1e-15);
    });
  });

  it('is as much in every cell, also where waves wet the shore', () => {
    const fineBed = prolongBed(bed, grid, 3);
    const state = new Float64Array(3 * cells);
    bed.forEach((elevation, cell) => {
      const h = Math.max(0, 0.15 * Math.sin(cell % grid.nx) - elevation);
      state.set([h], cell);
      state.set([h * 0.3], cells + cell);
      state.set([-h * 0.1], 2 * cells + cell);
    });
    const fine = prolongState(state, grid, 3, { bed, fineBed });
    expect(meansOf(fine, 3)).toBeClose(state, { absolute: 1e-14 });
    expect(fine.subarray(0, 9 * cells).every((h) => h >= 0)).toBe(true);
  });

  it('has as long an axis', () => {
    expect(refinedGrid(grid, 3)).toEqual({ nx: 36, ny: 27, dx: 1 / 3, dy: 2 / 3, periodicX: true, periodicY: false });
  });
});
