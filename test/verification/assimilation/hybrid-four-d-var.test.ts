/**
 * Hybrid 4D-Var between its limits: without the ensemble it is 4D-Var, and in a window without length the hybrid. Between them it is
 * the best linear estimate at the beginning of the window with the covariance that it says, by dense linear algebra written out here.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { createExperiment, createReferenceBackend, NO_FILES, validateScenario } from '../../../engine/index.ts';
import type { Backend, Checkpoint, Experiment, Method as MethodSettings, RealField } from '../../../engine/index.ts';
import {
  apply,
  dot,
  matrixOf,
  plus,
  plusDiagonal,
  solve,
  times,
  transposed,
} from '../../../engine/check/assimilation/dense.ts';
import type { Matrix } from '../../../engine/check/assimilation/dense.ts';
import {
  analyse,
  basin,
  contextOf,
  lengthOf,
  meanOf,
  method,
  sampleCovariance,
} from '../../../engine/check/assimilation/set-up.ts';
import { DECADE_BOUNDS, LAST_TAYLOR_BOUND, taylorErrors } from '../../../engine/check/assimilation/linear-gaussian.ts';
import { between, normals } from '../../../engine/check/measures.ts';
import { createControlTransform } from '../../../engine/methods/covariances/index.ts';
import { createObservedWindow } from '../../../engine/methods/four-d-var/observed-window.ts';
import { createHybridBackground } from '../../../engine/methods/hybrid/background.ts';
import { createLocalisingFilter } from '../../../engine/methods/hybrid/ensemble-transform.ts';
import { createMethod, executeAnalysis, movedStates, type MethodContext } from '../../../engine/methods/index.ts';
import { createLinearWindow, type Model } from '../../../engine/models/index.ts';
import type { methodSchema } from '../../../engine/scenario/schema.ts';
import { backends } from '../../setup/backends.ts';
import { N, observedPlaces, observedRing, SECONDS, STEPS } from '../../setup/observed-ring.ts';

type Input = z.input<typeof methodSchema>;
type HybridSettings = Extract<MethodSettings, { kind: 'hybrid-4dvar' }>;

const MEMBERS = 5;
const [STATIC, ENSEMBLE, LENGTH] = [0.3, 1.6, 2];

const OBSERVED = observedPlaces('hybrid-four-d.values');
const CENTRE = normals(N, 'hybrid-four-d.centre').map((value) => 2 + 3 * value);
/** [MEMBERS][N], at the beginning of the window. */
const BEGINNING = normals(MEMBERS * N, 'hybrid-four-d.members').map((value, at) => CENTRE[at % N] + 0.4 * value);
const MEAN = meanOf(BEGINNING, N);

const WATER = basin({ nx: 6, ny: 5, periodicX: true });
const FORECAST = normals(MEMBERS * lengthOf(WATER), 'hybrid-four-d.water').map((value) => Math.fround(0.05 * value));
const GAUGES = {
  x: between(9, 0, 5, 'x').map(Math.fround),
  y: between(9, 0, 4, 'y').map(Math.fround),
  variable: Array.from({ length: 9 }, (_, j) => ['eta', 'hu', 'hv'][j % 3]),
  values: between(9, -0.1, 0.1, 'values').map(Math.fround),
  inverseErrorStd: between(9, 10, 20, 'inverseErrorStd').map(Math.fround),
};
const WAVES = {
  localisation: { length: 3 },
  covariance: { kind: 'gaussian', length: 4, standardDeviation: { h: 0.05 } },
} as const;

function settingsOf(minimisation: object, changes: Partial<Extract<Input, { kind: 'hybrid-4dvar' }>> = {}) {
  const found = method({
    kind: 'hybrid-4dvar',
    covariance: { kind: 'gaussian', length: 1.5, standardDeviation: { x: 0.6 } },
    staticWeight: STATIC,
    ensembleWeight: ENSEMBLE,
    localisation: { length: LENGTH },
    minimisation,
    ...changes,
  });
  if (found.kind !== 'hybrid-4dvar') throw new Error(`found ${found.kind}`);
  return found;
}

/** β_s B + β_e C ∘ P at the beginning, from its parts. */
async function covarianceOf({ backend, model, ...physics }: MethodContext, settings: HybridSettings): Promise<Matrix> {
  const root = await createControlTransform(backend, model, settings.covariance, physics);
  const v = await matrixOf(backend, root, N);
  const b = times(v, transposed(v));
  const { forward, adjoint, scale } = await createLocalisingFilter(backend, model.grid, 1, LENGTH);
  const run = (input: RealField, output: RealField): void => forward.run({ input, output });
  const f = await matrixOf(backend, { length: N, apply: run, applyAdjoint: run, dispose: () => undefined }, N);
  const c = times(f, transposed(f)).map((row, i) => row.map((value, j) => scale[i] * value * scale[j]));
  const p = sampleCovariance(BEGINNING, N);
  for (const owned of [root, forward, adjoint]) owned.dispose();
  return b.map((row, i) => row.map((value, j) => STATIC * value + ENSEMBLE * c[i][j] * p[i][j]));
}

