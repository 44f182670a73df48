/** 3D-Var as a composition of operators: G = R^−½HV with V = amplitude · RF, minimised by conjugate gradients. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Backend, Field, RealField } from '../../../engine/index.ts';
import { createMinimiser } from '../../../engine/operators/conjugate-gradient/index.ts';
import { diagonal } from '../../../engine/operators/diagonal/index.ts';
import { sparseAdjoint, sparseProduct, transposeStructure } from '../../../engine/operators/observation/index.ts';
import { recursiveFilter } from '../../../engine/operators/recursive-filter/index.ts';
import { allBackends } from '../../setup/backends.ts';
import { oracleCases } from '../../setup/oracle.ts';
import type { OracleCase } from '../../setup/oracle.ts';

interface Problem {
  readonly nx: number;
  readonly ny: number;
  readonly sigma: number;
  readonly iterations: number;
  readonly amplitude: number;
  readonly indptr: Uint32Array;
  readonly indices: Uint32Array;
  readonly data: Float64Array;
  readonly innovation: Float64Array;
  readonly errorVariance: Float64Array;
}

function dot(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i];
  return sum;
}

/** Reproducible numbers in (−1, 1): a Weyl sequence, well spread and never 0. */
function spread(length: number, start = 1): Float64Array {
  return Float64Array.from({ length }, (_, i) => 2 * (((i + start) * 0.786_151_377_757_423_3) % 1) - 1);
}

function problemOf({ parameters, inputs }: OracleCase): Problem {
  const [ny, nx] = parameters['shape'] as number[];
  return {
    nx,
    ny,
    sigma: parameters['sigma'] as number,
    iterations: parameters['iterations'] as number,
    amplitude: parameters['amplitude'] as number,
    indptr: Uint32Array.from(inputs['hIndptr'].data),
    indices: Uint32Array.from(inputs['hIndices'].data),
    data: inputs['hData'].data,
    innovation: inputs['innovation'].data,
    errorVariance: inputs['observationErrorVariance'].data,
  };
}

/** The operators of one problem on a backend, each with arrays in and arrays out, and the minimisation. */
async function compose(backend: Backend, problem: Problem) {
  const { nx, ny, sigma, iterations, amplitude, indptr, indices, data, innovation, errorVariance } = problem;
  const length = nx * ny;
  const observations = innovation.length;
  const inverseErrorStd = errorVariance.map((variance) => 1 / Math.sqrt(variance));
  const owned: { dispose(): void }[] = [];
  const own = <Owned extends { dispose(): void }>(one: Owned): Owned => {
    owned.push(one);
    return one;
  };
  const real = (values: Float64Array | number): RealField => {
    const size = typeof values === 'number' ? values : values.length;
    const field = own(backend.allocate('variational', 'real', size));
    if (typeof values !== 'number') backend.write(field, values);
    return field;
  };
  const index = (values: Uint32Array): Field<'index'> => {
    const field = own(backend.allocate('variational', 'index', values.length));
    backend.write(field, values);
    return field;
  };

  const filter = { nx, ny, batch: 1, sigmaX: sigma, sigmaY: sigma, iterations, form: 'sweeps' } as const;
  const free = { boundaryX: 'free', boundaryY: 'free' } as const;
  const filtering = own(await backend.prepare(recursiveFilter, { ...filter, ...free, transpose: false }));
  const filteringBack = own(await backend.prepare(recursiveFilter, { ...filter, ...free, transpose: true }));
  const scaling = own(await backend.prepare(diagonal, { length, batch: 1 }));
  const sparse = { rows: observations, columns: length, nonzeros: indices.length, batch: 1 };
  const multiplying = own(await backend.prepare(sparseProduct, sparse));
  const adjoining = own(await backend.prepare(sparseAdjoint, sparse));

  const structure = transposeStructure({ indptr, indices }, length);
  const rows = { indptr: index(indptr), indices: index(indices) };
  const columns = {
    columnStart: index(structure.columnStart),
    entryRow: index(structure.entryRow),
    entryPosition: index(structure.entryPosition),
  };
  const scaledRows = data.slice();
  for (let row = 0; row < observations; row++) {
    for (let entry = indptr[row]; entry < indptr[row + 1]; entry++) scaledRows[entry] *= inverseErrorStd[row];
  }
  const matrix = real(scaledRows);
  const scale = real(new Float64Array(length).fill(amplitude));
  const filtered = real(length);
  const increment = real(length);
  const observed = real(observations);
  const departures = real(innovation.map((d, j) => d * inverseErrorStd[j]));
  const gradient = real(length);
  const solution = real(length);
  const control = real(length);

  const transform = (input: RealField, output: RealField): void => {
    filtering.run({ input, output: filtered });
    scaling.run({ scale, input: filtered, output });
  };
  const transformBack = (input: RealField, output: RealField): void => {
    scaling.run({ scale, input, output: filtered });
    filteringBack.run({ input: filtered, output });
  };
  const toObservations = (input: RealField, output: RealField): void => {
    transform(input, increment);
    multiplying.run({ ...rows, data: matrix, input: increment, output });
  };
  const toControl = (input: RealField, output: RealField): void => {
    adjoining.run({ ...columns, data: matrix, input, output: increment });
    transformBack(increment, output);
  };

  return {
    length,
    observations,
    /** VVᵀ x. */
    async covariance(x: Float64Array): Promise<Float64Array> {
      backend.write(control, x);
      transformBack(control, gradient);
      transform(gradient, increment);
      return backend.read(increment);
    },
    /** Gv, in observation space. */
    async observe(v: Float64Array): Promise<Float64Array> {
      backend.write(control, v);
      toObservations(control, observed);
      return backend.read(observed);
    },
    /** Gᵀy. */
    async observeBack(y: Float64Array): Promise<Float64Array> {
      backend.write(observed, y);
      toControl(observed, gradient);
      return backend.read(gradient);
    },
    departures: innovation.map((d, j) => d * inverseErrorStd[j]),
    async minimise(options: { readonly tolerance: number; readonly maxIterations: number }) {
      const minimiser = await createMinimiser(backend, { length, observations, checkEvery: 5, shift: 1, ...options });
      toControl(departures, gradient);
      const report = await minimiser.minimise({
        applyHessian(direction, product) {
          toObservations(direction, observed);
          toControl(observed, product);
        },
        gradient,
        solution,
        departures,
      });
      transform(solution, increment);
      const found = await backend.read(increment);
      minimiser.dispose();
      return { report, increment: found };
    },
    dispose(): void {
      for (const one of owned) one.dispose();
    },
  };
}

