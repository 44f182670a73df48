import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LimitError } from '../../../engine/index.ts';
import type { Backend } from '../../../engine/index.ts';
import {
  initialisation,
  iteration,
  createMinimiser,
  tridiagonalEigenvalues,
} from '../../../engine/operators/conjugate-gradient/index.ts';
import type { MinimisationReport, MinimiserOptions } from '../../../engine/operators/conjugate-gradient/index.ts';
import { diagonal } from '../../../engine/operators/diagonal/index.ts';
import { sparseProduct } from '../../../engine/operators/observation/index.ts';
import { applyOperator, allBackends } from '../../setup/backends.ts';

/** Reproducible numbers in (−1, 1): a Weyl sequence, well spread and never 0. */
function spread(length: number, start = 1): Float64Array {
  return Float64Array.from({ length }, (_, i) => 2 * (((i + start) * 0.786_151_377_757_423_3) % 1) - 1);
}

function dot(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i];
  return sum;
}

/** A = Q diag(λ) Qᵀ with Q = I − 2uuᵀ, so that eigenvalues and the solution are known exactly. `[n][n]` */
function withEigenvalues(eigenvalues: ArrayLike<number>) {
  const n = eigenvalues.length;
  const u = spread(n, 7);
  const size = Math.sqrt(dot(u, u));
  const reflect = (x: Float64Array): Float64Array => {
    const along = (2 * dot(u, x)) / size ** 2;
    return x.map((value, i) => value - along * u[i]);
  };
  const multiply = (x: Float64Array, power: number): Float64Array =>
    reflect(reflect(x).map((value, i) => value * eigenvalues[i] ** power));
  const matrix = new Float64Array(n * n);
  for (let row = 0; row < n; row++) {
    const unit = new Float64Array(n);
    unit[row] = 1;
    matrix.set(multiply(unit, 1), row * n);
  }
  return {
    matrix,
    solve: (b: Float64Array): Float64Array => multiply(b, -1),
  };
}

/** A dense matrix as compressed rows. */
function denseRows(n: number) {
  return {
    indptr: Uint32Array.from({ length: n + 1 }, (_, row) => row * n),
    indices: Uint32Array.from({ length: n * n }, (_, entry) => entry % n),
  };
}

/** Solves A v = b by the minimiser, J(0) = ½(2² + 4²) = 10, with A or A − shift·I as a dense matrix on the backend. */
async function minimise(
  backend: Backend,
  matrix: Float64Array,
  b: Float64Array,
  options: Partial<MinimiserOptions> = {},
): Promise<{ readonly solution: Float64Array; readonly report: MinimisationReport }> {
  const n = b.length;
  const real = (values: Float64Array) => {
    const field = backend.allocate('real', 'real', values.length);
    backend.write(field, values);
    return field;
  };
  const index = (values: Uint32Array) => {
    const field = backend.allocate('index', 'index', values.length);
    backend.write(field, values);
    return field;
  };
  const shift = options.shift ?? 0;
  const rows = denseRows(n);
  const data = real(matrix.map((value, entry) => (entry % (n + 1) === 0 ? value - shift : value)));
  const indptr = index(rows.indptr);
  const indices = index(rows.indices);
  const gradient = real(b);
  const solution = real(new Float64Array(n).fill(NaN));
  const product = await backend.prepare(sparseProduct, { rows: n, columns: n, nonzeros: n * n, batch: 1 });
  const departures = real(Float64Array.of(2, -4));
  const minimiser = await createMinimiser(backend, {
    length: n,
    observations: 2,
    tolerance: 1e-6,
    maxIterations: 100,
    checkEvery: 7,
    ...options,
  });
  const report = await minimiser.minimise({
    applyHessian: (input, output) => product.run({ indptr, indices, data, input, output }),
    gradient,
    solution,
    departures,
  });
  const result = { solution: await backend.read(solution), report };
  for (const owned of [data, indptr, indices, gradient, solution, departures, product, minimiser]) owned.dispose();
  return result;
}

