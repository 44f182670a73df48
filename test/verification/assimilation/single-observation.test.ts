/**
 * One observation alone, asked of a run with many: it makes what it makes in a run that has no other, and the report of the one
 * number is the textbook's. Asking changes nothing.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createExperiment, NO_FILES, validateScenario } from '../../../engine/index.ts';
import type { Backend, Experiment, ObservationExplanation, Scenario } from '../../../engine/index.ts';
import { backends } from '../../setup/backends.ts';
import { meanOf } from '../../../engine/check/assimilation/set-up.ts';

const [NX, NY, MEMBERS] = [12, 10, 6];
const CELLS = NX * NY;
const LENGTH = 3 * CELLS;
const ERROR = 0.02;

const FILTER = { localisation: { halfWidth: 3 }, inflation: 1.3 };

const COVARIANCE = { kind: 'recursive-filter', length: 3, standardDeviation: { h: 0.05, hu: 0.1 } };

function scenarioOf(network: object, variable = 'h'): Scenario {
  const raw = {
    version: 3,
    name: 'alone',
    seed: 5,
    grid: { nx: NX, ny: NY },
    model: { scheme: 'lax-wendroff', timeStep: 0.1, bathymetry: { kind: 'flat', depth: 2 } },
    truth: { initial: { kind: 'drops', count: 1, width: 4 }, spinup: 0.5 },
    background: { initial: { kind: 'drops', count: 1, width: 4 }, members: MEMBERS },
    observations: [{ name: 'gauges', variable, network, errorStandardDeviation: ERROR }],
    methods: [
      { kind: '3dvar', covariance: COVARIANCE },
      { kind: 'letkf', ...FILTER },
      { kind: 'enkf', ...FILTER },
      { kind: 'eakf', ...FILTER },
      { kind: 'hybrid', covariance: COVARIANCE, localisation: { length: 3 }, ensemble: { kind: 'letkf', ...FILTER } },
      { kind: 'nudging', localisation: { halfWidth: 3 }, strength: 0.5 },
      { kind: 'free-run' },
    ],
    experiment: { cycles: 3, window: 0.5 },
  };
  return validateScenario(raw, 'alone').scenario;
}

const LABELS = ['3dvar', 'letkf', 'enkf', 'eakf', 'hybrid', 'nudging'];

interface Stepped {
  readonly experiment: Experiment;
  readonly forecasts: ReadonlyMap<string, Float64Array>;
  readonly analyses: ReadonlyMap<string, Float64Array>;
}

function incrementOf({ forecasts, analyses }: Stepped, label: string): Float64Array {
  const before = forecasts.get(label);
  const after = analyses.get(label);
  if (!before || !after) throw new Error(`${label} was not seen`);
  return meanOf(
    after.map((value, i) => value - before[i]),
    LENGTH,
  );
}

/** The posterior of one number, of prior and likelihood that are Gaussian. */
function textbook(told: ObservationExplanation) {
  const { prior, observation } = told;
  const variance = (prior.deviation ?? Number.NaN) ** 2;
  const gain = variance / (variance + observation.errorStd ** 2);
  return {
    gain,
    mean: prior.mean + gain * (observation.value - prior.mean),
    deviation: Math.sqrt((1 - gain) * variance),
  };
}

