/**
 * 3D-Var and the hybrid with correlated observation errors: with R whole they have the Kalman filter's mean of that R, written
 * out in dense float64, its χ², its gain observation by observation and its degrees of freedom, whatever is missing or rejected.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createReferenceBackend } from '../../../engine/index.ts';
import type { Backend, Method as MethodSettings } from '../../../engine/index.ts';
import { testAdjoint, apply, minus, norm, times, transposed } from '../../../engine/check/assimilation/dense.ts';

import { normals } from '../../../engine/check/measures.ts';
import {
  closedForm,
  equivalenceBound,
  INNOVATION,
  innovationOf,
  H,
  LENGTH,
  MEAN,
  model,
  OBSERVED,
  threeDVar,
} from '../../../engine/check/assimilation/linear-gaussian.ts';
import type { ClosedForm } from '../../../engine/check/assimilation/linear-gaussian.ts';
import {
  analyse,
  contextOf,
  meanOf,
  method,
  NO_LOCALISATION,
  sampleCovariance,
} from '../../../engine/check/assimilation/set-up.ts';
import type { Observed } from '../../../engine/check/assimilation/set-up.ts';
import { executeAnalysis, createMethod } from '../../../engine/methods/index.ts';
import type { ErrorBlock } from '../../../engine/methods/index.ts';
import { createWhitenedErrors } from '../../../engine/methods/shared/whitened-errors.ts';
import { backends } from '../../setup/backends.ts';
import { C, CORRELATED, COUNT, kalman, TOGETHER, USED } from './errors-together.ts';

const { covariance, minimisation } = threeDVar;
const MEMBERS = 6;
const FORECAST = Float64Array.from(normals(MEMBERS * LENGTH, 'six'), (value, e) =>
  Math.fround(MEAN[e % LENGTH] + 0.1 * value),
);

function variational(settings: object = {}): MethodSettings {
  return method({ kind: '3dvar', covariance, minimisation, errorCorrelation: 'full', ...settings });
}

function hybrid(settings: object): MethodSettings {
  return method({
    kind: 'hybrid',
    covariance,
    minimisation,
    localisation: { length: 1e9 },
    ensemble: { kind: 'enkf', localisation: NO_LOCALISATION, errorCorrelation: 'full' },
    errorCorrelation: 'full',
    ...settings,
  });
}

/** The ninth, of the second track, reads what no forecast expects. */
const OUTLIER = 8;
const LEFT = USED.filter((j) => j !== OUTLIER);
const WITH_OUTLIER: Observed = {
  ...TOGETHER,
  values: OBSERVED.values.map((value, j) => (j === OUTLIER ? value + 50 : value)),
  threshold: Float64Array.from(OBSERVED.values, (_, j) => (j === OUTLIER ? 4 : 0)),
};

const NEXT_TO_SINGULAR = 'the correlation of the observation errors is next to singular';

/** All errors are correlated, over so many places. */
function smoothOver(length: number): readonly ErrorBlock[] {
  const between = (a: number, b: number): number =>
    a === b ? 1 : (1 - 1e-8) * Math.exp(-((a - b) ** 2) / (2 * length ** 2));
  return [{ first: 0, errors: { count: COUNT, between } }];
}

