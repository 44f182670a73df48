/** How the EnKF localises gauges and speedometers beside each other: each as if the others were not there. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { normals } from '../../../engine/check/measures.ts';
import { dot, solve } from '../../../engine/check/assimilation/dense.ts';
import {
  analyse,
  basin,
  contextOf,
  lengthOf,
  meanOf,
  method,
  NO_LOCALISATION,
} from '../../../engine/check/assimilation/set-up.ts';
import type { Observed } from '../../../engine/check/assimilation/set-up.ts';
import type { Backend } from '../../../engine/index.ts';
import { executeAnalysis, createMethod } from '../../../engine/methods/index.ts';
import { createTaperedGain } from '../../../engine/methods/enkf/tapered-gain.ts';
import { anomalies } from '../../../engine/operators/ensemble/index.ts';
import { gainCovariance } from '../../../engine/operators/gain-covariance/index.ts';
import { taperBetween, taperRow } from '../../../engine/operators/localisation/index.ts';
import { observedEnsembleCovariance } from '../../../engine/operators/observed-ensemble/index.ts';
import { observedCovariance } from '../../../engine/operators/stochastic-enkf/index.ts';
import { bilinearStencil } from '../../../engine/operators/observation/index.ts';
import { backends } from '../../setup/backends.ts';

const [NX, NY, MEMBERS, SPREAD] = [10, 8, 6, 0.1];
const CELLS = NX * NY;
const MODEL = basin({ nx: NX, ny: NY });
const LENGTH = lengthOf(MODEL);
/** Metres; cells are 2 m × 1.5 m. */
const HALF_WIDTH = 4;
const SETTINGS = method({ kind: 'enkf', localisation: { halfWidth: HALF_WIDTH }, inflation: 1 });
const GEOMETRY = { nx: NX, ny: NY, periodicX: false, periodicY: false, aspect: 0.75, halfWidthCells: HALF_WIDTH / 2 };
const FORECAST = normals(MEMBERS * LENGTH, 'enkf-localisation').map((value) => Math.fround(SPREAD * value));

function enkfSettings(): Extract<typeof SETTINGS, { kind: 'enkf' }> {
  if (SETTINGS.kind !== 'enkf') throw new Error(`found ${SETTINGS.kind} where an EnKF was asked for`);
  return SETTINGS;
}

type Place = readonly [x: number, y: number, variable: 'eta' | 'hu' | 'speed' | 'u', errorStd: number];

function observing(places: readonly Place[]): Observed {
  return {
    x: Float64Array.from(places, ([x]) => x),
    y: Float64Array.from(places, ([, y]) => y),
    variable: places.map(([, , variable]) => variable),
    values: Float64Array.from(places, ([, , variable]) => (variable === 'eta' ? -0.1 : 0.15)),
    inverseErrorStd: Float64Array.from(places, ([, , , errorStd]) => 1 / errorStd),
  };
}

/** Between cells, where the tapers in model space and in observation space are not the same. */
const GAUGE: Place = [4.5, 3.5, 'eta', 0.05];
const MIXED: readonly Place[] = [
  [3.5, 2.5, 'speed', 0.05],
  GAUGE,
  [5.25, 4, 'u', 0.1],
  [6.5, 3.75, 'hu', 0.04],
  [4, 3.25, 'speed', 0.08],
  [2.5, 2.5, 'eta', 0.06],
];

const isSeenThroughMembers = ([, , variable]: Place): boolean => variable === 'speed' || variable === 'u';

// The kernels themselves are compared on every backend in observed-ensemble.test.ts.
const onHost = backends.filter(({ name }) => name !== 'webgpu');

