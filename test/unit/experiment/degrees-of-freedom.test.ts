/**
 * The degrees of freedom for signal that departures show. With R whole they are (d_b − d_a)ᵀ R⁻¹ d_a, written out here in dense
 * float64 for what the method made of its state, and the plain product stays beside them.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dot, minus, solve } from '../../../engine/check/assimilation/dense.ts';
import {
  H,
  innovationOf,
  LENGTH,
  MEAN,
  model,
  OBSERVED,
  threeDVar,
} from '../../../engine/check/assimilation/linear-gaussian.ts';
import {
  contextOf,
  deviationsOf,
  meanOf,
  method,
  NO_LOCALISATION,
  PHYSICS,
} from '../../../engine/check/assimilation/set-up.ts';
import type { Observed } from '../../../engine/check/assimilation/set-up.ts';
import { normals } from '../../../engine/check/measures.ts';
import { createConsistencyDiagnostics, stageEach } from '../../../engine/experiment/consistency-diagnostics.ts';
import type { Backend, Method as MethodSettings } from '../../../engine/index.ts';
import { executeAnalysis, createMethod } from '../../../engine/methods/index.ts';
import { backendNamed } from '../../setup/backends.ts';
import { C, TOGETHER, USED } from '../../verification/assimilation/errors-together.ts';

const MEMBERS = 6;
const FORECAST = Float64Array.from(normals(MEMBERS * LENGTH, 'six'), (value, e) =>
  Math.fround(MEAN[e % LENGTH] + 0.1 * value),
);
/** The ninth, of the second track, reads what no forecast expects. */
const OUTLIER = 8;
const LEFT = USED.filter((j) => j !== OUTLIER);
const REJECTING: Observed = {
  ...TOGETHER,
  values: OBSERVED.values.map((value, j) => (j === OUTLIER ? value + 50 : value)),
  threshold: Float64Array.from(OBSERVED.values, (_, j) => (j === OUTLIER ? 4 : 0)),
};
const { correlated: _, ...ALONE } = REJECTING;
const { covariance, minimisation } = threeDVar;

type Taken = 'full' | 'ignored';

const METHODS: readonly (readonly [string, (errorCorrelation: Taken) => MethodSettings])[] = [
  ['3D-Var', (errorCorrelation) => method({ kind: '3dvar', covariance, minimisation, errorCorrelation })],
  [
    'the hybrid',
    (errorCorrelation) =>
      method({
        kind: 'hybrid',
        covariance,
        minimisation,
        localisation: { length: 1e9 },
        ensemble: { kind: 'enkf', localisation: NO_LOCALISATION, errorCorrelation },
        errorCorrelation,
      }),
  ],
  ['the EnKF', (errorCorrelation) => method({ kind: 'enkf', localisation: NO_LOCALISATION, errorCorrelation })],
];

/** (d_b − d_a)ᵀ R⁻¹ d_a of what is used, with R whole and with its diagonal. */
function expectedOf(forecast: Float64Array, analysis: Float64Array) {
  const deviations = deviationsOf(OBSERVED);
  const scaledDepartures = (state: Float64Array): Float64Array => {
    const departures = innovationOf(REJECTING, H, state);
    return Float64Array.from(LEFT, (j) => departures[j] / deviations[j]);
  };
  const [before, after] = [scaledDepartures(forecast), scaledDepartures(analysis)];
  const correlation = LEFT.map((a) => Float64Array.from(LEFT, (b) => C[a][b]));
  const increment = minus(before, after);
  return { whole: dot(increment, solve(correlation, [after])[0]), diagonal: dot(increment, after) };
}

describe.each([backendNamed('reference'), backendNamed('wasm')])(
  'degrees of freedom on $name',
  ({ open, precision }) => {
    let backend: Backend;
    beforeAll(async () => {
      backend = await open();
    });
    afterAll(() => backend.dispose());

    /** @returns sums over all observations after one analysis, and the mean states before and after it */
    async function measured(settings: MethodSettings, observed: Observed) {
      const context = await contextOf(backend, model, observed, MEMBERS);
      const made = await createMethod(settings, context);
      const truth = backend.allocate('truth', 'real', LENGTH);
      backend.write(truth, MEAN);
      const forecast = made.members === 1 ? MEAN : FORECAST;
      backend.write(made.state, forecast);
      const { observations, positions } = context;
      const diagnostics = await createConsistencyDiagnostics(
        backend,
        {
          model,
          truth,
          method: made,
          observations,
          compared: ['h'],
          observed: [...new Set(observed.variable)],
          positions,
          physics: PHYSICS,
          seed: 1,
          streamName: 'degrees',
        },
        [{ name: 'h', index: 0 }],
      );
      made.departures.compute(made.state);
      await executeAnalysis(backend, made, 0);
      const staged = stageEach(backend, diagnostics.analysis(true));
      await backend.collect();
      const { departures } = diagnostics.read(await staged);
      const analysis = meanOf(await backend.read(made.state), LENGTH);
      for (const owned of [diagnostics, made, truth, context]) owned.dispose();
      const products = Object.values(departures);
      const sum = (of: 'signal' | 'incrementResidual'): number =>
        products.reduce((total, each) => total + each.count * each[of], 0);
      return {
        departures,
        count: products.reduce((total, { count }) => total + count, 0),
        signal: sum('signal'),
        plain: sum('incrementResidual'),
        expected: expectedOf(meanOf(forecast, LENGTH), analysis),
      };
    }

    const relative = precision === 'float64' ? 1e-9 : 1e-3;

    it.each(METHODS)('of %s are those of R whole, whatever is missing or rejected', async (_name, settingsOf) => {
      const { count, signal, plain, expected } = await measured(settingsOf('full'), REJECTING);
      expect(count).toBe(LEFT.length);
      expect(signal).toBeClose(expected.whole, { relative });
      expect(plain).toBeClose(expected.diagonal, { relative });
      expect(Math.abs(expected.whole - expected.diagonal)).toBeGreaterThan(0.02 * Math.abs(expected.whole));
    });

    it.each(METHODS)(
      'of %s are the plain product where errors are taken for independent, or are',
      async (_name, of) => {
        for (const [taken, observed] of [
          ['ignored', REJECTING],
          ['full', ALONE],
        ] as const) {
          const { departures, plain, expected } = await measured(of(taken), observed);
          for (const { signal, incrementResidual } of Object.values(departures)) expect(signal).toBe(incrementResidual);
          expect(plain).toBeClose(expected.diagonal, { relative });
        }
      },
    );
  },
);