describe.each(backends)('minimisations with correlated errors on $name', ({ name, open, precision }) => {
  let backend: Backend;
  let known: ClosedForm;
  let absolute: number;
  beforeAll(async () => {
    [backend, known] = [await open(), await closedForm()];
    // C has the condition of its blocks beside that of what is solved with I.
    absolute = 20 * equivalenceBound(precision, known);
  });
  afterAll(() => backend.dispose());

  it('3D-Var has the Kalman filter’s mean with R whole, and its χ²', async () => {
    const expected = kalman(MEAN, known.covariance, INNOVATION);
    const { state, report } = await analyse(backend, model, variational(), MEAN, TOGETHER);
    expect(state).toBeClose(expected.mean, { absolute });
    const { cost = [] } = report.minimisation ?? {};
    expect(2 * (cost.at(-1) ?? Number.NaN)).toBeClose(expected.misfit, {
      relative: precision === 'float64' ? 1e-10 : 1e-4,
    });
    expect(report.warning).toBeUndefined();
    const ignoring = await analyse(backend, model, variational({ errorCorrelation: 'ignored' }), MEAN, TOGETHER);
    expect(norm(minus(ignoring.state, expected.mean))).toBeGreaterThan(10 * absolute);
  });

  it('what quality control rejects has no row in R', async () => {
    const expected = kalman(MEAN, known.covariance, INNOVATION, LEFT);
    const { state } = await analyse(backend, model, variational(), MEAN, WITH_OUTLIER);
    expect(state).toBeClose(expected.mean, { absolute });
    expect(norm(minus(expected.mean, kalman(MEAN, known.covariance, INNOVATION).mean))).toBeGreaterThan(10 * absolute);
  });

  it('outer loops come to the same where H is linear, and report the same J', async () => {
    const expected = kalman(MEAN, known.covariance, INNOVATION);
    const twice = variational({ minimisation: { ...minimisation, outerLoops: 2 } });
    const { state, report } = await analyse(backend, model, twice, MEAN, TOGETHER);
    expect(state).toBeClose(expected.mean, { absolute });
    const relative = precision === 'float64' ? 1e-10 : 1e-4;
    for (const { cost } of report.minimisation?.outerLoops ?? []) {
      expect(2 * cost).toBeClose(expected.misfit, { relative });
    }
    expect(report.minimisation?.outerLoops).toHaveLength(2);
  });

  it('are as they were where errors of variance 1 are correlated with a share of 0', async () => {
    const alone: readonly ErrorBlock[] = [{ first: 1, errors: { count: 9, between: (a, b) => Number(a === b) } }];
    const [full, ignored] = [
      await analyse(backend, model, variational(), MEAN, { ...TOGETHER, correlated: alone }),
      await analyse(backend, model, variational({ errorCorrelation: 'ignored' }), MEAN, TOGETHER),
    ];
    // One kernel minimises with independent errors on a GPU, in another order of sums.
    expect(full.state).toBeClose(ignored.state, { absolute: name === 'webgpu' ? absolute : 0 });
  });

  it('the hybrid without its ensemble is 3D-Var, and without its static part the Kalman filter of its members', async () => {
    const mean = meanOf(FORECAST, LENGTH);
    const innovation = innovationOf(OBSERVED, H, mean);
    const ofStatic = await analyse(backend, model, hybrid({ ensembleWeight: 0, staticWeight: 1 }), FORECAST, TOGETHER);
    expect(meanOf(ofStatic.state, LENGTH)).toBeClose(kalman(mean, known.covariance, innovation).mean, { absolute });
    const ofMembers = await analyse(backend, model, hybrid({ ensembleWeight: 1, staticWeight: 0 }), FORECAST, TOGETHER);
    const expected = kalman(mean, sampleCovariance(FORECAST, LENGTH), innovation);
    expect(meanOf(ofMembers.state, LENGTH)).toBeClose(expected.mean, { absolute });
  });

  it('report the influence of each observation, the degrees of freedom and the variances of that gain', async () => {
    const expected = kalman(MEAN, known.covariance, INNOVATION, LEFT);
    const context = await contextOf(backend, model, WITH_OUTLIER, 2);
    const made = await createMethod(variational(), context);
    const [kept, row] = [backend.allocate('kept', 'real', LENGTH), backend.allocate('row', 'real', LENGTH)];
    for (const field of [made.state, kept]) backend.write(field, MEAN);
    made.departures.compute(made.state);
    await executeAnalysis(backend, made, 0);
    const cell = { x: 2, y: 1 };
    const element = model.grid.nx + 2;
    const influence = await made.explain({ kind: 'influence', variable: 'h', cell }, kept);
    const tolerance = precision === 'float64' ? 1e-10 : 1e-3;
    const contributions = influence?.contributions ?? new Float64Array(0);
    expect(LEFT.map((j) => contributions[j])).toBeClose(
      LEFT.map((j, at) => expected.gain[element][at] * INNOVATION[j]),
      { absolute: tolerance * norm(expected.gain[element]) },
    );
    const sum = contributions.reduce((total, value) => total + value, 0);
    expect(sum).toBeClose(influence?.increment ?? Number.NaN, { absolute: tolerance * norm(contributions) });
    const told = await made.explain({ kind: 'degrees-of-freedom' }, kept);
    // Of eight observations every direction is asked for.
    expect(told?.value).toBeClose(expected.degreesOfFreedom, { relative: tolerance });
    const unit = Float64Array.from({ length: LENGTH }, (_, e) => Number(e === element));
    backend.write(row, unit);
    const variance = await made.analysedVariance?.(row, kept);
    expect(variance).toBeClose(expected.covariance[element][element], { relative: tolerance });
    const inside = await made.explain({ kind: 'minimisation', variable: 'h', iterations: 400 }, kept);
    expect(2 * (inside?.preconditioned.cost.at(-1) ?? Number.NaN)).toBeClose(expected.misfit, {
      relative: precision === 'float64' ? 1e-10 : 1e-4,
    });
    for (const owned of [made, kept, row, context]) owned.dispose();
  });

  it('L⁻¹ has its adjoint, makes I of C, and leaves alone what is not used', async () => {
    const context = await contextOf(backend, model, WITH_OUTLIER, 2);
    const errors = createWhitenedErrors('errors', context);
    const effective = backend.allocate('effective', 'real', COUNT);
    backend.write(
      effective,
      WITH_OUTLIER.inverseErrorStd.map((inverse, j) => (j === OUTLIER ? 0 : inverse)),
    );
    expect(await errors.follow(effective)).toBeUndefined();
    const { difference, size } = await testAdjoint(backend, {
      columns: COUNT,
      rows: COUNT,
      apply: (input, output) => errors.whiten(input, output),
      applyAdjoint: (input, output) => errors.whitenAdjoint(input, output),
    });
    expect(difference).toBeLessThan(precision === 'float64' ? 1e-12 : 1e-5);
    expect(size).toBeGreaterThan(1e-4);
    const [input, output] = ['input', 'output'].map((label) => backend.allocate(label, 'real', COUNT));
    const columns: Float64Array[] = [];
    for (let j = 0; j < COUNT; j++) {
      backend.write(
        input,
        Float64Array.from({ length: COUNT }, (_, k) => Number(j === k)),
      );
      errors.whiten(input, output);
      columns.push(await backend.read(output));
    }
    const inverse = transposed(columns);
    const isUsed = (j: number): boolean => WITH_OUTLIER.inverseErrorStd[j] > 0 && j !== OUTLIER;
    const ofUsed = C.map((row, a) => row.map((value, b) => (isUsed(a) && isUsed(b) ? value : Number(a === b))));
    const found = times(inverse, times(ofUsed, transposed(inverse))).flatMap((row) => [...row]);
    const identity = C.flatMap((row, a) => Array.from(row, (_, b) => Number(a === b)));
    expect(found).toBeClose(identity, { absolute: precision === 'float64' ? 1e-13 : 1e-5 });
    const unused = C.flatMap((_, j) => (isUsed(j) ? [] : [j]));
    expect(unused).toEqual([3, 7, OUTLIER]);
    for (const j of unused) expect(columns[j]).toEqual(Float64Array.from(identity.slice(j * COUNT, (j + 1) * COUNT)));
    for (const owned of [errors, effective, input, output, context]) owned.dispose();
  });

  it('say so where rounding would leave too much of a correlation next to singular', async () => {
    const context = await contextOf(backend, model, { ...OBSERVED, correlated: smoothOver(3) }, 2);
    const errors = createWhitenedErrors('errors', context);
    const warning = await errors.follow(context.observations.inverseErrorStd);
    expect(warning?.slice(0, NEXT_TO_SINGULAR.length)).toBe(precision === 'float64' ? undefined : NEXT_TO_SINGULAR);
    expect(await errors.follow(context.observations.inverseErrorStd)).toBeUndefined();
    for (const owned of [errors, context]) owned.dispose();
  });

  it('of the hybrid say so beside what its filter says', async () => {
    const observed = { ...OBSERVED, correlated: smoothOver(1000) };
    const { report } = await analyse(backend, model, hybrid({}), FORECAST, observed);
    const { warning = '' } = report;
    const found = [NEXT_TO_SINGULAR, 'is not positive definite'].filter((words) => warning.includes(words));
    expect(found).toHaveLength(precision === 'float64' ? 0 : 2);
  });
});

describe('the Kalman filter that they are held to', () => {
  it('is another one than with R diagonal', async () => {
    const known = await closedForm();
    const whole = kalman(MEAN, known.covariance, INNOVATION);
    expect(norm(minus(whole.mean, MEAN))).toBeGreaterThan(0.3);
    expect(CORRELATED).toHaveLength(2);
    const backend = createReferenceBackend();
    const independent = await analyse(backend, model, variational({ errorCorrelation: 'ignored' }), MEAN, TOGETHER);
    expect(norm(apply(H, minus(independent.state, whole.mean)))).toBeGreaterThan(0.05);
    backend.dispose();
  });
});
