/**
 * Ensemble filters with correlated observation errors: with R whole each is the Kalman filter of that R, written out here in
 * dense float64, and the perturbations of the stochastic EnKF have R's covariance; where one takes R for diagonal it is another.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  closedForm,
  equivalenceBound,
  exactEnsemble,
  H,
  INNOVATION,
  innovationOf,
  LENGTH,
  MEAN,
  model,
  OBSERVED,
} from '../../../engine/check/assimilation/linear-gaussian.ts';
import type { ClosedForm } from '../../../engine/check/assimilation/linear-gaussian.ts';
import { createReferenceBackend } from '../../../engine/index.ts';
import type { Backend } from '../../../engine/index.ts';
import { executeAnalysis, createMethod } from '../../../engine/methods/index.ts';
import { correlationRows, createCorrelatedErrors } from '../../../engine/methods/shared/correlated-errors.ts';
import { backends } from '../../setup/backends.ts';
import { C, CORRELATED, COUNT, kalman, TOGETHER, USED } from './errors-together.ts';
import { normals } from '../../../engine/check/measures.ts';
import { minus, norm, times, trace, transposed } from '../../../engine/check/assimilation/dense.ts';
import type { Matrix } from '../../../engine/check/assimilation/dense.ts';
import type { Observed } from '../../../engine/check/assimilation/set-up.ts';
import {
  analyse,
  contextOf,
  meanOf,
  method,
  NO_LOCALISATION,
  sampleCovariance,
} from '../../../engine/check/assimilation/set-up.ts';

const FULL = { kind: 'enkf', localisation: NO_LOCALISATION, errorCorrelation: 'full' } as const;

const LETKF = { kind: 'letkf', localisation: NO_LOCALISATION, errorCorrelation: 'full' } as const;
/** The ninth, of the second track, reads what no forecast expects. */
const OUTLIER = 8;
const WITH_OUTLIER: Observed = {
  ...TOGETHER,
  values: OBSERVED.values.map((value, j) => (j === OUTLIER ? value + 50 : value)),
  threshold: Float64Array.from(OBSERVED.values, (_, j) => (j === OUTLIER ? 4 : 0)),
};

describe('the factor of correlated errors', () => {
  it('is a root of their correlation, row by row', () => {
    const { indptr, indices, correlation, root } = correlationRows(COUNT, CORRELATED);
    const dense = (values: Float64Array): Matrix =>
      Array.from({ length: COUNT }, (_, row) => {
        const line = new Float64Array(COUNT);
        for (let k = indptr[row]; k < indptr[row + 1]; k++) line[indices[k]] = values[k];
        return line;
      });
    const l = dense(root);
    expect(times(l, transposed(l)).flatMap((row) => [...row])).toBeClose(
      C.flatMap((row) => [...row]),
      { absolute: 1e-14 },
    );
    dense(correlation).forEach((row, a) => row.forEach((value, b) => expect(value).toBe(b <= a ? C[a][b] : 0)));
    // A factor of its own is used if nothing is correlated.
    expect(l[5][5]).toBe(1);
    expect(l[10][6]).toBeGreaterThan(0);
  });
});

