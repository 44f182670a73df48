import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Backend } from '../../../engine/index.ts';
import { choleskySolution, choleskySubstitution } from '../../../engine/operators/cholesky-solution/index.ts';
import { applyOperator, allBackends } from '../../setup/backends.ts';
import { noise, stream as testStream } from '../../../engine/check/measures.ts';

/** Q D Qᵀ with Q a product of Householder reflections: condition number and smallest eigenvalue are those of D exactly. */
function withEigenvalues(eigenvalues: readonly number[], seed: number): Float64Array {
  const m = eigenvalues.length;
  const a = new Float64Array(m * m);
  for (let i = 0; i < m; i++) a[i * m + i] = eigenvalues[i];
  for (let reflection = 0; reflection < 3; reflection++) {
    const v = noise(m, 10 * seed + reflection);
    const norm = v.reduce((sum, x) => sum + x * x, 0);
    for (const [outer, inner] of [
      [m, 1],
      [1, m],
    ]) {
      for (let line = 0; line < m; line++) {
        let dot = 0;
        for (let i = 0; i < m; i++) dot += v[i] * a[line * outer + i * inner];
        for (let i = 0; i < m; i++) a[line * outer + i * inner] -= (2 * dot * v[i]) / norm;
      }
    }
  }
  return a;
}

/** B = A X for a symmetric A and rows X. */
function rightHandSidesOf(a: Float64Array, x: Float64Array, m: number): Float64Array {
  return x.map((_, index) => {
    const row = Math.floor(index / m);
    let sum = 0;
    for (let j = 0; j < m; j++) sum += a[(index % m) * m + j] * x[row * m + j];
    return sum;
  });
}

