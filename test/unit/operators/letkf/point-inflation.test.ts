/** Factors of every grid point's own: analyses with them, and how they are found, against dense float64. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dot, eigenvalues, plusDiagonal, solve, type Matrix } from '../../../../engine/check/assimilation/dense.ts';
import { LimitError, type Backend } from '../../../../engine/index.ts';
import { inflationEstimate } from '../../../../engine/operators/adaptive-inflation/index.ts';
import { pointInflation } from '../../../../engine/operators/letkf/index.ts';
import { taperBetween } from '../../../../engine/operators/localisation/index.ts';
import { allBackends, applyOperator } from '../../../setup/backends.ts';
import { isNightly } from '../../../setup/nightly.ts';
import { analyse, factorsOf, meansOf, randomProblem, type Problem } from './set-up.ts';

const FACTORS = [1, 1.7, 0.6];

/** Every third column with the same factor. */
function factorAt(cell: number, { nx }: Problem): number {
  return FACTORS[(cell % nx) % FACTORS.length];
}

function withFactors(problem: Problem): Problem {
  const { nx, ny } = problem;
  return { ...problem, factor: Float64Array.from({ length: nx * ny }, (_, cell) => factorAt(cell, problem)) };
}

/** The observations around a cell: rows of √w R^−½ Y, and √w R^−½ d. */
function localProblem(problem: Problem, cell: number): { readonly rows: Matrix; readonly innovation: Float64Array } {
  const { nx, members: k, observedEnsemble, values, inverseErrorStd } = problem;
  const taper = taperBetween({ aspect: 1, ...problem });
  const means = meansOf(observedEnsemble, k);
  const root = Array.from(values, (_, j) => {
    const weight = taper(problem.positionX[j] - (cell % nx), problem.positionY[j] - Math.floor(cell / nx));
    return Math.sqrt(weight) * inverseErrorStd[j];
  });
  const local = Array.from(values, (_, j) => j).filter((j) => root[j] > 0);
  return {
    rows: local.map((j) =>
      Float64Array.from({ length: k }, (_, i) => root[j] * (observedEnsemble[i * values.length + j] - means[j])),
    ),
    innovation: Float64Array.from(local, (j) => root[j] * (values[j] - means[j])),
  };
}

function gramOf(rows: Matrix): Matrix {
  return rows.map((a) => Float64Array.from(rows, (b) => a.reduce((sum, value, i) => sum + value * b[i], 0)));
}

/** ε and c of the hyperprior. */
function hyperprior(rows: Matrix, k: number): readonly [number, number] {
  const spectrum = rows.length > 0 ? eigenvalues(gramOf(rows)) : [];
  const share = spectrum.reduce((sum, value) => sum + 1 / (1 + value / (k - 1)), k - rows.length) / k;
  const [unknownMean, logarithm] = [(k + 1) / k, k / (k - 1)];
  const correction = Math.sqrt((unknownMean / logarithm) ** share);
  return [unknownMean / correction, logarithm * correction];
}

/**
 * The weights w of the members at which ½‖d̃ − Sw‖² + ½ (k − 1) c ln(ε + wᵀw) is least, near w = 0: its gradient is 0 where
 * w = (SᵀS + ζ)⁻¹ Sᵀd̃ = Sᵀ (SSᵀ + ζ)⁻¹ d̃ with ζ = (k − 1) c/(ε + wᵀw), repeated.
 */
function primalWeights({ rows, innovation }: ReturnType<typeof localProblem>, k: number) {
  const [unknownMean, logarithm] = hyperprior(rows, k);
  const gram = gramOf(rows);
  let w = new Float64Array(k);
  let zeta = 0;
  for (let step = 0; step < 100; step++) {
    zeta = ((k - 1) * logarithm) / (unknownMean + dot(w, w));
    const system = plusDiagonal(gram, new Float64Array(rows.length).fill(zeta));
    const [multipliers] = solve(system, [innovation]);
    w = Float64Array.from({ length: k }, (_, i) => rows.reduce((sum, row, j) => sum + row[i] * multipliers[j], 0));
  }
  return { w, rho: (k - 1) / zeta };
}