describe.each(backends)('the EnKF with correlated errors on $name', ({ open, precision }) => {
  let backend: Backend;
  let known: ClosedForm;
  let absolute: number;
  beforeAll(async () => {
    [backend, known] = [await open(), await closedForm()];
    // C has the condition of its blocks beside that of what is solved with I.
    absolute = 20 * equivalenceBound(precision, known);
  });
  afterAll(() => backend.dispose());

  it('has the Kalman filter’s mean with R whole, and another one with R diagonal', async () => {
    const expected = kalman(MEAN, known.covariance, INNOVATION);
    const forecast = exactEnsemble(MEAN, known.root);
    const { state } = await analyse(backend, model, method(FULL), forecast, TOGETHER);
    expect(meanOf(state, LENGTH)).toBeClose(expected.mean, { absolute });
    const ignoring = await analyse(
      backend,
      model,
      method({ ...FULL, errorCorrelation: 'ignored' }),
      forecast,
      TOGETHER,
    );
    expect(norm(minus(meanOf(ignoring.state, LENGTH), expected.mean))).toBeGreaterThan(10 * absolute);
    expect(norm(minus(expected.mean, MEAN))).toBeGreaterThan(0.3);
  });

  it('is as it was where no errors are correlated', async () => {
    const forecast = Float64Array.from(normals(5 * LENGTH, 'five'), (value, e) => MEAN[e % LENGTH] + 0.1 * value);
    const alone = { ...TOGETHER, correlated: [] };
    const [full, ignored] = [
      await analyse(backend, model, method(FULL), forecast, alone),
      await analyse(backend, model, method({ ...FULL, errorCorrelation: 'ignored' }), forecast, TOGETHER),
    ];
    expect(full.state).toEqual(ignored.state);
  });

  it('draws perturbations that are L times independent ones', async () => {
    const members = 3;
    const context = await contextOf(backend, model, TOGETHER, members);
    const together = createCorrelatedErrors('enkf', context);
    expect(await together.follow()).toBe(true);
    const [noise, output] = ['noise', 'output'].map((name) => backend.allocate(name, 'real', members * COUNT));
    const drawn = normals(members * COUNT, 'noise').map(Math.fround);
    backend.write(noise, drawn);
    together.correlate(noise, output);
    const { indptr, indices, root } = correlationRows(COUNT, CORRELATED);
    const expected = Float64Array.from({ length: members * COUNT }, (_, at) => {
      const row = at % COUNT;
      let sum = 0;
      for (let k = indptr[row]; k < indptr[row + 1]; k++) sum += root[k] * drawn[at - row + indices[k]];
      return sum;
    });
    expect(await backend.read(output)).toBeClose(expected, { absolute: precision === 'float64' ? 1e-14 : 2e-6 });
    for (const owned of [together, noise, output, context]) owned.dispose();
  });

  it('reports the influence of each observation and the degrees of freedom of that gain', async () => {
    const members = 40;
    const forecast = Float64Array.from(
      normals(members * LENGTH, 'forty'),
      (value, e) => MEAN[e % LENGTH] + 0.1 * value,
    );
    const mean = meanOf(forecast, LENGTH);
    const innovation = innovationOf(OBSERVED, H, mean);
    const expected = kalman(mean, sampleCovariance(forecast, LENGTH), innovation);
    const context = await contextOf(backend, model, TOGETHER, members);
    const made = await createMethod(method(FULL), context);
    backend.write(made.state, forecast);
    const kept = backend.allocate('kept', 'real', forecast.length);
    backend.write(kept, forecast);
    made.departures.compute(made.state);
    await executeAnalysis(backend, made, 0);
    const influence = await made.explain({ kind: 'influence', variable: 'h', cell: { x: 2, y: 1 } }, kept);
    const element = model.grid.nx + 2;
    const contributions = USED.map((j) => influence?.contributions[j] ?? Number.NaN);
    const scale = norm(expected.gain[element]);
    expect(contributions).toBeClose(
      USED.map((j, at) => expected.gain[element][at] * innovation[j]),
      { absolute: (precision === 'float64' ? 1e-11 : 1e-3) * scale },
    );
    const told = await made.explain({ kind: 'degrees-of-freedom' }, kept);
    expect(told?.value).toBeClose(expected.degreesOfFreedom, { relative: precision === 'float64' ? 1e-10 : 1e-3 });
    for (const owned of [made, kept, context]) owned.dispose();
  });
});

