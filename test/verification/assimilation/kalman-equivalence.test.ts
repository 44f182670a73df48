/**
 * Where everything is linear and Gaussian, every method is the Kalman filter: 3D-Var with the same B, the LETKF without
 * localisation in the span of its ensemble, and the stochastic EnKF in the limit of many members. The closed form is dense
 * linear algebra written out here.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createReferenceBackend } from '../../../engine/index.ts';
import type { Backend } from '../../../engine/index.ts';
import { createControlTransform } from '../../../engine/methods/covariances/index.ts';
import { backends } from '../../setup/backends.ts';
import { between, normals } from '../../setup/random.ts';
import { apply, eigenvalues, kalmanAnalysis, matrixOf, minus, norm, times, transposed } from './dense.ts';
import type { Matrix } from './dense.ts';
import {
  analyse,
  basin,
  deviationsOf,
  lengthOf,
  meanOf,
  method,
  NO_LOCALISATION,
  PHYSICS,
  sampleCovariance,
  variational,
} from './set-up.ts';
import type { Observed } from './set-up.ts';

const [NX, NY] = [5, 4];
const CELLS = NX * NY;
const model = basin({ nx: NX, ny: NY });
const LENGTH = lengthOf(model);
const threeDVar = variational({
  kind: 'recursive-filter',
  length: 3.5,
  standardDeviation: { h: 0.1, hu: 0.2, hv: 0.2 },
  balance: 'geostrophic',
});

/** The state's components that are observed, with the bed to be taken off or not: all linear. */
const COMPONENT: Readonly<Record<string, number>> = { h: 0, eta: 0, hu: 1, hv: 2 };

function observe(count: number): Observed {
  const names = Object.keys(COMPONENT);
  return {
    x: between(count, 0, NX - 1, 'x').map(Math.fround),
    y: between(count, 0, NY - 1, 'y').map(Math.fround),
    variable: Array.from({ length: count }, (_, j) => names[j % names.length]),
    values: between(count, -0.3, 0.3, 'values').map((value, j) => (j % names.length === 0 ? 1 + value : value)),
    inverseErrorStd: between(count, 10, 20, 'inverseErrorStd'),
  };
}

/** Bilinear interpolation between cell centres, one row an observation. */
function observationMatrix({ x, y, variable }: Observed): Matrix {
  return variable.map((name, j) => {
    const row = new Float64Array(LENGTH);
    const [i, k] = [Math.min(NX - 2, Math.floor(x[j])), Math.min(NY - 2, Math.floor(y[j]))];
    const [a, b] = [x[j] - i, y[j] - k];
    const at = COMPONENT[name] * CELLS + k * NX + i;
    [row[at], row[at + 1], row[at + NX], row[at + NX + 1]] = [(1 - a) * (1 - b), a * (1 - b), (1 - a) * b, a * b];
    return row;
  });
}

/** y − H x, where h is η less the elevation of the bed. */
function innovationOf(observed: Observed, matrix: Matrix, state: Float64Array): Float64Array {
  const bed = model.bed ?? new Float64Array(CELLS);
  const seen = apply(matrix, state);
  return observed.values.map((value, j) => {
    const ground = observed.variable[j] === 'h' ? apply([matrix[j].subarray(0, CELLS)], bed)[0] : 0;
    return value - (seen[j] - ground);
  });
}

/** V of the method's B, [state][control]. */
async function squareRoot(): Promise<Matrix> {
  const backend = createReferenceBackend();
  const transform = await createControlTransform(backend, model, threeDVar.covariance, PHYSICS);
  const matrix = await matrixOf(backend, transform, LENGTH);
  backend.dispose();
  return matrix;
}

/**
 * n + 1 members whose sample covariance is B = V Vᵀ itself: √n V Q about the mean, the n rows of Q orthonormal and each of
 * sum 0 (Helmert's). In their span is all of V's.
 */
function exactEnsemble(mean: Float64Array, root: Matrix): Float64Array {
  const n = root[0].length;
  const members = Array.from({ length: n + 1 }, (_, l) => {
    const helmert = Float64Array.from({ length: n }, (_, i) => {
      if (l > i + 1) return 0;
      return (l === i + 1 ? -(i + 1) : 1) / Math.sqrt((i + 1) * (i + 2));
    });
    return apply(root, helmert).map((value, e) => mean[e] + Math.sqrt(n) * value);
  });
  return Float64Array.from(members.flatMap((member) => [...member]));
}

const OBSERVED = observe(11);
const H = observationMatrix(OBSERVED);
const MEAN = Float64Array.from([...between(CELLS, -0.1, 0.1, 'eta'), ...between(2 * CELLS, -0.2, 0.2, 'momenta')]);
const INNOVATION = innovationOf(OBSERVED, H, MEAN);