const shapes = [
  { name: 'few observations', form: 'dual', observations: 9, members: 12, halfWidthCells: 1 },
  { name: 'some', form: 'dual', observations: 40, members: 24, halfWidthCells: 1.5 },
  { name: 'many', form: 'dual', observations: 60, members: 9, halfWidthCells: 3 },
  { name: 'many, by members', form: 'primal', observations: 60, members: 9, halfWidthCells: 3 },
  { name: 'all', form: 'auto', observations: 20, members: 8, halfWidthCells: Infinity },
] as const;

/** Each shape has kernels of its own: a GPU in software takes seconds to compile them, and all are for `npm run nightly`. */
const FEW: ReadonlySet<string> = new Set(['few observations', 'many, by members']);

const finiteSize = shapes.map(({ form, name, ...shape }) => {
  const problem = randomProblem({ ...shape, nx: 4, ny: 3, inflation: 1, seed: 6 });
  const weights = Array.from({ length: 12 }, (_, cell) => primalWeights(localProblem(problem, cell), problem.members));
  return { name, form, problem, weights };
});

describe.each(allBackends)('inflation of every grid point, on $name', ({ open, precision, name }) => {
  let backend: Backend;
  beforeAll(async () => {
    backend = await open();
  });
  afterAll(() => backend.dispose());
  const isDouble = precision === 'float64';
  const isTried = (shape: { readonly name: string }): boolean => isNightly || name !== 'webgpu' || FEW.has(shape.name);
  const tried = shapes.filter(isTried);

  it.each(tried)('analyses every point with its own factor: $name', async ({ form, ...shape }) => {
    const problem = randomProblem({ ...shape, seed: 3 });
    const found = await analyse(backend, withFactors(problem), { form });
    const expected = new Float64Array(found.length);
    for (const rho of FACTORS) {
      const alike = await analyse(backend, { ...problem, inflation: problem.inflation * rho }, { form });
      const cells = problem.nx * problem.ny;
      alike.forEach((value, e) => {
        if (factorAt(e % cells, problem) === rho) expected[e] = value;
      });
    }
    // The same sums scaled in another place: float32 of values of 1, whose roots are of condition below 100.
    expect(found).toBeClose(expected, { absolute: isDouble ? 1e-12 : 2e-5 });
  });

  it.each(isTried({ name: 'some' }) ? (['dual', 'primal'] as const) : (['primal'] as const))(
    'does so with correlated errors: %s',
    async (form) => {
      const problem = randomProblem({ observations: 12, members: 8, halfWidthCells: 2, seed: 7 });
      const start = Uint32Array.from({ length: 13 }, (_, i) => (i * (i + 1)) / 2);
      const correlation = Float64Array.from(
        Array.from({ length: 12 }, (_, i) => Array.from({ length: i + 1 }, (__, j) => 0.8 ** (i - j))).flat(),
      );
      const correlated = { ...problem, correlationStart: start, correlation };
      const found = await analyse(backend, withFactors(correlated), { form });
      for (const rho of FACTORS) {
        const alike = await analyse(backend, { ...correlated, inflation: problem.inflation * rho }, { form });
        const cells = problem.nx * problem.ny;
        const ofRho = (values: Float64Array) => values.filter((_, e) => factorAt(e % cells, problem) === rho);
        expect(ofRho(found)).toBeClose(ofRho(alike), { absolute: isDouble ? 1e-12 : 2e-5 });
      }
    },
  );

  it.each(tried)('finds it from the size of the innovations: $name', async ({ form, ...shape }) => {
    const problem = withFactors(randomProblem({ ...shape, seed: 4 }));
    const priors = problem.factor ?? new Float64Array(0);
    const found = await factorsOf(backend, problem, { kind: 'innovations', deviation: 0.5 }, { form });
    const taper = taperBetween({ aspect: 1, ...problem });
    const expected = priors.map((prior, cell) => {
      const { rows, innovation } = localProblem(problem, cell);
      const weights = Array.from(problem.values, (__, j) =>
        taper(problem.positionX[j] - (cell % problem.nx), problem.positionY[j] - Math.floor(cell / problem.nx)),
      );
      const p = weights.reduce((sum, weight) => sum + weight, 0);
      const stated = rows.reduce((sum, row) => sum + dot(row, row), 0) / (problem.members - 1);
      if (p === 0) return prior;
      const observed = (dot(innovation, innovation) - p) / stated;
      const variance = (2 / p) * ((prior * stated + p) / stated) ** 2;
      return Math.min(100, Math.max(1, prior + (0.25 / (0.25 + variance)) * (observed - prior)));
    });
    expect(found).toBeClose(expected, { relative: isDouble ? 1e-12 : 2e-5 });
  });

  it('is the factor for all cells if every observation counts everywhere', async () => {
    const drawn = randomProblem({ observations: 20, members: 8, halfWidthCells: Infinity, seed: 5 });
    const problem = { ...drawn, values: drawn.values.map((value) => value + 1) };
    const { members: k, values, observedEnsemble, inverseErrorStd } = problem;
    const means = meansOf(observedEnsemble, k);
    const variance = values.map((_, j) => {
      const squares = Array.from({ length: k }, (__, i) => (observedEnsemble[i * values.length + j] - means[j]) ** 2);
      return squares.reduce((sum, square) => sum + square, 0) / (k - 1);
    });
    const innovation = values.map((value, j) => value - means[j]);
    const { factor } = await applyOperator(
      backend,
      inflationEstimate,
      { observations: values.length, kind: 'innovations', deviation: 0.3, least: 1, most: 100 },
      { innovation, residual: innovation, inverseErrorStd, variance, factor: [1] },
    );
    const found = await factorsOf(backend, problem, { kind: 'innovations', deviation: 0.3 });
    expect(factor[0]).toBeGreaterThan(1.001);
    expect(found).toBeClose(new Float64Array(found.length).fill(factor[0]), { relative: isDouble ? 1e-13 : 1e-5 });
  });

  it.each(finiteSize.filter(isTried))('makes the finite-size analysis: $name', async ({ form, problem, weights }) => {
    const { nx, ny, variables, members: k, ensemble } = problem;
    const found = await factorsOf(backend, problem, { kind: 'finite-size', certainty: 1 }, { form });
    const analysis = meansOf(await analyse(backend, { ...problem, factor: found }, { form }), k);
    expect(found).toBeClose(
      weights.map(({ rho }) => rho),
      { relative: isDouble ? 1e-9 : 2e-4 },
    );
    const expected = meansOf(ensemble, k).map((mean, element) => {
      const { w } = weights[element % (nx * ny)];
      let sum = mean;
      for (let i = 0; i < k; i++) sum += (ensemble[i * variables * nx * ny + element] - mean) * w[i];
      return sum;
    });
    expect(analysis).toBeClose(expected, { absolute: isDouble ? 1e-9 : 1e-4 });
  });

  it('takes the least of several minima', async () => {
    // One observation, fifty deviations off, of an ensemble that is nearly at one: the cost has a minimum near 1 as well.
    const problem = {
      ...randomProblem({ observations: 1, members: 8, halfWidthCells: Infinity, spread: 0.02, seed: 2 }),
    };
    const far = { ...problem, values: problem.values.map(() => 12) };
    const { rows, innovation } = localProblem(far, 0);
    const [unknownMean, logarithm] = hyperprior(rows, 8);
    const g = dot(rows[0], rows[0]) / 7;
    const cost = (rho: number): number =>
      innovation[0] ** 2 / (7 * (1 + rho * g)) + unknownMean / rho + logarithm * Math.log(rho);
    const tried = Array.from({ length: 4000 }, (_, i) => 0.9 * (100 / 0.9) ** (i / 3999));
    const best = tried.reduce((least, rho) => (cost(rho) < cost(least) ? rho : least));
    const [found] = await factorsOf(backend, far, { kind: 'finite-size', certainty: 1 });
    expect(found / best).toBeGreaterThan(0.99);
    expect(found / best).toBeLessThan(1.01);
  });

  it('is 1 out of reach of all observations, and for a prior that is certain', async () => {
    const problem = randomProblem({ observations: 3, members: 6, halfWidthCells: 0.6, seed: 8 });
    const found = await factorsOf(backend, problem, { kind: 'finite-size', certainty: 1 });
    const alone = Array.from(found, (_, cell) => localProblem(problem, cell).rows.length === 0);
    expect(alone).toContain(true);
    expect(alone).toContain(false);
    const outside = found.filter((_, cell) => alone[cell]);
    expect(outside).toBeClose(new Float64Array(outside.length).fill(1), { absolute: isDouble ? 1e-7 : 1e-3 });
    const certain = await factorsOf(backend, problem, { kind: 'finite-size', certainty: 1e6 });
    // (ε/c)^(1 − share) is between 1 − 1/k² and 1.
    expect(Math.min(...certain)).toBeGreaterThan(1 - 1 / 36 - 1e-3);
    expect(Math.max(...certain)).toBeLessThan(1.001);
  });

  it('does not depend on units', async () => {
    const problem = randomProblem({ observations: 20, members: 8, halfWidthCells: 2, seed: 9 });
    const inMillimetres = {
      ...problem,
      observedEnsemble: problem.observedEnsemble.map((value) => 1024 * value),
      values: problem.values.map((value) => 1024 * value),
      inverseErrorStd: problem.inverseErrorStd.map((value) => value / 1024),
    };
    const estimate = { kind: 'finite-size', certainty: 1 } as const;
    expect(await factorsOf(backend, inMillimetres, estimate)).toEqual(await factorsOf(backend, problem, estimate));
  });

  it.skipIf(name === 'webgpu')('reports a point with more observations than there is room for', async () => {
    const problem = randomProblem({ observations: 20, halfWidthCells: 3 });
    await expect(
      factorsOf(backend, problem, { kind: 'finite-size', certainty: 1 }, { localCapacity: 2 }),
    ).rejects.toThrow('more than localCapacity 2');
  });
});

