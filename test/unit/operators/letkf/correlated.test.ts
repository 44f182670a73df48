/** The LETKF with correlated observation errors, on every backend, against the local analyses of R whole in dense float64. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { apply, minus, solve, times, transposed, type Matrix } from '../../../../engine/check/assimilation/dense.ts';
import { LimitError, type Backend } from '../../../../engine/index.ts';
import { correlatedLetkf } from '../../../../engine/operators/letkf/index.ts';
import { taperBetween } from '../../../../engine/operators/localisation/index.ts';
import { allBackends } from '../../../setup/backends.ts';
import { isNightly } from '../../../setup/nightly.ts';
import { analyse, meansOf, randomProblem, type Problem } from './set-up.ts';

type Correlation = (a: number, b: number) => number;

/** Observations from `first` on whose errors are correlated. */
interface Track {
  readonly first: number;
  readonly count: number;
  readonly between: Correlation;
}

const exponential: Correlation = (a, b) => 0.9 * Math.exp(-Math.abs(a - b) / 3);
const smooth: Correlation = (a, b) => 0.95 * Math.exp(-((a - b) ** 2) / 18);

function correlationOf(tracks: readonly Track[]): Correlation {
  return (i, j) => {
    if (i === j) return 1;
    const track = tracks.find(({ first, count }) => Math.min(i, j) >= first && Math.max(i, j) < first + count);
    return track ? track.between(i, j) : 0;
  };
}

/** With the errors of tracks: rows without gaps, of an observation of no track its own entry alone. */
function withTracks(problem: Problem, tracks: readonly Track[]): Problem {
  const between = correlationOf(tracks);
  const start = [0];
  const correlation: number[] = [];
  for (let i = 0; i < problem.values.length; i++) {
    const first = tracks.find((track) => i >= track.first && i < track.first + track.count)?.first ?? i;
    for (let j = first; j <= i; j++) correlation.push(between(i, j));
    start.push(correlation.length);
  }
  return { ...problem, correlationStart: Uint32Array.from(start), correlation: Float64Array.from(correlation) };
}

function identity(size: number): Matrix {
  return Array.from({ length: size }, (_, i) => Float64Array.from({ length: size }, (__, j) => Number(i === j)));
}

function halfway(a: Matrix, b: Matrix): Matrix {
  return a.map((row, i) => row.map((value, j) => (value + b[i][j]) / 2));
}

/** The symmetric root, by the iteration of Denman and Beavers. */
function rootOf(matrix: Matrix): Matrix {
  let root = matrix;
  let inverse = identity(matrix.length);
  for (let step = 0; step < 20; step++) {
    const [next, nextInverse] = [solve(inverse, identity(matrix.length)), solve(root, identity(matrix.length))];
    [root, inverse] = [halfway(root, next), halfway(inverse, nextInverse)];
  }
  return root;
}

/** Equations 20 to 25 of Hunt et al. (2007) with R_ii = σ²/w_i and R_ij = σ_i σ_j C_ij, point by point. */
function denseAnalysis(problem: Problem, tracks: readonly Track[]): Float64Array {
  const { nx, ny, members: k, variables, inflation, ensemble, observedEnsemble, values, inverseErrorStd } = problem;
  const between = correlationOf(tracks);
  const taper = taperBetween({ aspect: 1, ...problem });
  const [means, observedMeans] = [meansOf(ensemble, k), meansOf(observedEnsemble, k)];
  const p = values.length;
  const analysis = new Float64Array(ensemble.length);
  for (let cell = 0; cell < nx * ny; cell++) {
    const weight = (j: number): number =>
      taper(problem.positionX[j] - (cell % nx), problem.positionY[j] - Math.floor(cell / nx));
    const local = Array.from(values, (_, j) => j).filter((j) => weight(j) > 0 && inverseErrorStd[j] > 0);
    const y: Matrix = local.map((j) =>
      Float64Array.from({ length: k }, (_, i) => observedEnsemble[i * p + j] - observedMeans[j]),
    );
    const r: Matrix = local.map((i) =>
      Float64Array.from(
        local,
        (j) => between(i, j) / (inverseErrorStd[i] * inverseErrorStd[j] * (i === j ? weight(i) : 1)),
      ),
    );
    // Rows of Yᵀ solved by the symmetric R: C = Yᵀ R⁻¹.
    const c = local.length > 0 ? solve(r, transposed(y)) : identity(k).map(() => new Float64Array(0));
    const precision = identity(k).map((row, a) =>
      row.map((one, b) => (one * (k - 1)) / inflation + local.reduce((sum, _, j) => sum + c[a][j] * y[j][b], 0)),
    );
    const covariance = solve(precision, identity(k));
    const weights = rootOf(covariance.map((row) => row.map((value) => (k - 1) * value)));
    const mean = apply(
      covariance,
      apply(
        c,
        local.map((j) => values[j] - observedMeans[j]),
      ),
    );
    for (let v = 0; v < variables; v++) {
      const element = v * nx * ny + cell;
      const x = Float64Array.from({ length: k }, (_, i) => ensemble[i * means.length + element] - means[element]);
      const [moved] = times(
        [x],
        weights.map((row, a) => row.map((value) => value + mean[a])),
      );
      for (let i = 0; i < k; i++) analysis[i * means.length + element] = means[element] + moved[i];
    }
  }
  return analysis;
}

