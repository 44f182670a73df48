import { describe, expect, it } from 'vitest';
import {
  binGeometry,
  binsWithinReach,
  gaspariCohn,
  localObservations,
} from '../../../../engine/operators/localisation/index.ts';
import { createSymmetricEigenSolver } from '../../../../engine/operators/letkf/eigen.ts';
import { inverseRootPoles, largestError, polesFor } from '../../../../engine/operators/letkf/inverse-root-poles.ts';
import { uniform } from './set-up.ts';

/** Largest |A V − V Λ| and |VᵀV − I| of a matrix solved in a solver of larger capacity. */
function residuals(n: number, matrix: Float64Array): { readonly equation: number; readonly orthogonality: number } {
  const solver = createSymmetricEigenSolver(n + 3);
  solver.vectors.set(matrix);
  solver.solve(n);
  const { vectors: v, values } = solver;
  let equation = 0;
  let orthogonality = 0;
  for (let i = 0; i < n; i++) {
    for (let c = 0; c < n; c++) {
      let product = 0;
      let inner = 0;
      for (let j = 0; j < n; j++) {
        product += matrix[i * n + j] * v[j * n + c];
        inner += v[j * n + i] * v[j * n + c];
      }
      equation = Math.max(equation, Math.abs(product - values[c] * v[i * n + c]));
      orthogonality = Math.max(orthogonality, Math.abs(inner - (i === c ? 1 : 0)));
    }
  }
  return { equation, orthogonality };
}

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

describe('the symmetric eigen-solver', () => {
  it.each([1, 2, 3, 8, 33])('solves a random matrix of order %i', (n) => {
    const next = uniform(n);
    const matrix = new Float64Array(n * n);
    for (let i = 0; i < n; i++) for (let j = 0; j <= i; j++) matrix[i * n + j] = matrix[j * n + i] = next() - 0.5;
    const { equation, orthogonality } = residuals(n, matrix);
    // Backward stable: a few n rounding errors of a matrix of norm below n.
    expect(equation).toBeLessThan(n * n * 1e-15 + 1e-15);
    expect(orthogonality).toBeLessThan(n * 1e-15);
  });

  it.each([
    { what: 'zero', entry: () => 0 },
    { what: 'of rank one', entry: (i: number, j: number) => (i + 1) * (j + 1) },
    { what: 'diagonal with equal values', entry: (i: number, j: number) => (i === j ? 3 : 0) },
    { what: 'graded', entry: (i: number, j: number) => 10 ** -(i + j) },
  ])('solves a matrix that is $what', ({ entry }) => {
    const n = 7;
    const matrix = Float64Array.from({ length: n * n }, (_, e) => entry(Math.floor(e / n), e % n));
    const { equation, orthogonality } = residuals(n, matrix);
    expect(equation).toBeLessThan(2e-13);
    expect(orthogonality).toBeLessThan(1e-14);
  });

  it('refuses a matrix that is not finite instead of turning for ever', () => {
    const solver = createSymmetricEigenSolver(3);
    solver.vectors.fill(NaN);
    expect(() => solver.solve(3)).toThrow(/did not converge/);
  });
});

describe('the poles of the inverse root', () => {
  it.each([
    { bound: 200, count: 6, error: 1.7e-6 },
    { bound: 200, count: 8, error: 1.3e-8 },
    { bound: 1e3, count: 8, error: 3.3e-7 },
    { bound: 1e3, count: 10, error: 5.6e-9 },
    { bound: 1e4, count: 10, error: 2.9e-7 },
  ])('$count poles reach $error on [1, $bound]', ({ bound, count, error }) => {
    const found = largestError(inverseRootPoles(bound, count), bound);
    expect(found).toBeLessThan(error);
    expect(found).toBeGreaterThan(error / 2);
  });

  it('has positive weights and shifts of at least 1, up to the largest class of the kernels', () => {
    for (let c = 1; c <= 10; c++) {
      const poles = polesFor(4 ** c, 1e-7);
      expect(largestError(poles, 4 ** c)).toBeLessThanOrEqual(1e-7);
      expect(poles.length).toBeLessThanOrEqual(16);
      for (const { shift, weight } of poles) {
        expect(shift).toBeGreaterThanOrEqual(1);
        expect(weight).toBeGreaterThan(0);
      }
    }
  });

  it('gives the deficit (1 − a^−½)/(a − 1) with weight over shift', () => {
    const poles = polesFor(1e4, 1e-12);
    for (const lambda of [1e-9, 1e-3, 1, 50, 9e3]) {
      const sum = poles.reduce((total, { shift, weight }) => total + weight / shift / (lambda + shift), 0);
      const root = Math.sqrt(1 + lambda);
      expect(sum * root * (1 + root)).toBeCloseTo(1, 9);
    }
  });
});

describe('localObservations', () => {
  it.each([
    { nx: 12, ny: 7, periodicX: false, periodicY: false, halfWidth: 1.5 },
    { nx: 12, ny: 7, periodicX: true, periodicY: false, halfWidth: 2 },
    { nx: 5, ny: 9, periodicX: false, periodicY: true, halfWidth: 1 },
    { nx: 6, ny: 5, periodicX: true, periodicY: true, halfWidth: 4 },
    { nx: 6, ny: 5, periodicX: true, periodicY: true, halfWidth: 0.3 },
    { nx: 1, ny: 1, periodicX: true, periodicY: false, halfWidth: 1 },
    { nx: 4, ny: 4, periodicX: false, periodicY: false, halfWidth: Infinity },
  ])('finds each observation in reach once: $nx × $ny, c $halfWidth, $periodicX $periodicY', (shape) => {
    const { halfWidth, ...grid } = shape;
    const next = uniform(7);
    const x = Array.from({ length: 40 }, () => (grid.nx - 0.01) * next());
    const y = Array.from({ length: 40 }, () => (grid.ny - 0.01) * next());
    const active = x.map((_, o) => o % 5 !== 2);
    const { binStart, binObservations, largest } = localObservations(grid, halfWidth, x, y, active);
    const { binsX, binsY } = binGeometry(grid, halfWidth);
    expect(binStart).toHaveLength(binsX * binsY + 1);
    expect([...binObservations].sort((a, b) => a - b)).toStrictEqual(x.map((_, o) => o));
    expect(binStart[binsX * binsY]).toBe(32);
    let most = 0;
    for (let j = 0; j < grid.ny; j++) {
      for (let i = 0; i < grid.nx; i++) {
        const columns = binsWithinReach(i, 2 * halfWidth, grid.nx, binsX, grid.periodicX);
        const rows = binsWithinReach(j, 2 * halfWidth, grid.ny, binsY, grid.periodicY);
        const found: number[] = [];
        for (let r = 0; r < rows.count; r++) {
          for (let c = 0; c < columns.count; c++) {
            const bin = ((rows.first + r) % binsY) * binsX + ((columns.first + c) % binsX);
            found.push(...binObservations.slice(binStart[bin], binStart[bin + 1]));
          }
        }
        const reached = (o: number): boolean =>
          Math.hypot(distance(x[o] - i, grid.nx, grid.periodicX), distance(y[o] - j, grid.ny, grid.periodicY)) <
          2 * halfWidth;
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
