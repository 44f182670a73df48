/**
 * What an analysis must not depend on: the order of observations and of members, and observations that are not there or not
 * believed. And what must then remain: without observations the mean.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Backend, Method as MethodSettings } from '../../../engine/index.ts';
import { backends } from '../../setup/backends.ts';
import { between, normals } from '../../../engine/check/measures.ts';
import {
  analyse,
  anomaliesOf,
  basin,
  lengthOf,
  meanOf,
  method,
  reordered,
} from '../../../engine/check/assimilation/set-up.ts';
import type { Observed } from '../../../engine/check/assimilation/set-up.ts';

const [NX, NY, MEMBERS, COUNT] = [9, 6, 7, 14];
const model = basin({ nx: NX, ny: NY, periodicX: true });
const LENGTH = lengthOf(model);
const FORECAST = Float64Array.from(normals(MEMBERS * LENGTH, 'forecast'), (value, e) =>
  Math.fround(0.1 * value + (e % LENGTH < NX * NY ? 0 : 0.3)),
);
const OBSERVED: Observed = {
  x: between(COUNT, 0, NX - 0.01, 'x').map(Math.fround),
  y: between(COUNT, 0, NY - 1, 'y').map(Math.fround),
  variable: Array.from({ length: COUNT }, (_, j) => ['h', 'eta', 'hu', 'u', 'speed'][j % 5]),
  values: between(COUNT, -0.2, 0.2, 'values').map((value, j) => [1, 0, 0.3, 0.3, 0.4][j % 5] + value),
  inverseErrorStd: between(COUNT, 8, 20, 'inverseErrorStd'),
};

const localisation = { halfWidth: 5 };
const methods = {
  letkf: method({ kind: 'letkf', localisation, inflation: 1.1 }),
  'letkf, relaxed and rotated': method({
    kind: 'letkf',
    localisation,
    relaxation: { kind: 'spread', factor: 0.3 },
    rotation: true,
  }),
  enkf: method({ kind: 'enkf', localisation, inflation: 1.1 }),
  denkf: method({ kind: 'denkf', localisation, inflation: 1.1 }),
  eakf: method({ kind: 'eakf', localisation, inflation: 1.1 }),
  '3dvar': method({
    kind: '3dvar',
    covariance: { kind: 'recursive-filter', length: 4, standardDeviation: { h: 0.1 } },
  }),
} satisfies Record<string, MethodSettings>;

function forecastOf(settings: MethodSettings): Float64Array {
  return settings.kind === '3dvar' ? FORECAST.subarray(0, LENGTH) : FORECAST;
}

/** A fixed order of n things that leaves none in its place. */
function shuffled(n: number): number[] {
  return Array.from({ length: n }, (_, j) => (5 * j + 3) % n);
}

function permutedMembers(ensemble: Float64Array, order: readonly number[]): Float64Array {
  return Float64Array.from(order.flatMap((l) => [...ensemble.subarray(l * LENGTH, (l + 1) * LENGTH)]));
}