async function truth() {
  const root = await squareRoot();
  const covariance = times(root, transposed(root));
  const kalman = kalmanAnalysis(MEAN, covariance, H, INNOVATION, deviationsOf(OBSERVED));
  // Largest eigenvalue of I + R^−½ H B Hᵀ R^−½; the smallest is 1 or little more.
  const scaled = H.map((row, j) => row.map((value) => OBSERVED.inverseErrorStd[j] * value));
  const seen = times(scaled, times(covariance, transposed(scaled)));
  return { root, covariance, kalman, condition: 1 + Math.max(...eigenvalues(seen)) };
}

function trace(matrix: Matrix): number {
  return matrix.reduce((sum, row, i) => sum + row[i], 0);
}

function largestMember(root: Matrix): number {
  return exactEnsemble(MEAN, root).reduce((largest, value) => Math.max(largest, Math.abs(value)), 0);
}

function largestDifference(a: Matrix, b: Matrix): number {
  return Math.max(...a.flatMap((row, i) => Array.from(minus(row, b[i]), Math.abs)));
}

describe.each(backends)('linear-Gaussian equivalence on $name', ({ open, precision }) => {
  let backend: Backend;
  let known: Awaited<ReturnType<typeof truth>>;
  beforeAll(async () => {
    [backend, known] = [await open(), await truth()];
    // Float32: the rounding of the largest number in the ensemble, amplified by the condition of the problem that is solved;
    // in sums over as many members as B has columns, whose roundings add like the steps of a random walk.
    const sums = Math.sqrt(known.root[0].length);
    if (precision === 'float32') absolute = 2 ** -24 * sums * largestMember(known.root) * known.condition;
  });
  afterAll(() => backend.dispose());

  let absolute = 1e-8;

  it('the test has power: the analysis is far from the background, and B couples all variables', () => {
    expect(norm(minus(known.kalman.mean, MEAN))).toBeGreaterThan(0.5);
    expect(Math.abs(known.covariance[6][CELLS + 1])).toBeGreaterThan(0.001);
    expect(largestDifference(known.covariance, known.kalman.covariance)).toBeGreaterThan(0.01);
  });

  it('3D-Var is the Kalman analysis with the same B', async () => {
    const { state } = await analyse(backend, model, threeDVar, MEAN, OBSERVED);
    expect(state).toBeClose(known.kalman.mean, { absolute });
  });

  it('the LETKF without localisation is the Kalman analysis, mean and covariance, where the sample covariance is B', async () => {
    const letkf = method({ kind: 'letkf', localisation: NO_LOCALISATION });
    const { state } = await analyse(backend, model, letkf, exactEnsemble(MEAN, known.root), OBSERVED);
    expect(meanOf(state, LENGTH)).toBeClose(known.kalman.mean, { absolute });
    expect(largestDifference(sampleCovariance(state, LENGTH), known.kalman.covariance)).toBeLessThan(absolute);
  });

  it('a random rotation leaves mean and covariance of the LETKF as they are', async () => {
    const letkf = method({ kind: 'letkf', localisation: NO_LOCALISATION, rotation: true });
    const { state } = await analyse(backend, model, letkf, exactEnsemble(MEAN, known.root), OBSERVED);
    expect(meanOf(state, LENGTH)).toBeClose(known.kalman.mean, { absolute });
    expect(largestDifference(sampleCovariance(state, LENGTH), known.kalman.covariance)).toBeLessThan(absolute);
  });

  it.each([1, 1.3])(
    'with few members and inflation %f the LETKF is the Kalman analysis with their inflated sample covariance',
    async (inflation) => {
      const members = 7;
      const forecast = Float64Array.from({ length: members * LENGTH }, (_, e) => MEAN[e % LENGTH]);
      normals(members * LENGTH, 'few').forEach((value, e) => (forecast[e] += 0.1 * value));
      const mean = meanOf(forecast, LENGTH);
      const covariance = sampleCovariance(forecast, LENGTH).map((row) => row.map((value) => inflation * value));
      const innovation = innovationOf(OBSERVED, H, mean);
      const kalman = kalmanAnalysis(mean, covariance, H, innovation, deviationsOf(OBSERVED));
      const letkf = method({ kind: 'letkf', localisation: NO_LOCALISATION, inflation });
      const { state } = await analyse(backend, model, letkf, forecast, OBSERVED);
      expect(meanOf(state, LENGTH)).toBeClose(kalman.mean, { absolute });
      expect(largestDifference(sampleCovariance(state, LENGTH), kalman.covariance)).toBeLessThan(absolute);
    },
  );

  it.each([1, 1.3])(
    'the mean of the stochastic EnKF, whose perturbations are centred, is the Kalman analysis with inflation %f',
    async (inflation) => {
      const covariance = known.covariance.map((row) => row.map((value) => inflation * value));
      const kalman = kalmanAnalysis(MEAN, covariance, H, INNOVATION, deviationsOf(OBSERVED));
      const enkf = method({ kind: 'enkf', localisation: NO_LOCALISATION, inflation });
      const { state } = await analyse(backend, model, enkf, exactEnsemble(MEAN, known.root), OBSERVED);
      expect(meanOf(state, LENGTH)).toBeClose(kalman.mean, { absolute });
    },
  );
});

