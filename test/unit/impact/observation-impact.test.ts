/** Impacts that a run answers with: its own forecasts and analyses, without a trace in what the run computes afterwards. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createExperiment,
  LimitError,
  NO_FILES,
  NotKeptError,
  QuestionError,
  validateScenario,
} from '../../../engine/index.ts';
import type { Backend, CycleDiagnostics, Experiment, Scenario } from '../../../engine/index.ts';
import { memberMean } from '../../../engine/impact/impacts.ts';
import { observationImpact, type ImpactQuestion } from '../../../engine/impact/index.ts';
import { runBackends } from '../../setup/backends.ts';

const filter = { localisation: { halfWidth: 1e9 }, inflation: 1.1 };
const METHODS = [
  { kind: 'letkf', label: 'letkf', ...filter },
  { kind: 'enkf', label: 'enkf', ...filter },
  { kind: 'free-run', label: 'free' },
];

function scenarioOf(raw: object): Scenario {
  return validateScenario({ version: 3, seed: 5, ...raw }, 'impact.test').scenario;
}

const ring = scenarioOf({
  name: 'ring',
  grid: { nx: 20, ny: 1 },
  model: { kind: 'lorenz-96', forcing: 8, timeStep: 0.05 },
  truth: { initial: { kind: 'climatology' }, perturbation: { standardDeviation: 0.1, length: 0.01 } },
  background: {
    initial: { kind: 'truth' },
    perturbation: { standardDeviation: 0.1, length: 0.01 },
    members: 8,
  },
  observations: [{ name: 'x', variable: 'x', network: { kind: 'regular', stride: [2, 1] }, errorStandardDeviation: 1 }],
  methods: METHODS,
  experiment: { cycles: 6, window: 0.1 },
});

/** Small waves on water that rain falls on, over a bed, with an edit on the way. */
const basin = scenarioOf({
  name: 'basin',
  grid: { nx: 12, ny: 10 },
  model: { timeStep: 0.1, boundary: { x: 'periodic', y: 'wall' }, bathymetry: { kind: 'flat', depth: 0.3 } },
  truth: { initial: { kind: 'rest' }, perturbation: { standardDeviation: 1e-5, length: 4 } },
  background: { initial: { kind: 'rest' }, perturbation: { standardDeviation: 1e-5, length: 4 }, members: 8 },
  observations: [
    { name: 'gauges', network: { kind: 'regular', stride: [3, 3], offset: [1, 1] }, errorStandardDeviation: 4e-6 },
  ],
  methods: METHODS,
  interventions: [{ cycle: 2, kind: 'setting', path: 'methods[0].inflation', value: 1.5 }],
  experiment: { cycles: 3, window: 1 },
});

function sum(values: Float64Array): number {
  return values.reduce((total, value) => total + value, 0);
}

interface Opened {
  readonly experiment: Experiment;
  readonly rows: readonly CycleDiagnostics[];
  readonly ask: (question: Partial<ImpactQuestion>, cycle?: number) => ReturnType<typeof observationImpact>;
}