/** Eigenvalues of a symmetric matrix by Jacobi rotations, ascending. `[n][n]` */
function symmetricEigenvalues(matrix: Float64Array, n: number): number[] {
  const a = matrix.slice();
  for (let sweep = 0; sweep < 30; sweep++) {
    for (let p = 0; p < n; p++) {
      for (let q = p + 1; q < n; q++) {
        if (a[p * n + q] === 0) continue;
        const theta = 0.5 * Math.atan2(2 * a[p * n + q], a[q * n + q] - a[p * n + p]);
        const c = Math.cos(theta);
        const s = Math.sin(theta);
        for (let k = 0; k < n; k++) {
          const [x, y] = [a[k * n + p], a[k * n + q]];
          a[k * n + p] = c * x - s * y;
          a[k * n + q] = s * x + c * y;
        }
        for (let k = 0; k < n; k++) {
          const [x, y] = [a[p * n + k], a[q * n + k]];
          a[p * n + k] = c * x - s * y;
          a[q * n + k] = s * x + c * y;
        }
      }
    }
  }
  return Array.from({ length: n }, (_, i) => a[i * n + i]).sort((x, y) => x - y);
}

describe.each(allBackends)('3D-Var of operators on $name', ({ open, precision }) => {
  const single = precision === 'float32';
  let backend: Backend;
  beforeAll(async () => {
    backend = await open();
  });
  afterAll(() => backend.dispose());

  describe.each(oracleCases('variational'))('$name', (oracle) => {
    const cg = oracle.parameters['cg'] as { readonly tolerance: number; readonly maxIterations: number };
    let composed: Awaited<ReturnType<typeof compose>>;
    let found: Awaited<ReturnType<typeof composed.minimise>>;
    beforeAll(async () => {
      composed = await compose(backend, problemOf(oracle));
      found = await composed.minimise(cg);
    });
    afterAll(() => composed.dispose());

    it('gives the independent increment and costs', () => {
      const { report, increment } = found;
      const tolerance = { relative: oracle.tolerance[precision] };
      expect(increment).toBeClose(oracle.outputs['increment'].data, tolerance);
      const { iterations, backgroundCost, observationCost, cost } = report;
      expect([backgroundCost[iterations], observationCost[iterations], cost[iterations], cost[0]]).toBeClose(
        oracle.outputs['cost'].data,
        tolerance,
      );
    });

    it('lowers J at every iteration and ends before the maximum, in finite numbers', () => {
      const { iterations, cost, residual, ritzValues } = found.report;
      expect(iterations).toBeLessThan(cg.maxIterations);
      // From a gain of 1e-15 on, J in float64 no longer shows it.
      for (let k = 1; k <= iterations; k++) expect(cost[k]).toBeLessThan(cost[k - 1] + 1e-15 * cost[0]);
      for (const list of [cost, residual, ritzValues]) expect(list.every(Number.isFinite)).toBe(true);
    });

    it('knows the condition number of I + VᵀΨV on what the observations see', async () => {
      const { observations } = composed;
      // The eigenvalues of I + GᵀG other than 1 are those of I + GGᵀ, a matrix of the observations' size.
      const gram = new Float64Array(observations * observations);
      for (let row = 0; row < observations; row++) {
        const unit = new Float64Array(observations);
        unit[row] = 1;
        gram.set(await composed.observe(await composed.observeBack(unit)), row * observations);
        gram[row * (observations + 1)] += 1;
      }
      const eigenvalues = symmetricEigenvalues(gram, observations);
      const condition = eigenvalues[observations - 1] / eigenvalues[0];
      const { ritzValues, conditionNumber } = found.report;
      const largest = ritzValues[ritzValues.length - 1] / eigenvalues[observations - 1];
      expect(largest).toBeClose(1, { absolute: single ? 1e-6 : 1e-10 });
      // The smallest Ritz value settles last, near 1 where the eigenvalues crowd: in float32 the residual ends at 1e-8, before
      // it has come within 1 %, which float64 reaches by 1e-10.
      expect(conditionNumber / condition).toBeClose(1, { absolute: single ? 0.02 : 0.01 });
    });
  });

  it('has a gradient that agrees with finite differences of J (Taylor)', async () => {
    const composed = await compose(backend, problemOf(oracleCases('variational')[0]));
    const { length, departures } = composed;
    const costOf = async (v: Float64Array): Promise<number> => {
      const seen = await composed.observe(v);
      const left = departures.map((d, j) => d - seen[j]);
      return 0.5 * dot(v, v) + 0.5 * dot(left, left);
    };
    const v = spread(length);
    const w = spread(length, 300);
    const seen = await composed.observe(v);
    const back = await composed.observeBack(departures.map((d, j) => d - seen[j]));
    const slope = dot(
      v.map((value, i) => value - back[i]),
      w,
    );
    const start = await costOf(v);
    // J is quadratic: the ratio is 1 + step·½wᵀAw / gᵀw, and the rounding of J over step·gᵀw comes on top.
    const alongW = await composed.observe(w);
    const curvature = dot(w, w) + dot(alongW, alongW);
    const rounding = single ? 1e-5 : 1e-13;
    for (const step of single ? [1e2, 1e1, 1, 0.1, 0.01] : [1, 0.1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6]) {
      const change = (await costOf(v.map((value, i) => value + step * w[i]))) - start;
      const expected = 1 + (0.5 * step * curvature) / slope;
      const allowed = (rounding * (start + step ** 2 * curvature)) / Math.abs(step * slope);
      expect(change / (step * slope)).toBeClose(expected, { absolute: allowed });
      expect(allowed).toBeLessThan(0.1 * Math.abs(expected));
    }
    composed.dispose();
  });

  it('spreads one observation along the column of B through it', async () => {
    const nx = 17;
    const ny = 13;
    const cell = 6 * nx + 9;
    const composed = await compose(backend, {
      nx,
      ny,
      sigma: 2,
      iterations: 3,
      amplitude: 1.5,
      indptr: Uint32Array.of(0, 1),
      indices: Uint32Array.of(cell),
      data: Float64Array.of(1),
      innovation: Float64Array.of(0.8),
      errorVariance: Float64Array.of(0.04),
    });
    const { increment, report } = await composed.minimise({ tolerance: single ? 1e-6 : 1e-12, maxIterations: 20 });
    const unit = new Float64Array(nx * ny);
    unit[cell] = 1;
    const column = await composed.covariance(unit);
    // δx = B Hᵀ (H B Hᵀ + R)⁻¹ d.
    const expected = column.map((value) => (value * 0.8) / (column[cell] + 0.04));
    expect(increment).toBeClose(expected, { absolute: single ? 1e-6 : 1e-13 });
    expect(report.iterations).toBe(1);
    composed.dispose();
  });
});