/** Each kernel of a GPU, and batches of few points: those of 1000 local observations have sixteen. */
const cases = [
  { what: 'a few', observations: 9, halfWidthCells: 1.5, form: 'dual', localCapacity: 11 },
  { what: 'some', observations: 21, halfWidthCells: 4, form: 'dual', localCapacity: 24 },
  { what: 'many', observations: 45, halfWidthCells: 6, form: 'dual', localCapacity: 45 },
  { what: 'many, by members', observations: 45, halfWidthCells: 2, form: 'primal', localCapacity: 45 },
  { what: 'room for a thousand', observations: 30, halfWidthCells: 2, form: 'primal', localCapacity: 1000 },
  { what: 'one', observations: 1, halfWidthCells: 2, form: 'auto', localCapacity: 1 },
] as const;

/** Kernels that a GPU in software takes seconds to compile: `npm run nightly` has them. */
const SLOW: ReadonlySet<string> = new Set(['some', 'many']);

/** Each entry twice. */
const twice = (values: Float64Array): Float64Array =>
  Float64Array.from({ length: 2 * values.length }, (_, e) => values[Math.floor(e / 2)]);

/** Four observations in a row, the last of them at x. */
const placed = (x: number): Problem => {
  const problem = randomProblem({ nx: 1, ny: 1, observations: 4, halfWidthCells: 2 });
  const positionX = Float64Array.of(0, 0.3, 0.5, x);
  const tracks = [{ first: 0, count: 4, between: (a: number, b: number) => (a === b ? 1 : 0.97) }];
  return withTracks({ ...problem, positionX, positionY: new Float64Array(4) }, tracks);
};

function tracksOf(observations: number): readonly Track[] {
  const half = Math.floor(observations / 2);
  return [
    { first: 1, count: Math.max(0, half - 1), between: exponential },
    { first: half, count: observations - half, between: smooth },
  ].filter(({ count }) => count > 0);
}

describe.each(allBackends)('the LETKF with correlated errors on $name', ({ name, open, precision }) => {
  let backend: Backend;
  // Float32: C has a condition near 100 beside one near 100 of I + G.
  const tolerance = { relative: precision === 'float64' ? 1e-10 : 2e-5 };
  beforeAll(async () => {
    backend = await open();
  });
  afterAll(() => backend.dispose());

  it.each(cases.filter(({ what }) => isNightly || name !== 'webgpu' || !SLOW.has(what)))(
    'is that of dense algebra: $what ($observations, $form)',
    async ({ form, localCapacity, ...shape }) => {
      for (const [seed, periodicX, periodicY] of [
        [1, false, false],
        [2, true, false],
        [3, true, true],
      ] as const) {
        const tracks = tracksOf(shape.observations);
        const random = randomProblem({ ...shape, seed, periodicX, periodicY, variables: 3 });
        const { inverseErrorStd } = random;
        // Errors of different sizes, and one that is missing.
        const errors = inverseErrorStd.map((inverse, j) => (j === 2 ? 0 : Math.fround(inverse * (1 + 0.1 * (j % 4)))));
        const problem = withTracks({ ...random, inverseErrorStd: errors, aspect: 1.25 }, tracks);
        const expected = denseAnalysis(problem, tracks);
        expect(await analyse(backend, problem, { form, localCapacity })).toBeClose(expected, tolerance);
        // Another analysis if errors are taken for independent, where more than one is correlated.
        const { correlation: _, ...independent } = problem;
        const other = await analyse(backend, independent, { form, localCapacity });
        const difference = Math.max(...minus(other, expected).map(Math.abs));
        expect(difference > 1e-3).toBe(shape.observations > 1);
      }
    },
  );

  it.each(['dual', 'primal'] as const)('is that of independent errors where C is I, %s', async (form) => {
    const problem = randomProblem({ observations: 21, halfWidthCells: 2.5 });
    const none = withTracks(problem, [{ first: 2, count: 17, between: () => 0 }]);
    const expected = await analyse(backend, problem, { form });
    expect(await analyse(backend, none, { form })).toBeClose(expected, {
      relative: precision === 'float64' ? 1e-13 : 1e-6,
    });
  });

  it('counts observations with the same error once', async () => {
    const one = randomProblem({ observations: 1, halfWidthCells: Infinity });
    const doubled: Problem = {
      ...one,
      observedEnsemble: twice(one.observedEnsemble),
      values: twice(one.values),
      inverseErrorStd: twice(one.inverseErrorStd),
      positionX: twice(one.positionX),
      positionY: twice(one.positionY),
    };
    const shared = withTracks(doubled, [{ first: 0, count: 2, between: () => 1 - 1e-6 }]);
    expect(await analyse(backend, shared)).toBeClose(await analyse(backend, one), { absolute: 2e-6 });
    const apart = await analyse(backend, doubled);
    expect(Math.max(...minus(apart, await analyse(backend, one)).map(Math.abs))).toBeGreaterThan(1e-2);
  });

  it('does not jump where an observation comes into reach', async () => {
    // 2⁻⁷ of a half-width inside its edge the weight is below 1e-8, and √w, by which it is correlated, below 1e-4.
    const [inside, outside] = [await analyse(backend, placed(4 - 2 ** -6)), await analyse(backend, placed(4))];
    expect(inside).toBeClose(outside, { absolute: 1e-4 });
    const near = await analyse(backend, placed(0.7));
    expect(Math.max(...minus(near, outside).map(Math.abs))).toBeGreaterThan(3e-3);
  });

  it.runIf(name === 'webgpu')('says how many local observations fit', async () => {
    const { members, variables, nx, ny } = randomProblem();
    const grid = { nx, ny, periodicX: false, periodicY: false, halfWidthCells: 9, inflation: 1 };
    const many = { ...grid, members, variables, observations: 9000, localCapacity: 9000, form: 'auto' } as const;
    const refused = Promise.resolve().then(() => backend.prepare(correlatedLetkf, many));
    await expect(refused).rejects.toThrow(LimitError);
    await expect(refused).rejects.toThrow(/9000 local observations with correlated errors asked for, at most \d+ fit/);
  });
});