describe.each(allBackends)('choleskySolution on $name', ({ open, precision }) => {
  let backend: Backend;
  beforeAll(async () => {
    backend = await open();
  });
  afterAll(() => backend.dispose());
  const epsilon = precision === 'float64' ? 2 ** -53 : 2 ** -24;

  async function solve(a: ArrayLike<number>, b: ArrayLike<number>, m: number) {
    const rightHandSides = b.length / m;
    return applyOperator(backend, choleskySolution, { size: m, rightHandSides }, { matrix: a, solution: b, status: 1 });
  }

  it('solves a system by hand', async () => {
    // [[4, 2], [2, 5]] x = [8, 12] has x = [1, 2]; the upper triangle is never read.
    const { solution, status } = await solve([4, NaN, 2, 5], [8, 12], 2);
    expect(solution).toBeClose([1, 2], { absolute: 8 * epsilon });
    expect(status).toEqual(Float64Array.of(0));
  });

  it('solves a system with few entries beside the diagonal, in rows that begin anywhere', async () => {
    const [m, rightHandSides] = [90, 2];
    const stream = testStream('signs');
    const a = new Float64Array(m * m);
    for (let i = 0; i < m; i++) {
      a[i * m + i] = 2;
      for (let j = Math.max(0, i - 1 - ((i * 7) % 11)); j < i; j++) {
        // Powers of two and zeros: eigenvalues are between 1 and 3, since a row's entries sum to less than 1 beside the diagonal.
        const value = (i + j) % 3 === 0 ? 0 : (2 * stream.integer(2) - 1) / 32;
        a[i * m + j] = value;
        a[j * m + i] = value;
      }
    }
    const x = noise(rightHandSides * m);
    const { solution, status } = await solve(a, rightHandSidesOf(a, x, m), m);
    // Condition 3; a dozen terms in each sum, in both substitutions and the factorisation.
    expect(solution).toBeClose(x, { absolute: 3 * 3 * 12 * epsilon });
    expect(status).toEqual(Float64Array.of(0));
  });

  it.each([
    [1, 1],
    [2, 3],
    [31, 1],
    [32, 5],
    [33, 40],
    [64, 1],
    [95, 7],
    [129, 20],
    [200, 33],
  ])('recovers known solutions of I + a Gram matrix: m = %i, r = %i', async (m, r) => {
    const samples = noise(m * 10, m);
    const a = new Float64Array(m * m);
    for (let i = 0; i < m; i++) {
      for (let j = 0; j < m; j++) {
        for (let l = 0; l < 10; l++) a[i * m + j] += samples[i * 10 + l] * samples[j * 10 + l];
      }
      a[i * m + i] += 1;
    }
    const x = noise(r * m, m + 1);
    const { solution, status } = await solve(a, rightHandSidesOf(a, x, m), m);
    expect(status[0]).toBe(0);
    // Eigenvalues from 1 to about 10/3 · m/3 + …, below 2m: condition number ≤ 2m, and a small factor for the rounding of b.
    expect(solution).toBeClose(x, { absolute: 8 * epsilon * 2 * m });
  });

  it.each([10, 1e3, 1e4])('stays accurate to the condition number %d', async (condition) => {
    const m = 100;
    const eigenvalues = Array.from({ length: m }, (_, i) => condition ** (i / (m - 1)));
    const a = withEigenvalues(eigenvalues, 5);
    const x = noise(2 * m, 9);
    const { solution, status } = await solve(a, rightHandSidesOf(a, x, m), m);
    expect(status[0]).toBe(0);
    // |δx| / |x| ≤ c κ ε with ‖x‖₂ ≈ 6: rounding A and b alone gives c ≈ 2.
    expect(solution).toBeClose(x, { absolute: 16 * epsilon * condition });
  });

  it.each([
    [1, 1],
    [33, 2],
    [64, 1],
    [300, 3],
  ])('solves once more with the factor that is left: m = %i, r = %i', async (m, r) => {
    const condition = 30;
    const eigenvalues = Array.from({ length: m }, (_, i) => condition ** (i / Math.max(1, m - 1)));
    const a = withEigenvalues(eigenvalues, 7);
    const x = noise(r * m, 11);
    const { matrix } = await solve(a, noise(m, 3), m);
    const { solution } = await applyOperator(
      backend,
      choleskySubstitution,
      { size: m, rightHandSides: r },
      { matrix, solution: rightHandSidesOf(a, x, m) },
    );
    expect(solution).toBeClose(x, { absolute: 16 * epsilon * condition });
  });

  it('leaves unknowns out once more', async () => {
    const m = 70;
    const a = Float64Array.from({ length: m * m }, (_, i) => (i % (m + 1) === 0 ? 4 : 0));
    a[40 * (m + 1)] = -1;
    const { matrix } = await solve(a, new Float64Array(m), m);
    const b = new Float64Array(m).fill(1);
    const { solution } = await applyOperator(
      backend,
      choleskySubstitution,
      { size: m, rightHandSides: 1 },
      { matrix, solution: b },
    );
    expect(solution).toBeClose(
      b.map((_, i) => (i === 40 ? 0 : 0.25)),
      { absolute: 4 * epsilon },
    );
  });

  it('leaves an identity and its right-hand sides exactly alone', async () => {
    const m = 70;
    const identity = Float64Array.from({ length: m * m }, (_, i) => (i % (m + 1) === 0 ? 1 : 0));
    const b = Float64Array.from({ length: 3 * m }, (_, i) => Math.fround(Math.sin(i)));
    const { solution } = await solve(identity, b, m);
    expect(solution).toEqual(b);
  });

  it.each([
    ['negative', 40, -1],
    ['zero', 3, 0],
    ['not a number', 64, NaN],
    ['infinite', 0, Infinity],
  ])('reports the first pivot that is %s and divides by none', async (_, row, value) => {
    const m = 70;
    const a = Float64Array.from({ length: m * m }, (_, i) => (i % (m + 1) === 0 ? 2 : 0));
    a[row * m + row] = value;
    a[(row + 2) * (m + 1)] = value;
    const { solution, status } = await solve(a, new Float64Array(m).fill(1), m);
    expect(status[0]).toBe(row + 1);
    const expected = Float64Array.from({ length: m }, (_, i) => (i === row || i === row + 2 ? 0 : 0.5));
    expect(solution).toBeClose(expected, { absolute: 4 * epsilon });
  });

  it('gives the same bits each time', async () => {
    const m = 90;
    const a = withEigenvalues(
      Array.from({ length: m }, (_, i) => 1 + i),
      3,
    );
    const b = noise(4 * m, 4);
    const first = await solve(a, b, m);
    const second = await solve(a, b, m);
    expect(second.solution).toEqual(first.solution);
  });

  it('clears the status of an earlier run', async () => {
    const prepared = await backend.prepare(choleskySolution, { size: 1, rightHandSides: 1 });
    const matrix = backend.allocate('matrix', 'real', 1);
    const solution = backend.allocate('solution', 'real', 1);
    const status = backend.allocate('status', 'index', 1);
    const found: number[] = [];
    for (const value of [-1, 4]) {
      backend.write(matrix, [value]);
      backend.write(solution, [8]);
      prepared.run({ matrix, solution, status });
      found.push((await backend.read(status))[0]);
    }
    expect(found).toEqual([1, 0]);
    expect(await backend.read(solution)).toBeClose([2], { absolute: 16 * epsilon });
    for (const owned of [prepared, matrix, solution, status]) owned.dispose();
  });
});