describe.each(backends)('invariance of the analysis on $name', ({ open, precision }) => {
  let backend: Backend;
  beforeAll(async () => {
    backend = await open();
  });
  afterAll(() => backend.dispose());

  // Another order of sums: a few tens of roundings of states below 1, times the condition of a local problem, about 10.
  const absolute = precision === 'float64' ? 1e-13 : 1e-5;
  const run = (settings: MethodSettings, observed = OBSERVED, forecast = forecastOf(settings), options = {}) =>
    analyse(backend, model, settings, forecast, observed, options).then(({ state }) => state);

  it.each(['letkf', 'letkf, relaxed and rotated', 'denkf', '3dvar'] as const)(
    'the order of observations changes nothing: %s',
    async (label) => {
      const before = await run(methods[label]);
      const after = await run(methods[label], reordered(OBSERVED, shuffled(COUNT)));
      expect(after).toBeClose(before, { absolute });
      expect(Math.max(...before.map((value, e) => Math.abs(value - forecastOf(methods[label])[e])))).toBeGreaterThan(
        0.1,
      );
    },
  );

  it('the order of observations leaves the EnKF’s mean; its members’ perturbations go with the places in the list', async () => {
    const before = await run(methods.enkf);
    const after = await run(methods.enkf, reordered(OBSERVED, shuffled(COUNT)));
    expect(meanOf(after, LENGTH)).toBeClose(meanOf(before, LENGTH), { absolute });
    expect(Math.max(...after.map((value, e) => Math.abs(value - before[e])))).toBeGreaterThan(1e-3);
  });

  it('the order of observations matters to a localised EAKF, by less than half of the analysis', async () => {
    const before = await run(methods.eakf);
    const after = await run(methods.eakf, reordered(OBSERVED, shuffled(COUNT)));
    const forecast = forecastOf(methods.eakf);
    const largest = (of: Float64Array): number => Math.max(...before.map((value, e) => Math.abs(value - of[e])));
    expect(largest(after)).toBeGreaterThan(10 * absolute);
    expect(largest(after)).toBeLessThan(0.5 * largest(forecast));
  });

  it.each(['letkf', 'denkf', 'eakf'] as const)('members are permuted with those of the forecast: %s', async (label) => {
    const order = shuffled(MEMBERS);
    const before = await run(methods[label]);
    const after = await run(methods[label], OBSERVED, permutedMembers(FORECAST, order));
    expect(after).toBeClose(permutedMembers(before, order), { absolute });
  });

  it('the EnKF’s mean does not depend on the order of members; its perturbations go with their numbers', async () => {
    const order = shuffled(MEMBERS);
    const before = await run(methods.enkf);
    const after = await run(methods.enkf, OBSERVED, permutedMembers(FORECAST, order));
    expect(meanOf(after, LENGTH)).toBeClose(meanOf(before, LENGTH), { absolute });
  });

  it.each(['letkf', 'enkf', 'denkf', 'eakf'] as const)(
    'where no observation is there the mean is unchanged and anomalies grow by the root of the inflation: %s',
    async (label) => {
      const nothing = { ...OBSERVED, inverseErrorStd: new Float64Array(COUNT) };
      const after = await run(methods[label], nothing);
      expect(meanOf(after, LENGTH)).toBeClose(meanOf(FORECAST, LENGTH), { absolute });
      const grown = anomaliesOf(FORECAST, LENGTH).map((row) => row.map((value) => Math.sqrt(1.1) * value));
      anomaliesOf(after, LENGTH).forEach((row, l) => expect(row).toBeClose(grown[l], { absolute }));
    },
  );

  it('where no observation is there 3D-Var changes no bit', async () => {
    const nothing = { ...OBSERVED, inverseErrorStd: new Float64Array(COUNT) };
    expect(await run(methods['3dvar'], nothing)).toEqual(FORECAST.slice(0, LENGTH));
  });

  it.each(['letkf', 'enkf', 'denkf', 'eakf', '3dvar'] as const)(
    'an observation that quality control rejects has the effect of one that is not there, to the bit: %s',
    async (label) => {
      const wrong = 5;
      const values = OBSERVED.values.map((value, j) => (j === wrong ? value + 50 : value));
      const threshold = new Float64Array(COUNT).fill(20);
      const inverseErrorStd = OBSERVED.inverseErrorStd.map((r, j) => (j === wrong ? 0 : r));
      const absent = await run(methods[label], { ...OBSERVED, inverseErrorStd });
      expect(await run(methods[label], { ...OBSERVED, values, threshold })).toEqual(absent);
      const believed = await run(methods[label], { ...OBSERVED, values });
      expect(Math.max(...believed.map((value, e) => Math.abs(value - absent[e])))).toBeGreaterThan(0.1);
    },
  );

  it.each(['letkf', 'denkf', '3dvar'] as const)(
    'an observation twice is one of half the error variance: %s',
    async (label) => {
      const twice = reordered(OBSERVED, [...Array(COUNT).keys(), ...Array(COUNT).keys()]);
      const precise = { ...OBSERVED, inverseErrorStd: OBSERVED.inverseErrorStd.map((r) => Math.SQRT2 * r) };
      // 3D-Var stops its iterations at 1e-4 of the gradient, on either side of the same minimum.
      const stopped = label === '3dvar' ? 1e-4 : absolute;
      expect(await run(methods[label], twice)).toBeClose(await run(methods[label], precise), { absolute: stopped });
    },
  );

  it('two cycles of the EnKF draw different perturbations, one cycle the same again', async () => {
    const first = await run(methods.enkf, OBSERVED, FORECAST, { cycle: 0 });
    expect(await run(methods.enkf, OBSERVED, FORECAST, { cycle: 0 })).toEqual(first);
    expect(await run(methods.enkf, OBSERVED, FORECAST, { cycle: 1 })).not.toEqual(first);
    expect(await run(methods.enkf, OBSERVED, FORECAST, { seed: 2 })).not.toEqual(first);
  });
});
