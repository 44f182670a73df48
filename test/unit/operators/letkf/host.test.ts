import { describe, expect, it } from 'vitest';
import { createSymmetricEigenSolver } from '../../../../engine/operators/letkf/eigen.ts';
import { inverseRootPoles, largestError, polesFor } from '../../../../engine/operators/letkf/inverse-root-poles.ts';
import { stream as testStream } from '../../../../engine/check/measures.ts';

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

describe('the symmetric eigen-solver', () => {
  it.each([1, 2, 3, 8, 33])('solves a random matrix of order %i', (n) => {
    const stream = testStream('matrix', n);
    const matrix = new Float64Array(n * n);
    for (let i = 0; i < n; i++)
      for (let j = 0; j <= i; j++) matrix[i * n + j] = matrix[j * n + i] = stream.between(-0.5, 0.5);
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
