/**
 * The stochastic EnKF with correlated observation errors: with R whole it is the Kalman filter of that R, written out here in
 * dense float64, and its perturbations have R's covariance; where it takes R for diagonal it is another.
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
import {
  analyse,
  contextOf,
  meanOf,
  method,
  NO_LOCALISATION,
  sampleCovariance,
} from '../../../engine/check/assimilation/set-up.ts';

const FULL = { kind: 'enkf', localisation: NO_LOCALISATION, errorCorrelation: 'full' } as const;

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