describe.each(backends.filter(({ name }) => name !== 'webgpu'))(
  // Other kernels than those of its analyses are asked of no device, and these are held to the reference one by one.
  'one observation of many on $name',
  ({ open, precision }) => {
    const eps = precision === 'float64' ? 2 ** -53 : 2 ** -24;
    let backend: Backend;
    const experiments: Experiment[] = [];
    beforeAll(async () => {
      backend = await open();
    });
    afterAll(() => {
      for (const experiment of experiments) experiment.dispose();
      backend.dispose();
    });

    /** Runs the first cycle, in which nothing has been analysed before. */
    async function step(scenario: Scenario): Promise<Stepped> {
      const [forecasts, analyses] = [new Map<string, Float64Array>(), new Map<string, Float64Array>()];
      const experiment = await createExperiment(backend, scenario, {
        files: NO_FILES,
        listener: () => undefined,
        observer: {
          forecast: async (method) => void forecasts.set(method.label, await backend.read(method.state)),
          analysis: async (method) => void analyses.set(method.label, await backend.read(method.state)),
        },
      });
      experiments.push(experiment);
      experiment.keepForecasts(true);
      await experiment.step();
      return { experiment, forecasts, analyses };
    }

    it('makes what it makes in a run that has no other', async () => {
      const many = await step(scenarioOf({ kind: 'regular', stride: [3, 3] }));
      const network = many.experiment.observations;
      const index = 5;
      const place = [network?.x[index] ?? 0, network?.y[index] ?? 0];
      const alone = await step(scenarioOf({ kind: 'points', points: [place] }));
      const value = alone.experiment.observations?.values[0] ?? Number.NaN;
      const [x, y] = place;
      for (const label of LABELS) {
        const expected = incrementOf(alone, label);
        const size = Math.max(...expected.map(Math.abs));
        expect(size).toBeGreaterThan(1e-4);
        // The same forecast, the same kernels: what differs is how the mean over the members is summed.
        const absolute = MEMBERS * eps * 4 * size;
        const asked = [
          { index, value },
          { variable: 'h', x, y, value, errorStd: ERROR },
        ];
        for (const observation of asked) {
          const answer = await many.experiment.explain(label, { kind: 'single-observation', observation });
          expect(answer?.isUsed).toBe(true);
          expect(answer?.increment).toBeClose(expected, { absolute });
          expect(answer?.observation).toMatchObject({ variable: 'h', x, y, value, errorStd: ERROR });
        }
        // As it was it makes something else: the two runs have drawn other errors.
        const own = await many.experiment.explain(label, { kind: 'single-observation', observation: { index } });
        expect(own?.observation.value).toBe(network?.values[index]);
      }
    });

    it.each([
      // A square-root filter's members have exactly the posterior's spread; the stochastic EnKF's have that of a sample of their number.
      ['3dvar', 0, 0],
      ['letkf', MEMBERS, 0],
      ['eakf', MEMBERS, 0],
      ['enkf', MEMBERS, 3 / Math.sqrt(2 * (MEMBERS - 1))],
    ] as const)('is the textbook’s posterior, by %s', async (label, members, sampling) => {
      const { experiment, analyses } = await step(scenarioOf({ kind: 'regular', stride: [3, 3] }));
      const { observations } = experiment;
      const told = await experiment.explain(label, { kind: 'observation', observation: { index: 5 } });
      if (!told) throw new Error('no answer');
      const expected = textbook(told);
      const { deviation: sigma = Number.NaN } = told.prior;
      // Depths of two metres are rounded, and what is computed of them.
      const absolute = 200 * eps;
      expect(told.unit).toBe('m');
      expect(told.prior.members).toHaveLength(members);
      expect(told.alone.mean).toBeClose(expected.mean, { absolute });
      expect(told.alone.gain).toBeClose(expected.gain, { absolute: absolute / Math.abs(told.innovation) });
      expect(told.normalisedInnovation).toBeClose(told.innovation / Math.hypot(sigma, ERROR), {
        absolute: absolute / ERROR,
      });
      const { deviation } = expected;
      expect(told.alone.deviation).toBeClose(deviation, { absolute: 10 * absolute + sampling * deviation });
      // More observations leave less doubt.
      expect(told.together.deviation).toBeLessThan(sigma);
      expect(told.together.deviation).toBeGreaterThan(0);
      // Together with the others: the run's own analysis in its cell.
      const [x, y] = [observations?.x[5] ?? 0, observations?.y[5] ?? 0];
      const state = analyses.get(label) ?? new Float64Array(0);
      expect(told.together.mean).toBeClose(meanOf(state, LENGTH)[y * NX + x], { absolute });
    });

    it('is to the hybrid what its covariance says, of both of its parts', async () => {
      const { experiment } = await step(scenarioOf({ kind: 'regular', stride: [3, 3] }));
      const told = await experiment.explain('hybrid', { kind: 'observation', observation: { index: 5 } });
      const of = (label: string) => experiment.explain(label, { kind: 'observation', observation: { index: 5 } });
      const [ofStatic, ofFilter] = [await of('3dvar'), await of('letkf')];
      if (!told) throw new Error('no answer');
      const [first, second = Number.NaN] = [ofStatic, ofFilter].map(
        (each) => (each?.prior.deviation ?? Number.NaN) ** 2,
      );
      const inflation = FILTER.inflation;
      // In its first cycle all of them have the same forecast; the filter states its own, inflated.
      expect((told.prior.deviation ?? 0) ** 2).toBeClose(0.5 * first + (0.5 * second) / inflation, {
        relative: 1000 * eps,
      });
      const { gain, mean } = textbook(told);
      const absolute = 200 * eps;
      expect(told.alone.mean).toBeClose(mean, { absolute });
      expect(told.alone.gain).toBeClose(gain, { absolute: absolute / Math.abs(told.innovation) });
    });

    it('has no errors to nudging, and nothing to say to the free run', async () => {
      const { experiment } = await step(scenarioOf({ kind: 'regular', stride: [3, 3] }));
      const nudged = await experiment.explain('nudging', { kind: 'observation', observation: { index: 5 } });
      expect(nudged?.prior.deviation).toBeUndefined();
      expect(nudged?.normalisedInnovation).toBeUndefined();
      // One observation among its own weights: the strength is the gain.
      expect(nudged?.alone.gain).toBeClose(0.5, { absolute: (200 * eps) / Math.abs(nudged?.innovation ?? 0) });
      expect(await experiment.explain('free-run', { kind: 'observation', observation: { index: 5 } })).toBeUndefined();
    });

    it('is refused if there is none, or no forecast', async () => {
      const { experiment } = await step(scenarioOf({ kind: 'regular', stride: [3, 3] }));
      const ask = (observation: object) =>
        experiment.explain('letkf', { kind: 'single-observation', observation } as never);
      await expect(ask({ index: 16 })).rejects.toThrow('found the observation 16, cycle 0 has 0 … 15');
      await expect(ask({ index: 0, errorStd: 0 })).rejects.toThrow('found the error 0, allowed: numbers above 0');
      await expect(ask({ variable: 'h', x: NX, y: 0, value: 2, errorStd: 1 })).rejects.toThrow('outside the grid');
      await expect(ask({ variable: 'salt', x: 0, y: 0, value: 2, errorStd: 1 })).rejects.toThrow('salt');
      await experiment.step();
      experiment.keepForecasts(false);
      await expect(ask({ index: 0 })).rejects.toThrow('the forecast of cycle 1 is not kept');
    });
  },
);