/** The model from a state over so many steps, and its tangent. */
async function windowAbout(backend: Backend, model: Model, from: Float64Array, steps: number) {
  const window = await createLinearWindow(backend, model, { seconds: (steps / STEPS) * SECONDS, shares: [] });
  const work = backend.allocate('work', 'real', N);
  backend.write(work, from);
  const conclude = await window.follow(work, true);
  await backend.collect();
  await conclude('test');
  const state = Float64Array.from(await backend.read(work));
  const apply = (input: RealField, output: RealField): void => {
    backend.copy(input, output);
    window.tangent(output);
  };
  const tangent = await matrixOf(backend, { length: N, apply, applyAdjoint: apply, dispose: () => undefined }, N);
  for (const owned of [window, work]) owned.dispose();
  return { state, tangent };
}

describe.each(backends)('hybrid 4D-Var on $name', ({ open, precision }) => {
  const isExact = precision === 'float64';
  const settings = settingsOf({ tolerance: isExact ? 1e-12 : 1e-5, maxIterations: 300 });
  let backend: Backend;
  beforeAll(async () => {
    backend = await open();
  });
  afterAll(() => backend.dispose());

  /** A method that has analysed the window which begins with the members, as the experiment has it do. */
  async function analysed(context: MethodContext) {
    const held = await createMethod(settings, context);
    backend.write(held.state, BEGINNING);
    held.carried?.take();
    if (held.beginning) backend.copy(movedStates(held).state, held.beginning);
    held.departures.compute(held.state);
    const report = await executeAnalysis(backend, held, 0);
    return { held, report };
  }

  it('is the trajectory from the best linear estimate at the beginning, by dense algebra', async () => {
    const context = await observedRing(backend, OBSERVED, MEMBERS);
    const b = await covarianceOf(context, settings);
    const background = new Map(
      await Promise.all(
        [STEPS, STEPS / 2].map(
          async (steps, moment) => [moment, await windowAbout(backend, context.model, MEAN, steps)] as const,
        ),
      ),
    );
    const { x, moment, values, inverseErrorStd } = OBSERVED;
    const then = (j: number) => background.get(moment[j]) ?? { state: MEAN, tangent: [] };
    const h = Array.from(x, (place, j) => then(j).tangent[place]);
    const bh = times(b, transposed(h));
    const variances = inverseErrorStd.map((inverse) => inverse ** -2);
    const innovation = Float64Array.from(x, (place, j) => values[j] - then(j).state[place]);
    const [weights] = solve(plusDiagonal(times(h, bh), variances), [innovation]);
    const expected = await windowAbout(backend, context.model, plus(MEAN, apply(bh, weights)), STEPS);

    const { held, report } = await analysed(context);
    const carried = await backend.read(movedStates(held).state);
    expect(report.minimisation?.converged).toBe(true);
    expect(carried.slice(MEMBERS * N)).toBeClose(expected.state, { absolute: isExact ? 1e-9 : 2e-3 });
    expect(expected.state).not.toBeClose(then(0).state, { absolute: 0.1 });
    // The members are about it, each with the anomalies that the filter has left it.
    expect(meanOf(carried.slice(0, MEMBERS * N), N)).toBeClose(expected.state, { absolute: isExact ? 1e-9 : 2e-3 });
    for (const owned of [held, context]) owned.dispose();
  });

  it('has the covariance between any two times of the window, by dense algebra', async () => {
    const context = await observedRing(backend, OBSERVED, MEMBERS);
    const b = await covarianceOf(context, settings);
    const { held } = await analysed(context);
    const forecast = backend.allocate('forecast', 'real', BEGINNING.length);
    backend.write(forecast, BEGINNING);
    const half = await windowAbout(backend, context.model, MEAN, STEPS / 2);
    const whole = await windowAbout(backend, context.model, MEAN, STEPS);
    const times = { field: 0.5, cell: 1 };
    const question = { kind: 'covariance-column', variable: 'x', cell: { x: 3, y: 0 }, times } as const;
    const column = await held.explain(question, forecast);
    const { [3]: row } = whole.tangent;
    expect(column?.values).toBeClose(apply(half.tangent, apply(b, row)), { absolute: isExact ? 1e-12 : 5e-6 });
    // Estimated from 128 samples: within five standard errors.
    expect(Math.abs((column?.deviation ?? NaN) / Math.sqrt(dot(row, apply(b, row))) - 1)).toBeLessThan(0.3);
    for (const owned of [held, forecast, context]) owned.dispose();
  });

  it('is the hybrid to the bit in a window without length', async () => {
    const shared = {
      label: 'one',
      covariance: { kind: 'recursive-filter', length: 4, standardDeviation: { h: 0.05 }, balance: 'geostrophic' },
      localisation: { length: 3 },
      recentred: false,
      minimisation: { tolerance: 1e-5, maxIterations: 40, outerLoops: 2 },
    } as const;
    const of = (kind: 'hybrid' | 'hybrid-4dvar') =>
      analyse(backend, WATER, method({ kind, ...shared }), FORECAST, GAUGES);
    const [expected, found] = [await of('hybrid'), await of('hybrid-4dvar')];
    expect(found.state).toEqual(expected.state);
    expect(expected.state).not.toBeClose(FORECAST, { absolute: 1e-3 });
  });

  it('is 4D-Var to the bit where the ensemble has no weight', async () => {
    const context = await observedRing(backend, OBSERVED, MEMBERS);
    const ensemble = backend.allocate('ensemble', 'real', BEGINNING.length);
    backend.write(ensemble, BEGINNING);
    const { covariance, minimisation } = settings;
    const analysisOf = async (input: Input): Promise<Float64Array> => {
      const held = await createMethod(method(input), context);
      held.initialise(ensemble);
      const moved = movedStates(held);
      if (held.beginning) backend.copy(moved.state, held.beginning);
      held.departures.compute(held.state);
      await executeAnalysis(backend, held, 0);
      const all = await backend.read(moved.state);
      held.dispose();
      return all.slice(-N);
    };
    const expected = await analysisOf({ kind: '4dvar', covariance, minimisation });
    const weights = { staticWeight: 1, ensembleWeight: 0 };
    expect(await analysisOf({ kind: 'hybrid-4dvar', covariance, minimisation, ...weights })).toEqual(expected);
    expect(expected).not.toBeClose(MEAN, { absolute: 0.1 });
    for (const owned of [ensemble, context]) owned.dispose();
  });
});