describe.each(runBackends)('impacts that a run answers with, on $name', ({ open, precision }) => {
  let backend: Backend;
  beforeAll(async () => {
    backend = await open();
  });
  afterAll(() => backend.dispose());

  async function withRun(scenario: Scenario, use: (opened: Opened) => Promise<void>): Promise<void> {
    const rows: CycleDiagnostics[] = [];
    const experiment = await createExperiment(backend, scenario, {
      files: NO_FILES,
      listener: (event) => {
        if (event.type === 'diagnostics') rows.push(event.diagnostics);
      },
    });
    experiment.keepForecasts(true);
    const ask: Opened['ask'] = (question, cycle) =>
      observationImpact(
        experiment,
        { method: 'letkf', lead: 1, verification: 'truth', ...question },
        { backend, scenario, files: NO_FILES, memoryBytes: 2 ** 30 },
        cycle,
      );
    try {
      await use({ experiment, rows, ask });
    } finally {
      experiment.dispose();
    }
  }

  const rounding = precision === 'float64' ? 1e-10 : 1e-4;

  it('without a forecast they sum to what the analysis takes from the error', async () => {
    await withRun(ring, async ({ experiment, rows, ask }) => {
      for (let cycle = 0; cycle < 3; cycle++) await experiment.step();
      const found = await ask({ lead: 0 });
      const row = rows.find(({ method, cycle }) => method === 'letkf' && cycle === 2);
      const { forecast, analysis } = row?.rmse ?? { forecast: {}, analysis: {} };
      expect(Float64Array.of(found?.errorBefore ?? 0, found?.error ?? 0)).toBeClose(
        Float64Array.of(forecast['x'] ** 2, analysis['x'] ** 2),
        { relative: 10 * rounding },
      );
      const change = (found?.error ?? 0) - (found?.errorBefore ?? 0);
      expect(Math.abs(change)).toBeGreaterThan(0.01 * (found?.errorBefore ?? 0));
      expect(Float64Array.of(sum(found?.impacts ?? Float64Array.of()))).toBeClose(Float64Array.of(change), {
        absolute: rounding * (found?.errorBefore ?? 0),
      });
    });
  });

  it('the forecast from the analysis is the run’s own, and so is the analysis that it is compared with', async () => {
    await withRun(ring, async ({ experiment, rows, ask }) => {
      await experiment.step();
      await experiment.step();
      const [ofTruth, ofAnalysis] = [await ask({}), await ask({ verification: 'analysis' })];
      const { methods, model } = experiment;
      const own = methods.find(({ label }) => label === 'letkf');
      await experiment.step();
      const row = rows.find(({ method, cycle }) => method === 'letkf' && cycle === 2);
      expect(Float64Array.of(ofTruth?.error ?? 0)).toBeClose(Float64Array.of((row?.rmse.forecast['x'] ?? 0) ** 2), {
        relative: 10 * rounding,
      });
      const { members, forecast, analysis } = await experiment.analysed('letkf');
      const increment = memberMean(analysis, members).map((value, e) => value - memberMean(forecast, members)[e]);
      expect(own?.members).toBe(members);
      expect(Float64Array.of(ofAnalysis?.error ?? 0)).toBeClose(
        Float64Array.of(increment.reduce((total, value) => total + value ** 2, 0) / model.grid.nx),
        { relative: 10 * rounding },
      );
    });
  });

  it('the members of its forecasts are stirred as those of the run are', async () => {
    const depth = 0.3;
    const forcing = { kind: 'stirring', shortest: 4, longest: 10, power: 1e-4, decorrelation: 2, seenBy: 'each' };
    const stirred = scenarioOf({
      ...basin,
      model: { ...basin.model, gravity: 9.81, bathymetry: { kind: 'flat', depth } },
      truth: { ...basin.truth, forcing },
      methods: [METHODS[0]],
      interventions: [],
      experiment: { cycles: 2, window: 0.3 },
    });
    await withRun(stirred, async ({ experiment, rows, ask }) => {
      await experiment.step();
      const found = await ask({ lead: 1 });
      await experiment.step();
      const row = rows.find(({ method, cycle }) => method === 'letkf' && cycle === 1);
      const { h = 0, hu = 0, hv = 0 } = row?.rmse.forecast ?? {};
      const energy = (9.81 * h ** 2 + (hu ** 2 + hv ** 2) / depth) / 2;
      expect(Float64Array.of(found?.error ?? 0)).toBeClose(Float64Array.of(energy), { relative: 10 * rounding });
    });
  });

  it('small waves: the impacts of the LETKF explain the change of the energy of the error, as far as waves are linear', async () => {
    await withRun(basin, async ({ experiment, ask }) => {
      await experiment.step();
      const found = await ask({ lead: 2 });
      const [error, before] = [found?.error ?? 0, found?.errorBefore ?? 0];
      expect(found?.unit).toBe('m³/s²');
      expect(Math.abs(error - before)).toBeGreaterThan(0.01 * before);
      // Waves of 1e-5 m in 0.3 m of water are linear to 1e-4; in float32 a depth is known to a thousandth of them.
      expect(Float64Array.of(sum(found?.impacts ?? Float64Array.of()))).toBeClose(Float64Array.of(error - before), {
        relative: precision === 'float64' ? 1e-3 : 0.2,
      });
    });
  });

  const statesOf = async (asks: boolean): Promise<Readonly<Record<string, Float64Array>>> => {
    let arrays: Readonly<Record<string, Float64Array>> = {};
    await withRun(basin, async ({ experiment, ask }) => {
      while (experiment.nextCycle < experiment.cycles) {
        await experiment.step();
        if (asks && experiment.nextCycle === 2) await ask({ verification: 'analysis' });
      }
      ({ arrays } = await experiment.checkpoint());
    });
    return arrays;
  };

  it('the run continues as if nobody had asked', async () => {
    expect(await statesOf(true)).toEqual(await statesOf(false));
  });

  it('has the impact of nothing in a cycle without observations, before one and after', async () => {
    const seldom = { ...ring, observations: ring.observations.map((network) => ({ ...network, every: 2 })) };
    await withRun(seldom, async ({ experiment, ask }) => {
      for (const count of [0, 10, 0]) {
        await experiment.step();
        const found = await ask({});
        expect([found?.impacts.length, found?.observations.x.length, found?.observations.isUsed.length]).toEqual(
          Array.from({ length: 3 }, () => count),
        );
        expect(found?.error === found?.errorBefore).toBe(count === 0);
      }
    });
  });

  it('has no answer of a method without such a gain, and says what cannot be asked', async () => {
    await withRun(ring, async ({ experiment, ask }) => {
      await expect(ask({})).rejects.toThrow(
        new QuestionError('no cycle has been run: there is no analysis to ask about'),
      );
      await experiment.step();
      expect(await ask({ method: 'free' })).toBeUndefined();
      await expect(ask({ method: 'nobody' })).rejects.toThrow(QuestionError);
      await expect(ask({ lead: 5 })).rejects.toThrow('found a lead of 5 cycles, allowed: 0 to 4');
      await expect(ask({ lead: 0, verification: 'analysis' })).rejects.toThrow('found a lead of 0 cycles');
      await expect(ask({}, 3)).rejects.toThrow(NotKeptError);
      await expect(
        observationImpact(
          experiment,
          { method: 'letkf', lead: 1, verification: 'truth' },
          { backend, scenario: ring, files: NO_FILES, memoryBytes: 1000 },
        ),
      ).rejects.toThrow(LimitError);
      experiment.keepForecasts(false);
      await expect(ask({})).rejects.toThrow(NotKeptError);
    });
  });
});