describe('tridiagonal eigenvalues', () => {
  it('of the second difference are 2 − 2 cos(kπ/(n + 1))', () => {
    for (const n of [1, 2, 3, 40]) {
      const expected = Float64Array.from({ length: n }, (_, k) => 2 - 2 * Math.cos(((k + 1) * Math.PI) / (n + 1)));
      const found = tridiagonalEigenvalues(new Float64Array(n).fill(2), new Float64Array(n - 1).fill(-1));
      // Bisection ends at n roundings of the norm, 4.
      expect(found).toBeClose(expected, { absolute: 4 * n * 2.3e-16 });
    }
  });

  it('hold for pairs that agree to 1e-14 (Wilkinson), zeros beside the diagonal, and none', () => {
    const wilkinson = tridiagonalEigenvalues(
      Float64Array.from({ length: 21 }, (_, i) => Math.abs(i - 10)),
      new Float64Array(20).fill(1),
    );
    expect(wilkinson[20]).toBeClose(10.746_194_182_903_39, { absolute: 1e-13 });
    expect(wilkinson[19]).toBeClose(10.746_194_182_903_322, { absolute: 1e-13 });
    expect(tridiagonalEigenvalues([3, -1, 2, 2], [0, 0, 0])).toBeClose([-1, 2, 2, 3], { absolute: 1e-14 });
    expect(tridiagonalEigenvalues([0, 0], [0])).toBeClose([0, 0], { absolute: 1e-300 });
    expect(tridiagonalEigenvalues([], [])).toHaveLength(0);
    expect(Number.isNaN(tridiagonalEigenvalues([1, NaN], [1])[0])).toBe(true);
  });

  it('keep the digits of small ones beside large ones where the matrix has them', () => {
    const found = tridiagonalEigenvalues([1e-3, 1e8], [0]);
    expect(found[0]).toBeClose(1e-3, { absolute: 1e-7 });
    expect(found[1]).toBeClose(1e8, { absolute: 1e-7 });
  });
});