describe('what the factors are found with', () => {
  const parameters = {
    nx: 2,
    ny: 2,
    periodicX: false,
    periodicY: false,
    members: 4,
    observations: 3,
    halfWidthCells: 1,
    localCapacity: 3,
    form: 'auto' as const,
    estimate: { kind: 'innovations' as const, deviation: 0.1 },
    least: 1,
    most: 100,
  };
  it.each([
    ['members', { members: 1 }],
    ['a deviation', { estimate: { kind: 'innovations' as const, deviation: 0 } }],
    ['a certainty', { estimate: { kind: 'finite-size' as const, certainty: -1 } }],
    ['an order', { least: 2, most: 1.5 }],
    ['room above 1', { least: 0.5, most: 1 }],
  ])('has %s', (_, wrong) => {
    expect(() => pointInflation.cost({ ...parameters, ...wrong }, 8)).toThrow(LimitError);
  });

  it('counts what it reads, and the search of the finite-size filter beside it', () => {
    const update = pointInflation.cost(parameters, 4);
    const search = pointInflation.cost({ ...parameters, estimate: { kind: 'finite-size', certainty: 1 } }, 4);
    expect(update.bytes).toBe((3 * 8 + 8) * 4);
    expect(search.bytes).toBe(update.bytes);
    expect(search.flops).toBeGreaterThan(update.flops);
  });
});
