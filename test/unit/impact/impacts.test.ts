/**
 * Impacts of an LETKF in a problem that is linear and Gaussian: with any linear forecast after it, each is what the column of the gain
 * does to the error, and together they are the change of the error.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { apply, dot, plus, solve, times, transposed } from '../../../engine/check/assimilation/dense.ts';
import { H, innovationOf, LENGTH, MEAN, model } from '../../../engine/check/assimilation/linear-gaussian.ts';
import {
  analyse,
  deviationsOf,
  meanOf,
  method,
  NO_LOCALISATION,
  sampleCovariance,
} from '../../../engine/check/assimilation/set-up.ts';
import { normals } from '../../../engine/check/measures.ts';
import { impactsOf } from '../../../engine/impact/index.ts';
import type { Backend } from '../../../engine/index.ts';
import { gaspariCohn } from '../../../engine/operators/localisation/index.ts';
import { backends } from '../../setup/backends.ts';
import { C, COUNT, TOGETHER, USED } from '../../verification/assimilation/errors-together.ts';

const MEMBERS = 8;
const INFLATION = 1.3;
const { nx, ny, dx, dy, periodicX, periodicY } = model.grid;
const CELLS = nx * ny;
const GEOMETRY = { nx, ny, periodicX, periodicY, aspect: dy / dx, halfWidthCells: Infinity };
const NORM = [2, 0.7, 0.5];

const FORECAST = Float64Array.from(normals(MEMBERS * LENGTH, 'members'), (value, e) =>
  Math.fround(MEAN[e % LENGTH] + 0.1 * value),
);
/** Any linear forecast, and what it is compared with. */
const M = Array.from({ length: LENGTH }, (_, row) => normals(LENGTH, 'linear model', row).map((value) => value / 8));
const VERIFICATION = normals(LENGTH, 'verification').map((value) => value / 4);

const forecastOf = (ensemble: Float64Array): Float64Array =>
  Float64Array.from(
    Array.from({ length: MEMBERS }, (_, l) => [...apply(M, ensemble.subarray(l * LENGTH, (l + 1) * LENGTH))]).flat(),
  );
const observedOf = (ensemble: Float64Array): Float64Array =>
  Float64Array.from(
    Array.from({ length: MEMBERS }, (_, l) => [...apply(H, ensemble.subarray(l * LENGTH, (l + 1) * LENGTH))]).flat(),
  );
const weigh = (error: Float64Array): Float64Array => error.map((e, at) => e * NORM[Math.floor(at / CELLS)]);

/** d of what is used, 0 of the rest. */
const DEPARTURES = innovationOf(TOGETHER, H, meanOf(FORECAST, LENGTH));
const INNOVATION = Float64Array.from(DEPARTURES, (d, j) => (USED.includes(j) ? d : 0));

function partsOf(analysis: Float64Array, isWhole: boolean) {
  return {
    forecast: forecastOf(analysis),
    members: MEMBERS,
    before: meanOf(forecastOf(FORECAST), LENGTH),
    verification: VERIFICATION,
    norm: NORM,
    geometry: GEOMETRY,
    observations: {
      x: TOGETHER.x,
      y: TOGETHER.y,
      innovation: INNOVATION,
      inverseErrorStd: TOGETHER.inverseErrorStd,
      analysed: observedOf(analysis),
      correlation: isWhole ? (a: number, b: number) => C[a][b] : undefined,
    },
  };
}

/** (M K eⱼ dⱼ)ᵀ C (e₀ + e₋) with the gain of the sample covariance. */
function denseImpacts(isWhole: boolean): Float64Array {
  const P = sampleCovariance(FORECAST, LENGTH).map((row) => row.map((value) => INFLATION * value));
  const used = USED.map((j) => H[j]);
  const cross = times(P, transposed(used));
  const deviations = deviationsOf(TOGETHER);
  const R = USED.map((a) =>
    Float64Array.from(USED, (b) => (a === b || isWhole ? C[a][b] * deviations[a] * deviations[b] : 0)),
  );
  const total = times(used, cross).map((row, i) => plus(row, R[i]));
  // [state][used]: the total is symmetric.
  const gain = solve(total, cross);
  const innovation = Float64Array.from(USED, (j) => INNOVATION[j]);
  const before = apply(M, meanOf(FORECAST, LENGTH)).map((value, e) => value - VERIFICATION[e]);
  const moved = times(M, gain);
  const errors = weigh(plus(plus(before, before), apply(moved, innovation)));
  const impacts = new Float64Array(COUNT);
  USED.forEach((j, column) => {
    impacts[j] =
      innovation[column] *
      dot(
        moved.map((row) => row[column]),
        errors,
      );
  });
  return impacts;
}