// In software a GPU takes a minute for it, and what follows is of the experiment, not of kernels.
describe.each(backends.filter(({ name }) => name !== 'webgpu'))(
  'runs of hybrid 4D-Var on $name',
  ({ open, precision }) => {
    it('are those of 4D-Var to the bit where the ensemble has no weight', async () => {
      const covariance = { kind: 'recursive-filter', length: 4, standardDeviation: { h: 0.02, hu: 0.03 } };
      const filter = { kind: 'letkf', localisation: { halfWidth: 4 }, inflation: 1.1 };
      const waves = { standardDeviation: 0.05, length: 4 };
      const { scenario } = validateScenario(
        {
          version: 3,
          name: 'without-ensemble',
          grid: { nx: 12, ny: 10 },
          model: { timeStep: 0.1, boundary: { x: 'periodic', y: 'wall' }, bathymetry: { kind: 'flat', depth: 0.3 } },
          truth: { initial: { kind: 'rest' }, perturbation: waves },
          background: { initial: { kind: 'rest' }, perturbation: waves, members: MEMBERS },
          observations: [
            {
              name: 'gauges',
              variable: 'h',
              network: { kind: 'regular', stride: [3, 3] },
              errorStandardDeviation: 0.01,
              timing: { moments: [0.5, 1] },
            },
          ],
          methods: [
            { kind: '4dvar', covariance },
            ...[true, false].map((recentred) => ({
              kind: 'hybrid-4dvar',
              label: String(recentred),
              covariance,
              staticWeight: 1,
              ensembleWeight: 0,
              ensemble: filter,
              recentred,
            })),
          ],
          experiment: { cycles: 3, window: 0.5 },
        },
        'without-ensemble',
      );
      const backend = await open();
      const run = async (checkpoint?: Checkpoint) => {
        const given = { files: NO_FILES, listener: () => undefined, ...(checkpoint && { checkpoint }) };
        const experiment = await createExperiment(backend, scenario, given);
        const [middle, end] = [await to(experiment, 1), await to(experiment, 3)];
        experiment.dispose();
        return { middle, end };
      };
      const { middle, end } = await run();
      const expected = end.arrays['method.4dvar'];
      for (const label of ['true', 'false']) {
        expect(end.arrays[`method.${label}`].slice(MEMBERS * expected.length)).toEqual(expected);
      }
      expect(end.arrays['method.true']).not.toEqual(end.arrays['method.false']);
      expect((await run(middle)).end).toEqual(end);
      backend.dispose();
    });

    it('are those of the recentred hybrid to rounding in a window without length', async () => {
      const backend = await open();
      const of = (kind: 'hybrid' | 'hybrid-4dvar') =>
        analyse(backend, WATER, method({ kind, ...WAVES }), FORECAST, GAUGES);
      const [expected, found] = [await of('hybrid'), await of('hybrid-4dvar')];
      // Members are put about the analysis once more, as they are where it has a forecast of its own.
      expect(found.state).toBeClose(expected.state, {
        absolute: 4 * 0.3 * (precision === 'float64' ? 2 ** -53 : 2 ** -24),
      });
      backend.dispose();
    });

    it('say why an analysis is what it is: shares of the increment sum to it', async () => {
      const backend = await open();
      const context = await contextOf(backend, WATER, GAUGES, MEMBERS);
      const minimisation = { tolerance: 1e-12, maxIterations: 200 };
      const held = await createMethod(method({ kind: 'hybrid-4dvar', ...WAVES, minimisation }), context);
      const forecast = backend.allocate('forecast', 'real', FORECAST.length);
      for (const field of [held.state, forecast]) backend.write(field, FORECAST);
      held.carried?.take();
      if (held.beginning) backend.copy(movedStates(held).state, held.beginning);
      held.departures.compute(held.state);
      await executeAnalysis(backend, held, 0);
      const influence = await held.explain({ kind: 'influence', variable: 'h', cell: { x: 2, y: 2 } }, forecast);
      const sum = influence?.contributions.reduce((total, share) => total + share, 0) ?? NaN;
      expect(sum).toBeCloseTo(influence?.increment ?? NaN, precision === 'float64' ? 10 : 5);
      expect(Math.abs(sum)).toBeGreaterThan(1e-3);
      backend.dispose();
    });
  },
);