describe.each(onHost)('localisation of the EnKF on $name', ({ open, precision }) => {
  const eps = precision === 'float64' ? 2 ** -53 : 2 ** -24;
  let backend: Backend;
  beforeAll(async () => {
    backend = await open();
  });
  afterAll(() => backend.dispose());

  /** The backend, as if its fields had so many bytes at most. */
  function withFieldsOf(fieldBytes: number): Backend {
    return new Proxy(backend, {
      get(target, key) {
        if (key === 'limits') return { ...target.limits, fieldBytes };
        const value: unknown = Reflect.get(target, key);
        return typeof value === 'function' ? (value.bind(target) as unknown) : value;
      },
    });
  }

  async function incrementOf(places: readonly Place[], settings = SETTINGS): Promise<Float64Array> {
    const { state, report } = await analyse(backend, MODEL, settings, FORECAST, observing(places));
    expect(report.warning).toBeUndefined();
    return meanOf(
      state.map((value, i) => value - FORECAST[i]),
      LENGTH,
    );
  }

  /** What each observation has to do with the analysis in one cell. */
  async function influenceOf(places: readonly Place[]): Promise<Float64Array> {
    const context = await contextOf(backend, MODEL, observing(places), MEMBERS);
    const made = await createMethod(SETTINGS, context);
    const forecast = backend.allocate('forecast', 'real', FORECAST.length);
    try {
      backend.write(forecast, FORECAST);
      backend.write(made.state, FORECAST);
      made.departures.compute(made.state);
      await executeAnalysis(backend, made, 0);
      const answer = await made.explain({ kind: 'influence', variable: 'h', cell: { x: 5, y: 4 } }, forecast);
      if (!answer) throw new Error('no influence');
      const sum = answer.contributions.reduce((total, value) => total + value, 0);
      expect(sum).toBeClose(answer.increment, { absolute: 1000 * eps });
      return answer.contributions;
    } finally {
      for (const owned of [forecast, made, context]) owned.dispose();
    }
  }

  // Rounding of states of 0.1 and of six members' weights of about ten.
  const rounding = 500 * eps;

  it.each([
    ['after', (gauge: Place, meter: Place) => [gauge, meter]],
    ['before', (gauge: Place, meter: Place) => [meter, gauge]],
  ] as const)('a gauge moves the same with a speedometer %s it that says nothing', async (_, order) => {
    const places = order(GAUGE, [5.5, 4.5, 'speed', 1e9]);
    const [alone, beside] = [await incrementOf([GAUGE]), await incrementOf(places)];
    expect(Math.max(...alone.map(Math.abs))).toBeGreaterThan(0.03);
    expect(beside).toBeClose(alone, { absolute: rounding });
    const [influence] = await influenceOf([GAUGE]);
    expect((await influenceOf(places))[places.indexOf(GAUGE)]).toBeClose(influence, { absolute: rounding });
  });

  it('a speedometer moves the same with a gauge beside it that says nothing', async () => {
    const meter: Place = [5.5, 4.5, 'speed', 0.05];
    const [alone, beside] = [await incrementOf([meter]), await incrementOf([meter, [4.5, 3.5, 'eta', 1e9]])];
    expect(Math.max(...alone.map(Math.abs))).toBeGreaterThan(0.01);
    expect(beside).toBeClose(alone, { absolute: rounding });
  });

  it('together they are the Kalman gain of one tapered covariance, of the state and what members observe', async () => {
    const observed = observing(MIXED);
    const p = MIXED.length;
    const context = await contextOf(backend, MODEL, observed, MEMBERS);
    const ensemble = backend.allocate('ensemble', 'real', FORECAST.length);
    const seen = backend.allocate('seen', 'real', MEMBERS * p);
    backend.write(ensemble, FORECAST);
    context.observations.observe(ensemble, MEMBERS, seen);
    const values = await backend.read(seen);
    for (const owned of [ensemble, seen, context]) owned.dispose();
    // The members with what they observe as further elements, each of which has a place.
    const size = LENGTH + p;
    const whole = new Float64Array(MEMBERS * size);
    for (let l = 0; l < MEMBERS; l++) {
      whole.set(FORECAST.subarray(l * LENGTH, (l + 1) * LENGTH), l * size);
      whole.set(values.subarray(l * p, (l + 1) * p), l * size + LENGTH);
    }
    const mean = meanOf(whole, size);
    const placeOf = (i: number): readonly [number, number] =>
      i < LENGTH ? [i % NX, Math.floor(i / NX) % NY] : [observed.x[i - LENGTH], observed.y[i - LENGTH]];
    const taper = taperBetween(GEOMETRY);
    const covariance = (i: number, j: number): number => {
      const [[ax, ay], [bx, by]] = [placeOf(i), placeOf(j)];
      let sum = 0;
      for (let l = 0; l < MEMBERS; l++) sum += (whole[l * size + i] - mean[i]) * (whole[l * size + j] - mean[j]);
      return (taper(ax - bx, ay - by) * sum) / (MEMBERS - 1);
    };
    const { corners, weights } = bilinearStencil(MODEL.grid, observed.x, observed.y);
    const rows = MIXED.map((place, j) => {
      if (isSeenThroughMembers(place)) return [{ element: LENGTH + j, weight: 1 }];
      const first = place[2] === 'eta' ? 0 : CELLS;
      return Array.from({ length: 4 }, (_, k) => ({
        element: first + corners[4 * j + k],
        weight: weights[4 * j + k],
      }));
    });
    const columns = rows.map((row) =>
      Float64Array.from({ length: size }, (_, i) =>
        row.reduce((sum, { element, weight }) => sum + weight * covariance(i, element), 0),
      ),
    );
    const matrix = rows.map((row, a) =>
      Float64Array.from(columns, (column, b) => {
        const covered = row.reduce((sum, { element, weight }) => sum + weight * column[element], 0);
        return covered + (a === b ? MIXED[a][3] ** 2 : 0);
      }),
    );
    const innovation = observed.values.map((value, j) => value - mean[LENGTH + j]);
    const [solved] = solve(matrix, [innovation]);
    const expected = Float64Array.from({ length: LENGTH }, (_, i) =>
      dot(
        solved,
        columns.map((column) => column[i]),
      ),
    );
    expect(Math.max(...expected.map(Math.abs))).toBeGreaterThan(0.05);
    expect(await incrementOf(MIXED)).toBeClose(expected, { absolute: 4 * rounding });
    // Also with columns that do not fit in memory all at once.
    const { state } = await analyse(
      withFieldsOf(4 * LENGTH * backend.elementBytes),
      MODEL,
      SETTINGS,
      FORECAST,
      observed,
    );
    expect([...state]).not.toEqual([...FORECAST]);
    const inBlocks = meanOf(
      state.map((value, i) => value - FORECAST[i]),
      LENGTH,
    );
    expect(inBlocks).toBeClose(expected, { absolute: 4 * rounding });
    await influenceOf(MIXED);
  });

  it.each([
    ['in model space where all are linear in the state', [GAUGE, MIXED[3], MIXED[5]]],
    ['in observation space if none is', [MIXED[0], MIXED[2], MIXED[4]]],
  ] as const)('tapers %s, by that operator alone', async (_, places) => {
    const p = places.length;
    const context = await contextOf(backend, MODEL, observing(places), MEMBERS);
    const { observations } = context;
    const tangent = observations.linearised('gain');
    const real = (name: string, length: number) => backend.allocate(name, 'real', length);
    const fields = {
      mean: real('mean', LENGTH),
      anomalies: real('anomalies', MEMBERS * LENGTH),
      observedMean: real('observedMean', p),
      matrix: real('matrix', p * p),
    };
    const observedEnsemble = real('observedEnsemble', MEMBERS * p);
    const { inverseErrorStd, positionX, positionY, nonzeros } = observations;
    const gain = await createTaperedGain(enkfSettings(), context, {
      tangent,
      departures: { observedEnsemble, inverseErrorStd },
      fields,
    });
    backend.write(fields.mean, meanOf(FORECAST, LENGTH));
    backend.write(fields.anomalies, FORECAST);
    observations.observe(fields.anomalies, MEMBERS, observedEnsemble);
    await gain.follow();
    gain.makeMatrix();
    const shape = { ...GEOMETRY, members: MEMBERS };
    const expected = real('expected', p * p);
    const others = real('observedAnomalies', MEMBERS * p);
    const covariance = real('covariance', p * LENGTH);
    const made: { dispose(): void }[] = [context, tangent, gain, expected, others, covariance, observedEnsemble];
    if (isSeenThroughMembers(places[0])) {
      const splitting = await backend.prepare(anomalies, { members: MEMBERS, length: p });
      const covarying = await backend.prepare(observedEnsembleCovariance, { ...shape, observations: p, inflation: 1 });
      splitting.run({ ensemble: observedEnsemble, mean: fields.observedMean, anomalies: others });
      covarying.run({ observedAnomalies: others, inverseErrorStd, positionX, positionY, matrix: expected });
      made.push(splitting, covarying);
    } else {
      const { row, reachX, reachY } = taperRow(GEOMETRY);
      const [taperField, ones] = [real('taper', CELLS), real('ones', p)];
      backend.write(taperField, row);
      backend.write(ones, new Float64Array(p).fill(1));
      const block = { firstObservation: 0, nonzeros };
      const columns = await backend.prepare(gainCovariance, {
        ...GEOMETRY,
        ...block,
        variables: 3,
        members: MEMBERS,
        observations: p,
        reachX,
        reachY,
      });
      const rows = await backend.prepare(observedCovariance, {
        ...block,
        length: LENGTH,
        observations: p,
        blockObservations: p,
      });
      columns.run({ anomalies: fields.anomalies, taperRow: taperField, ...tangent.matrix, output: covariance });
      rows.run({ covariance, ...tangent.matrix, inverseErrorStd: ones, matrix: expected });
      made.push(taperField, ones, columns, rows);
    }
    const lower = (matrix: Float64Array) => matrix.filter((__, at) => at % p <= Math.floor(at / p));
    expect(lower(await backend.read(fields.matrix))).toEqual(lower(await backend.read(expected)));
    for (const owned of [...made, ...Object.values(fields)]) owned.dispose();
  });

  it.each([{ halfWidth: HALF_WIDTH }, NO_LOCALISATION])(
    'what is solved is positive definite with many of both, close together and far more exact than the forecast: %o',
    async (localisation) => {
      const places = Array.from({ length: 60 }, (_, j): Place => {
        const [x, y] = [1.25 + (j % 10) * 0.75, 1.5 + Math.floor(j / 10) * 0.75];
        return [x, y, j % 2 === 0 ? 'eta' : 'speed', 0.002];
      });
      const increment = await incrementOf(places, method({ kind: 'enkf', localisation, inflation: 1 }));
      expect(increment.every((value) => Math.abs(value) < 10)).toBe(true);
    },
  );
});