describe('the stochastic EnKF in the limit of many members, float64', () => {
  const sizes = [32, 64, 128, 256];
  const draws = 16;
  let backend: Backend;
  beforeAll(() => {
    backend = createReferenceBackend();
  });
  afterAll(() => backend.dispose());

  /** Slope of log error over log N, by least squares. */
  function slopeOf(errors: readonly number[]): number {
    const x = sizes.map(Math.log2);
    const y = errors.map(Math.log2);
    const meanX = x.reduce((sum, value) => sum + value, 0) / x.length;
    const varianceX = x.reduce((sum, value) => sum + (value - meanX) ** 2, 0);
    return x.reduce((sum, value, i) => sum + (value - meanX) * y[i], 0) / varianceX;
  }

  it('with few members its covariance is the Kalman filter’s on average: centring takes nothing from the perturbations', async () => {
    const members = 5;
    const forecast = Float64Array.from(normals(members * LENGTH, 'five'), (value, e) => MEAN[e % LENGTH] + 0.1 * value);
    const mean = meanOf(forecast, LENGTH);
    const innovation = innovationOf(OBSERVED, H, mean);
    const kalman = kalmanAnalysis(mean, sampleCovariance(forecast, LENGTH), H, innovation, deviationsOf(OBSERVED));
    const enkf = method({ kind: 'enkf', localisation: NO_LOCALISATION });
    const cycles = 200;
    const averaged = Array.from({ length: LENGTH }, () => new Float64Array(LENGTH));
    for (let cycle = 0; cycle < cycles; cycle++) {
      const { state } = await analyse(backend, model, enkf, forecast, OBSERVED, { cycle });
      sampleCovariance(state, LENGTH).forEach((row, i) =>
        row.forEach((value, j) => (averaged[i][j] += value / cycles)),
      );
    }
    // A draw's trace has four degrees of freedom in each of four directions: √(2/16) of it, and 2.5 % over 200 draws. A factor
    // 5/4 in the perturbations' variance would be 12 %.
    expect(trace(averaged) / trace(kalman.covariance)).toBeClose(1, { absolute: 0.06 });
  });

  it('with members drawn from N(x_b, B), its mean and covariance tend to the Kalman filter’s as N^−½', async () => {
    const { root, kalman } = await truth();
    const enkf = method({ kind: 'enkf', localisation: NO_LOCALISATION });
    const meanErrors: number[] = [];
    const covarianceErrors: number[] = [];
    for (const members of sizes) {
      let meanSquare = 0;
      let covarianceSquare = 0;
      for (let draw = 0; draw < draws; draw++) {
        const forecast = new Float64Array(members * LENGTH);
        for (let l = 0; l < members; l++) {
          const noise = apply(root, normals(root[0].length, `members.${members}.${draw}`, l));
          forecast.set(
            noise.map((value, e) => MEAN[e] + value),
            l * LENGTH,
          );
        }
        const { state } = await analyse(backend, model, enkf, forecast, OBSERVED, { seed: 100 * members + draw });
        meanSquare += norm(minus(meanOf(state, LENGTH), kalman.mean)) ** 2 / draws;
        const difference = sampleCovariance(state, LENGTH).map((row, i) => norm(minus(row, kalman.covariance[i])));
        covarianceSquare += norm(difference) ** 2 / draws;
      }
      meanErrors.push(Math.sqrt(meanSquare));
      covarianceErrors.push(Math.sqrt(covarianceSquare));
    }
    expect(slopeOf(meanErrors)).toBeGreaterThan(-0.6);
    expect(slopeOf(meanErrors)).toBeLessThan(-0.4);
    expect(slopeOf(covarianceErrors)).toBeGreaterThan(-0.6);
    expect(slopeOf(covarianceErrors)).toBeLessThan(-0.4);
  });
});