/** Steps it to a cycle. @returns its checkpoint there */
async function to(experiment: Experiment, cycle: number): Promise<Checkpoint> {
  while (experiment.nextCycle < cycle) await experiment.step();
  return experiment.checkpoint();
}

it('has the gradient of J, by differences', async () => {
  const backend = createReferenceBackend();
  const context = await observedRing(backend, OBSERVED, MEMBERS);
  const settings = { ...settingsOf({}), kind: 'hybrid' as const };
  const allocate = (name: string, length: number) => backend.allocate(name, 'real', length);
  const members = allocate('members', MEMBERS * N);
  const [mean, from, end, increment] = ['mean', 'from', 'end', 'increment'].map((name) => allocate(name, N));
  const background = await createHybridBackground(settings, context, allocate('weighted', MEMBERS * N));
  backend.write(members, BEGINNING);
  background.take(members, mean);
  const { transform } = background;
  const window = await createLinearWindow(backend, context.model, context.window);
  const wet = { project: () => undefined, dispose: () => undefined };
  const seen = await createObservedWindow(context, { label: 'seen', transform, window, wet, beginning: mean });
  seen.follow(context.observations.inverseErrorStd);
  const [control, gradient] = ['control', 'gradient'].map((name) => allocate(name, transform.length));
  const scaled = allocate('scaled', OBSERVED.x.length);

  /** Queues D⁻¹ (y − H(x)) along the trajectory that a control vector leads to, about which G is from then on. */
  async function follow(v: Float64Array): Promise<void> {
    backend.write(control, v);
    transform.apply(control, increment);
    backend.write(from, plus(MEAN, await backend.read(increment)));
    const conclude = await seen.linearise(from, end, scaled);
    await backend.collect();
    await conclude('test');
  }

  const errors = await taylorErrors({
    length: transform.length,
    async cost(v) {
      await follow(v);
      const departures = await backend.read(scaled);
      return 0.5 * (dot(v, v) + dot(departures, departures));
    },
    async gradient(v) {
      await follow(v);
      seen.adjoint(scaled, gradient);
      const ofObservations = await backend.read(gradient);
      return v.map((value, i) => value - ofObservations[i]);
    },
    dispose: () => undefined,
  });
  const [least, most] = DECADE_BOUNDS;
  // J is no parabola: its third derivative matters until steps are small.
  for (const decade of [3, 4, 5]) {
    expect(errors[decade] / errors[decade - 1]).toBeGreaterThan(least);
    expect(errors[decade] / errors[decade - 1]).toBeLessThan(most);
  }
  expect(Math.abs(errors[5])).toBeLessThan(LAST_TAYLOR_BOUND);
  backend.dispose();
});