describe.each(allBackends)('conjugate gradients on $name', ({ open, precision }) => {
  const single = precision === 'float32';
  let backend: Backend;
  beforeAll(async () => {
    backend = await open();
  });
  afterAll(() => backend.dispose());

  it('takes one step as the formulas say, on more elements than one pass of the workgroups', async () => {
    const length = 131_072 + 77;
    const b = spread(length);
    const start = await applyOperator(
      backend,
      initialisation,
      { length },
      { rightHandSide: b, solution: length, residual: length, direction: length, history: 8, progress: 3 },
    );
    expect(start.history[2]).toBeClose(dot(b, b), { absolute: dot(b, b) * (single ? 1e-6 : 1e-13) });
    expect([...start.progress]).toEqual([0, 0, 0]);
    const diagonal = spread(length, 17).map((value) => 2 + value);
    const parameters = { length, shift: 1, tolerance: 1e-6, maxIterations: 1 };
    const fields = {
      product: diagonal.map((value, i) => value * b[i]),
      solution: start.solution,
      residual: start.residual,
      direction: start.direction,
      history: start.history,
      progress: Uint32Array.from(start.progress),
    };
    const step = await applyOperator(backend, iteration, parameters, fields);
    const product = fields.product.map((value, i) => value + b[i]);
    const alpha = dot(b, b) / dot(b, product);
    const residual = b.map((value, i) => value - alpha * product[i]);
    const beta = dot(residual, residual) / dot(b, b);
    // α and β carry the relative rounding of two sums, some 20 × 6e-8.
    const tolerance = { relative: single ? 2e-6 : 1e-12 };
    expect(step.solution).toBeClose(
      b.map((value) => alpha * value),
      tolerance,
    );
    expect(step.residual).toBeClose(residual, tolerance);
    expect(step.direction).toBeClose(
      residual.map((value, i) => value + beta * b[i]),
      tolerance,
    );
    expect(step.history.subarray(0, 2)).toBeClose([alpha, beta], tolerance);
    expect(step.history[6] / dot(residual, residual)).toBeClose(1, tolerance);
    expect(step.history[7] / (0.5 * alpha ** 2 * dot(b, b))).toBeClose(1, tolerance);
    expect([...step.progress]).toEqual([1, 0, 1]);
  });

  it.each([0, 1])('solves a system whose solution is known, with %d of the identity added', async (shift) => {
    const n = 61;
    const { matrix, solve } = withEigenvalues(Float64Array.from({ length: n }, (_, i) => 1 + i));
    const b = spread(n, 3);
    const { solution, report } = await minimise(backend, matrix, b, { shift, tolerance: single ? 1e-6 : 1e-12 });
    const expected = solve(b);
    // ‖v − v*‖ ≤ κ ‖v*‖ (tolerance + ε): κ = 61, ‖v*‖ < 4.
    expect(solution).toBeClose(expected, { absolute: 61 * 4 * (single ? 1e-6 : 1e-12) });
    expect(report.converged).toBe(true);
    expect(report.residual[report.iterations]).toBeLessThanOrEqual(single ? 1e-6 : 1e-12);
    expect(report.iterations).toBeGreaterThan(10);
    // J at the minimum is J(0) − ½ bᵀv.
    const minimum = 10 - 0.5 * dot(b, expected);
    expect(report.cost[report.iterations]).toBeClose(minimum, { absolute: single ? 1e-5 : 1e-12 });
    const background = 0.5 * dot(expected, expected);
    expect(report.backgroundCost[report.iterations]).toBeClose(background, { absolute: single ? 1e-5 : 1e-10 });
  });

  it('lowers J at every iteration, and accounts for each', async () => {
    const n = 40;
    const { matrix } = withEigenvalues(Float64Array.from({ length: n }, (_, i) => 1 + i ** 2));
    const { report } = await minimise(backend, matrix, spread(n), { tolerance: 1e-5 });
    const { iterations, cost, backgroundCost, observationCost, residual } = report;
    for (const list of [cost, backgroundCost, observationCost, residual]) expect(list).toHaveLength(iterations + 1);
    expect(cost[0]).toBe(10);
    expect(backgroundCost[0]).toBe(0);
    expect(residual[0]).toBe(1);
    for (let k = 1; k <= iterations; k++) {
      expect(cost[k]).toBeLessThan(cost[k - 1]);
      expect(backgroundCost[k] + observationCost[k]).toBeClose(cost[k], { absolute: 1e-13 });
    }
  });

  it('knows the condition number to 1 %', async () => {
    for (const condition of [3, 30, 2000]) {
      const n = 24;
      const eigenvalues = Float64Array.from({ length: n }, (_, i) => condition ** (i / (n - 1)));
      const { matrix } = withEigenvalues(eigenvalues);
      const { report } = await minimise(backend, matrix, spread(n, 11), {
        tolerance: single ? 1e-6 : 1e-12,
        maxIterations: 200,
      });
      expect(report.converged).toBe(true);
      expect(report.conditionNumber / condition).toBeGreaterThan(0.99);
      expect(report.conditionNumber / condition).toBeLessThan(1.01);
      expect(report.ritzValues).toHaveLength(report.iterations);
      expect([...report.ritzValues].sort((a, b) => a - b)).toEqual(report.ritzValues);
    }
  });

  it('needs one iteration for a multiple of the identity and for one element', async () => {
    const identity = withEigenvalues(new Float64Array(20).fill(4));
    const many = await minimise(backend, identity.matrix, spread(20), { checkEvery: 1 });
    expect(many.report.iterations).toBe(1);
    expect(many.report.ritzValues[0]).toBeClose(4, { absolute: single ? 1e-5 : 1e-13 });
    const one = await minimise(backend, Float64Array.of(2), Float64Array.of(3));
    expect(one.solution).toBeClose([1.5], { absolute: 0 });
    expect(one.report).toMatchObject({ iterations: 1, converged: true, conditionNumber: 1 });
  });

  it('has nothing to do for a zero right-hand side, and says so in finite numbers', async () => {
    const { matrix } = withEigenvalues([1, 2, 3]);
    const { solution, report } = await minimise(backend, matrix, new Float64Array(3));
    expect(solution).toBeClose([0, 0, 0], { absolute: 0 });
    expect(report).toEqual({
      iterations: 0,
      converged: true,
      cost: [10],
      backgroundCost: [0],
      observationCost: [10],
      residual: [0],
      ritzValues: [],
      conditionNumber: 1,
    });
  });

  it('freezes once converged, whenever the host looks', async () => {
    const { matrix } = withEigenvalues(Float64Array.from({ length: 30 }, (_, i) => 1 + (i % 5)));
    const b = spread(30);
    const eager = await minimise(backend, matrix, b, { checkEvery: 1, tolerance: 1e-4 });
    const late = await minimise(backend, matrix, b, { checkEvery: 90, tolerance: 1e-4 });
    expect(eager.report.iterations).toBeLessThanOrEqual(5);
    expect(late.report).toEqual(eager.report);
    expect(late.solution).toBeClose(eager.solution, { absolute: 0 });
  });

  // 20 000 elements are more than one workgroup iterates on by itself, 200 are fewer.
  it.each([200, 20_000])('needs as many iterations as there are eigenvalues, of %i elements', async (length) => {
    const field = (values: ArrayLike<number>) => {
      const allocated = backend.allocate('field', 'real', values.length);
      backend.write(allocated, values);
      return allocated;
    };
    const eigenvalues = Float64Array.from({ length }, (_, i) => 1 + (i % 4));
    const b = spread(length);
    const [scale, gradient, solution, departures] = [eigenvalues, b, new Float64Array(length), [2, -4]].map(field);
    const product = await backend.prepare(diagonal, { length, batch: 1 });
    const tolerance = 1e-5;
    const options = { length, observations: 2, tolerance, maxIterations: 10, checkEvery: 10 };
    const minimiser = await createMinimiser(backend, options);
    const report = await minimiser.minimise({
      applyHessian: (input, output) => product.run({ scale, input, output }),
      gradient,
      solution,
      departures,
    });
    expect(report).toMatchObject({ converged: true, iterations: 4 });
    // ‖v − A⁻¹b‖ ≤ ‖r‖ / λ₁, and λ₁ = 1.
    const found = await backend.read(solution);
    const error = found.map((value, i) => value - b[i] / eigenvalues[i]);
    expect(Math.sqrt(dot(error, error))).toBeLessThan(2 * tolerance * Math.sqrt(dot(b, b)));
    for (const owned of [scale, gradient, solution, departures, product, minimiser]) owned.dispose();
  });

  it('queues as many iterations as were needed lately, and continues where they do not do', async () => {
    const n = 30;
    const { matrix, solve } = withEigenvalues(Float64Array.from({ length: n }, (_, i) => 1 + i));
    const { report: alone } = await minimise(backend, matrix, spread(n), { tolerance: 1e-4 });
    const rows = denseRows(n);
    const field = <Kind extends 'real' | 'index'>(kind: Kind, values: ArrayLike<number>) => {
      const allocated = backend.allocate('field', kind, values.length);
      backend.write(allocated, values);
      return allocated;
    };
    const [data, gradient, solution] = [matrix, spread(n), new Float64Array(n)].map((values) => field('real', values));
    const [indptr, indices] = [rows.indptr, rows.indices].map((values) => field('index', values));
    const departures = field('real', [2, -4]);
    const product = await backend.prepare(sparseProduct, { rows: n, columns: n, nonzeros: n * n, batch: 1 });
    const options = { length: n, observations: 2, tolerance: 1e-4, maxIterations: 1000, checkEvery: 3 };
    const minimiser = await createMinimiser(backend, options);
    const applied: number[] = [];
    const waits: number[] = [];
    for (let round = 0; round < 3; round++) {
      let applications = 0;
      const queued = await minimiser.queue({
        applyHessian(input, output) {
          applications += 1;
          product.run({ indptr, indices, data, input, output });
        },
        gradient,
        solution,
        departures,
      });
      await backend.collect();
      const before = backend.counts.waits;
      await queued.complete?.();
      waits.push(backend.counts.waits - before);
      await backend.collect();
      expect(await queued.report()).toEqual(alone);
      applied.push(applications);
    }
    expect(await backend.read(solution)).toBeClose(solve(spread(n)), { relative: 1e-3 });
    // Where results are known at once, up to two more than are needed; else a tenth and two more, from the second time on.
    const most = backend.immediate ? alone.iterations + 2 : Math.ceil(1.1 * alone.iterations) + 2;
    for (const count of applied.slice(1)) expect(count).toBeLessThanOrEqual(most);
    expect(waits.slice(1)).toEqual([0, 0]);
    expect(waits[0] > 0).toBe(!backend.immediate);
    for (const owned of [data, gradient, solution, indptr, indices, departures, product, minimiser]) owned.dispose();
  });

  it('ends at the maximum, without having converged', async () => {
    const { matrix } = withEigenvalues(Float64Array.from({ length: 50 }, (_, i) => 1 + i));
    const { report } = await minimise(backend, matrix, spread(50), { maxIterations: 4, checkEvery: 3 });
    expect(report).toMatchObject({ iterations: 4, converged: false });
    expect(report.residual).toHaveLength(5);
  });

  it('ends in good order when the tolerance is beyond the working precision', async () => {
    const n = 60;
    const { matrix, solve } = withEigenvalues(Float64Array.from({ length: n }, (_, i) => 1 + 3 * i));
    const b = spread(n);
    const { solution, report } = await minimise(backend, matrix, b, { tolerance: 1e-30, maxIterations: 500 });
    expect(report.converged).toBe(false);
    expect(report.iterations).toBeLessThan(500);
    // κ = 178, ‖v*‖ < 5, ε = 6e-8 or 1.1e-16.
    expect(solution).toBeClose(solve(b), { absolute: 178 * 5 * (single ? 6e-8 : 1.1e-16) });
    for (const list of [report.cost, report.backgroundCost, report.residual, report.ritzValues]) {
      expect(list.every(Number.isFinite)).toBe(true);
    }
  });

  it('stops before a direction along which the matrix is not positive definite', async () => {
    const { matrix } = withEigenvalues([-5, -4, 1]);
    const { solution, report } = await minimise(backend, matrix, spread(3));
    expect(report.converged).toBe(false);
    expect(solution.every(Number.isFinite)).toBe(true);
  });

  it('refuses options that make no sense', async () => {
    const options = { length: 3, observations: 2, tolerance: 1e-3, maxIterations: 5, checkEvery: 1 };
    await expect(createMinimiser(backend, { ...options, length: 0 })).rejects.toThrow(LimitError);
    await expect(createMinimiser(backend, { ...options, maxIterations: 1.5 })).rejects.toThrow(/maxIterations is 1.5/);
    await expect(createMinimiser(backend, { ...options, checkEvery: -1 })).rejects.toThrow(/checkEvery/);
    await expect(createMinimiser(backend, { ...options, tolerance: 0 })).rejects.toThrow(/between 0 and 1/);
  });
});