describe.each(backends)('the LETKF with correlated errors on $name', ({ open, precision }) => {
  let backend: Backend;
  // C has the condition of its blocks, some hundreds, beside that of I + G.
  const absolute = precision === 'float64' ? 1e-11 : 2e-4;
  const relative = precision === 'float64' ? 1e-10 : 1e-3;
  beforeAll(async () => {
    backend = await open();
  });
  afterAll(() => backend.dispose());

  it.each([
    { what: 'fewer members than observations', members: 6 },
    { what: 'more members than observations', members: 20 },
  ])('has the Kalman filter’s mean, covariance and χ²: $what', async ({ members }) => {
    const forecast = Float64Array.from(normals(members * LENGTH, 'some'), (value, e) =>
      Math.fround(MEAN[e % LENGTH] + 0.1 * value),
    );
    const mean = meanOf(forecast, LENGTH);
    const covariance = sampleCovariance(forecast, LENGTH);
    const used = USED.filter((j) => j !== OUTLIER);
    const expected = kalman(mean, covariance, innovationOf(OBSERVED, H, mean), used);
    const context = await contextOf(backend, model, WITH_OUTLIER, members);
    const made = await createMethod(method(LETKF), context);
    const kept = backend.allocate('kept', 'real', forecast.length);
    for (const field of [made.state, kept]) backend.write(field, forecast);
    made.departures.compute(made.state);
    await executeAnalysis(backend, made, 0);
    const state = await backend.read(made.state);
    expect(meanOf(state, LENGTH)).toBeClose(expected.mean, { absolute });
    sampleCovariance(state, LENGTH).forEach((row, i) => expect(row).toBeClose(expected.covariance[i], { absolute }));
    const [misfit] = made.misfit ? await backend.read(made.misfit.value) : [Number.NaN];
    expect(misfit).toBeClose(expected.misfit, { relative });
    const ignoring = method({ ...LETKF, errorCorrelation: 'ignored' });
    const { state: other } = await analyse(backend, model, ignoring, forecast, WITH_OUTLIER);
    expect(norm(minus(meanOf(other, LENGTH), expected.mean))).toBeGreaterThan(10 * absolute);

    const influence = await made.explain({ kind: 'influence', variable: 'h', cell: { x: 2, y: 1 } }, kept);
    const gain = expected.gain[model.grid.nx + 2];
    const innovation = innovationOf(OBSERVED, H, mean);
    expect(used.map((j) => influence?.contributions[j] ?? Number.NaN)).toBeClose(
      used.map((j, at) => gain[at] * innovation[j]),
      { absolute: relative * norm(gain) },
    );
    const trace = await made.explain({ kind: 'degrees-of-freedom' }, kept);
    expect(trace?.value).toBeClose(expected.degreesOfFreedom, { relative });
    const weights = await made.explain({ kind: 'weights', cell: { x: 2, y: 1 } }, kept);
    expect(weights?.degreesOfFreedom).toBeClose(expected.degreesOfFreedom, { relative });
    for (const owned of [made, kept, context]) owned.dispose();
  });

  it('gives the same bits as independent errors if no errors are correlated', async () => {
    const forecast = Float64Array.from(normals(5 * LENGTH, 'five'), (value, e) => MEAN[e % LENGTH] + 0.1 * value);
    const alone = { ...TOGETHER, correlated: [] };
    const [full, ignored] = [
      await analyse(backend, model, method(LETKF), forecast, alone),
      await analyse(backend, model, method({ ...LETKF, errorCorrelation: 'ignored' }), forecast, TOGETHER),
    ];
    expect(full.state).toEqual(ignored.state);
  });

  it('has it at interpolated weights as well', async () => {
    const forecast = Float64Array.from(normals(6 * LENGTH, 'coarse'), (value, e) => MEAN[e % LENGTH] + 0.1 * value);
    const coarse = method({ ...LETKF, weights: { every: 2 } });
    const [all, some] = [
      await analyse(backend, model, method(LETKF), forecast, TOGETHER),
      await analyse(backend, model, coarse, forecast, TOGETHER),
    ];
    // Without localisation the weights are everywhere the same.
    expect(some.state).toBeClose(all.state, { absolute });
  });
});

describe('the perturbations of correlated errors, float64', () => {
  let backend: Backend;
  beforeAll(() => {
    backend = createReferenceBackend();
  });
  afterAll(() => backend.dispose());

  it('have the covariance C', async () => {
    const members = 4000;
    const context = await contextOf(backend, model, TOGETHER, members);
    const together = createCorrelatedErrors('enkf', context);
    await together.follow();
    const [noise, output] = ['noise', 'output'].map((name) => backend.allocate(name, 'real', members * COUNT));
    backend.write(noise, normals(members * COUNT, 'many'));
    together.correlate(noise, output);
    const found = sampleCovariance(await backend.read(output), COUNT);
    // An entry of a sample covariance has the variance (1 + c²)/(N − 1); five of its deviations.
    found.forEach((row, a) =>
      row.forEach((value, b) =>
        expect(Math.abs(value - C[a][b])).toBeLessThan(5 * Math.sqrt((1 + C[a][b] ** 2) / (members - 1))),
      ),
    );
    for (const owned of [together, noise, output, context]) owned.dispose();
  });

  it('leave the Kalman filter’s covariance on average', async () => {
    const members = 6;
    const forecast = Float64Array.from(normals(members * LENGTH, 'six'), (value, e) => MEAN[e % LENGTH] + 0.1 * value);
    const mean = meanOf(forecast, LENGTH);
    const expected = kalman(mean, sampleCovariance(forecast, LENGTH), innovationOf(OBSERVED, H, mean));
    const cycles = 300;
    const averaged = Array.from({ length: LENGTH }, () => new Float64Array(LENGTH));
    for (let cycle = 0; cycle < cycles; cycle++) {
      const { state } = await analyse(backend, model, method(FULL), forecast, TOGETHER, { cycle });
      sampleCovariance(state, LENGTH).forEach((row, i) =>
        row.forEach((value, j) => (averaged[i][j] += value / cycles)),
      );
    }
    // A draw's trace has five degrees of freedom in each of five directions: √(2/25) of it, 1.6 % over 300 draws.
    expect(trace(averaged) / trace(expected.covariance)).toBeClose(1, { absolute: 0.05 });
  });
});