describe.each(backends)('impacts of observations in a linear problem, on $name', ({ open, precision }) => {
  let backend: Backend;
  beforeAll(async () => {
    backend = await open();
  });
  afterAll(() => backend.dispose());

  it.each([
    ['independent errors', false],
    ['correlated errors taken whole', true],
  ])('are those of the dense gain, and sum to the change of the error: %s', async (_, isWhole) => {
    const settings = method({
      kind: 'letkf',
      localisation: NO_LOCALISATION,
      inflation: INFLATION,
      errorCorrelation: isWhole ? 'full' : 'ignored',
    });
    const { state } = await analyse(backend, model, settings, FORECAST, TOGETHER);
    const { impacts, error, errorBefore } = impactsOf(partsOf(state, isWhole));
    const expected = denseImpacts(isWhole);
    const size = expected.reduce((sum, value) => sum + Math.abs(value), 0);
    // Members and their anomalies are known to a rounding, 2⁻²⁴ in float32, times the condition of the analysis, some hundreds.
    const tolerance = (precision === 'float64' ? 1e-10 : 1e-3) * size;
    expect(impacts).toBeClose(expected, { absolute: tolerance });
    expect(Float64Array.of(impacts.reduce((sum, value) => sum + value, 0))).toBeClose(
      Float64Array.of(error - errorBefore),
      { absolute: tolerance },
    );
    expect(Math.abs(error - errorBefore)).toBeGreaterThan(0.01 * errorBefore);
  });
});

/** Cells between two places along an axis. */
function apart(a: number, b: number, n: number, isPeriodic: boolean): number {
  return isPeriodic ? Math.min(...[-n, 0, n].map((shift) => Math.abs(a - b + shift))) : Math.abs(a - b);
}

describe('the taper of impacts', () => {
  it.each([
    [false, false],
    [true, false],
    [true, true],
  ])('is centred at the observation, on axes that are periodic or not: %s, %s', (isPeriodicX, isPeriodicY) => {
    const parts = partsOf(FORECAST, false);
    const halfWidthCells = 1.3;
    const geometry = { ...GEOMETRY, periodicX: isPeriodicX, periodicY: isPeriodicY, halfWidthCells };
    const { impacts } = impactsOf({ ...parts, geometry });
    const { forecast, before } = parts;
    const mean = meanOf(forecast, LENGTH);
    const errors = weigh(mean.map((value, e) => value + before[e] - 2 * VERIFICATION[e]));
    const seen = observedOf(FORECAST);
    const seenMean = meanOf(seen, COUNT);
    const expected = INNOVATION.map((d, j) => {
      let sum = 0;
      for (let l = 0; l < MEMBERS; l++) {
        const anomaly = seen[l * COUNT + j] - seenMean[j];
        for (let e = 0; e < LENGTH; e++) {
          const cell = e % CELLS;
          const along = apart(cell % nx, TOGETHER.x[j], nx, isPeriodicX);
          const across = apart(Math.floor(cell / nx), TOGETHER.y[j], ny, isPeriodicY);
          const weight = gaspariCohn(Math.hypot(along, GEOMETRY.aspect * across) / halfWidthCells);
          sum += anomaly * weight * (forecast[l * LENGTH + e] - mean[e]) * errors[e];
        }
      }
      return (d * TOGETHER.inverseErrorStd[j] ** 2 * sum) / (MEMBERS - 1);
    });
    expect(expected.some((value) => value !== 0)).toBe(true);
    expect(impacts).toBeClose(expected, { relative: 1e-12, absolute: 1e-12 });
  });
});
