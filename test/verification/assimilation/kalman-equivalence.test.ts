/**
 * Where everything is linear and Gaussian, every method is the Kalman filter: 3D-Var with the same B, the LETKF and the serial EAKF
 * without localisation in the span of their ensembles, the DEnKF but for the square of half its gain, and the stochastic EnKF in
 * the limit of many members. The closed form is dense linear algebra written out here.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  CELLS,
  closedForm,
  equivalenceBound,
  exactEnsemble,
  H,
  INNOVATION,
  innovationOf,
  largestDifference,
  LENGTH,
  MEAN,
  model,
  OBSERVED,
  threeDVar,
} from '../../../engine/check/assimilation/linear-gaussian.ts';
import type { ClosedForm } from '../../../engine/check/assimilation/linear-gaussian.ts';
import { createReferenceBackend } from '../../../engine/index.ts';
import type { Backend } from '../../../engine/index.ts';
import { backends } from '../../setup/backends.ts';
import { normals } from '../../../engine/check/measures.ts';
import {
  apply,
  kalmanAnalysis,
  minus,
  norm,
  times,
  trace,
  transposed,
} from '../../../engine/check/assimilation/dense.ts';
import {
  analyse,
  deviationsOf,
  meanOf,
  method,
  NO_LOCALISATION,
  reordered,
  sampleCovariance,
} from '../../../engine/check/assimilation/set-up.ts';

describe.each(backends)('linear-Gaussian equivalence on $name', ({ open, precision }) => {
  let backend: Backend;
  let known: ClosedForm;
  beforeAll(async () => {
    [backend, known] = [await open(), await closedForm()];
    absolute = equivalenceBound(precision, known);
  });
  afterAll(() => backend.dispose());

  let absolute: number;

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

  it.each([
    ['letkf', 1],
    ['letkf', 1.3],
    ['eakf', 1],
    ['eakf', 1.3],
  ] as const)(
    'with few members the %s with inflation %f is the Kalman analysis with their inflated sample covariance',
    async (kind, inflation) => {
      const members = 7;
      const forecast = Float64Array.from({ length: members * LENGTH }, (_, e) => MEAN[e % LENGTH]);
      normals(members * LENGTH, 'few').forEach((value, e) => (forecast[e] += 0.1 * value));
      const mean = meanOf(forecast, LENGTH);
      const covariance = sampleCovariance(forecast, LENGTH).map((row) => row.map((value) => inflation * value));
      const innovation = innovationOf(OBSERVED, H, mean);
      const kalman = kalmanAnalysis(mean, covariance, H, innovation, deviationsOf(OBSERVED));
      const filter = method({ kind, localisation: NO_LOCALISATION, inflation });
      const { state } = await analyse(backend, model, filter, forecast, OBSERVED);
      expect(meanOf(state, LENGTH)).toBeClose(kalman.mean, { absolute });
      expect(largestDifference(sampleCovariance(state, LENGTH), kalman.covariance)).toBeLessThan(absolute);
    },
  );

  it.each([
    ['in their order', Array.from(OBSERVED.x, (_, j) => j)],
    ['in another order', Array.from(OBSERVED.x, (_, j) => (4 * j + 3) % OBSERVED.x.length)],
  ])('the EAKF takes observations one by one to the Kalman analysis of all: %s', async (_, order) => {
    const eakf = method({ kind: 'eakf', localisation: NO_LOCALISATION, rotation: true });
    const observed = reordered(OBSERVED, order);
    const { state } = await analyse(backend, model, eakf, exactEnsemble(MEAN, known.root), observed);
    expect(meanOf(state, LENGTH)).toBeClose(known.kalman.mean, { absolute });
    expect(largestDifference(sampleCovariance(state, LENGTH), known.kalman.covariance)).toBeLessThan(absolute);
  });

  it('the DEnKF has the Kalman mean, and the covariance of (I − ½ K H) X: ¼ K H B Hᵀ Kᵀ more', async () => {
    const denkf = method({ kind: 'denkf', localisation: NO_LOCALISATION });
    const { state } = await analyse(backend, model, denkf, exactEnsemble(MEAN, known.root), OBSERVED);
    expect(meanOf(state, LENGTH)).toBeClose(known.kalman.mean, { absolute });
    // K H B = B − Pᵃ, and K H B Hᵀ Kᵀ is K H times that, transposed: (B − Pᵃ) B⁻¹ (B − Pᵃ), or K H B − K H Pᵃ with K H = A Hᵀ R⁻¹ H.
    const removed = known.covariance.map((row, i) => minus(row, known.kalman.covariance[i]));
    const scaled = H.map((row, j) => row.map((value) => OBSERVED.inverseErrorStd[j] * value));
    const gained = times(times(known.kalman.covariance, transposed(scaled)), scaled);
    const left = times(gained, known.kalman.covariance);
    const expected = known.kalman.covariance.map((row, i) =>
      row.map((value, j) => value + (removed[i][j] - left[i][j]) / 4),
    );
    expect(largestDifference(expected, known.kalman.covariance)).toBeGreaterThan(100 * absolute);
    expect(largestDifference(sampleCovariance(state, LENGTH), expected)).toBeLessThan(absolute);
  });

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
    const { root, kalman } = await closedForm();
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
