import { describe, expect, it } from 'vitest';
import {
  binGeometry,
  binsWithinReach,
  createLocaliser,
  gaspariCohn,
  localObservations,
} from '../../../engine/operators/localisation/index.ts';
import { between } from '../../../engine/check/measures.ts';

/** How far apart two coordinates are on an axis. */
function distance(difference: number, period: number, periodic: boolean): number {
  return periodic ? Math.min(Math.abs(difference), period - Math.abs(difference)) : Math.abs(difference);
}

describe('gaspariCohn', () => {
  it('has the values of the published polynomials', () => {
    expect(gaspariCohn(0)).toBe(1);
    expect(gaspariCohn(1)).toBeCloseTo(5 / 24, 15);
    expect(gaspariCohn(2)).toBe(0);
    expect(gaspariCohn(7)).toBe(0);
    for (const z of [0.1, 0.5, 0.9]) {
      expect(gaspariCohn(z)).toBeCloseTo(1 - (5 / 3) * z ** 2 + (5 / 8) * z ** 3 + z ** 4 / 2 - z ** 5 / 4, 14);
    }
    for (const z of [1, 1.1, 1.5, 1.9]) {
      const expanded = 4 - 5 * z + (5 / 3) * z ** 2 + (5 / 8) * z ** 3 - z ** 4 / 2 + z ** 5 / 12 - 2 / (3 * z);
      expect(gaspariCohn(z)).toBeCloseTo(expanded, 14);
    }
  });

  it('falls all the way, and stays above zero up to its edge', () => {
    for (let i = 1; i <= 2000; i++) expect(gaspariCohn(i / 1000)).toBeLessThan(gaspariCohn((i - 1) / 1000));
    expect(gaspariCohn(2 - 1e-6)).toBeGreaterThan(0);
  });
});

describe('localObservations', () => {
  it.each([
    { nx: 12, ny: 7, periodicX: false, periodicY: false, halfWidthCells: 1.5 },
    { nx: 12, ny: 7, periodicX: true, periodicY: false, halfWidthCells: 2 },
    { nx: 5, ny: 9, periodicX: false, periodicY: true, halfWidthCells: 1 },
    { nx: 6, ny: 5, periodicX: true, periodicY: true, halfWidthCells: 4 },
    { nx: 6, ny: 5, periodicX: true, periodicY: true, halfWidthCells: 0.3 },
    { nx: 1, ny: 1, periodicX: true, periodicY: false, halfWidthCells: 1 },
    { nx: 4, ny: 4, periodicX: false, periodicY: false, halfWidthCells: Infinity },
  ])('finds each observation in reach once: $nx × $ny, c $halfWidthCells, $periodicX $periodicY', (shape) => {
    const { halfWidthCells, ...grid } = shape;
    const x = Array.from(between(40, 0, grid.nx - 0.01, 'x'));
    const y = Array.from(between(40, 0, grid.ny - 0.01, 'y'));
    const active = x.map((_, o) => o % 5 !== 2);
    const { binStart, binObservations, largest } = localObservations(grid, halfWidthCells, x, y, active);
    const { binsX, binsY } = binGeometry(grid, halfWidthCells);
    expect(binStart).toHaveLength(binsX * binsY + 1);
    expect([...binObservations].sort((a, b) => a - b)).toStrictEqual(x.map((_, o) => o));
    expect(binStart[binsX * binsY]).toBe(32);
    let most = 0;
    for (let j = 0; j < grid.ny; j++) {
      for (let i = 0; i < grid.nx; i++) {
        const columns = binsWithinReach(i, 2 * halfWidthCells, grid.nx, binsX, grid.periodicX);
        const rows = binsWithinReach(j, 2 * halfWidthCells, grid.ny, binsY, grid.periodicY);
        const found: number[] = [];
        for (let r = 0; r < rows.count; r++) {
          for (let c = 0; c < columns.count; c++) {
            const bin = ((rows.first + r) % binsY) * binsX + ((columns.first + c) % binsX);
            found.push(...binObservations.slice(binStart[bin], binStart[bin + 1]));
          }
        }
        const reached = (o: number): boolean =>
          Math.hypot(distance(x[o] - i, grid.nx, grid.periodicX), distance(y[o] - j, grid.ny, grid.periodicY)) <
          2 * halfWidthCells;
        const expected = x.map((_, o) => o).filter((o) => active[o] && reached(o));
        expect(found.filter(reached).sort((a, b) => a - b)).toStrictEqual(expected);
        most = Math.max(most, expected.length);
      }
    }
    expect(largest).toBe(most);
  });

  it('lets an observation without a place be absent', () => {
    const grid = { nx: 4, ny: 4, periodicX: false, periodicY: true };
    const { binStart, largest } = localObservations(grid, 1, [NaN, 1], [NaN, 1], [false, true]);
    expect(binStart.at(-1)).toBe(1);
    expect(largest).toBe(1);
  });

  it('counts an observation on the edge of the support, or not, but no more than a bound', () => {
    const grid = { nx: 9, ny: 1, periodicX: false, periodicY: false };
    const { largest } = localObservations(grid, 2, [0, 8], [0, 0]);
    expect(largest).toBeGreaterThanOrEqual(1);
    expect(largest).toBeLessThanOrEqual(2);
  });
});

describe('createLocaliser', () => {
  const grid = { nx: 8, ny: 8, periodicX: false, periodicY: false };

  it('keeps its index while places and absences stay', () => {
    const localiser = createLocaliser(grid, 2);
    const first = localiser.locate([1, 5], [1, 5], [10, 4]);
    expect(localiser.locate([1, 5], [1, 5], [10, 8])).toBe(first);
  });

  it.each([
    ['a place', [1, 6], [10, 4]],
    ['an absence', [1, 5], [10, 0]],
    ['their number', [1], [10]],
  ])('builds it again where %s changes', (_what, x, active) => {
    const localiser = createLocaliser(grid, 2);
    localiser.locate([1, 5], [1, 5], [10, 4]);
    expect(localiser.locate(x, x, active)).toStrictEqual(localObservations(grid, 2, x, x, active));
  });
});
