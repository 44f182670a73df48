/** The state of a run's last checkpoint, for a report. */
import { describe, expect, it } from 'vitest';
import {
  createExperiment,
  createMemoryStorage,
  createModel,
  createReferenceBackend,
  createRunFolder,
  NO_FILES,
  readRun,
} from '../../../engine/index.ts';
import { lastState } from '../../../app/report/run/reported-run.ts';
import { tinyScenario } from '../document/run/tiny-scenario.ts';

const CYCLES = 2;

describe('the last state', () => {
  it.each([
    ['the methods’ model', undefined],
    ['a finer grid', { refinement: 2 }],
    ['a scheme of its own', { scheme: 'central-upwind', refinement: 2 }],
  ])('has the truth of %s as everybody looks at it', async (_name, own) => {
    const bathymetry = { kind: 'flat', depth: 2 };
    const model = { scheme: 'lax-wendroff', timeStep: 'auto', bathymetry };
    const scenario = tinyScenario({ model, truth: { ...tinyScenario().truth, ...(own && { model: own }) } });
    const backend = createReferenceBackend();
    const storage = createMemoryStorage();
    const run = createRunFolder(storage, {
      identity: { scenario, seed: scenario.seed, backend: { name: backend.name, adapter: backend.adapter } },
      versions: { shoal: '1' },
      now: () => new Date(0),
    });
    await run.begin();
    const experiment = await createExperiment(backend, scenario, {
      files: NO_FILES,
      listener: (event) => run.listen(event),
    });
    try {
      while (experiment.nextCycle < CYCLES) await experiment.step();
      await run.save(await experiment.checkpoint());
      await run.finish('complete');
      const found = await readRun(storage);
      if (!found) throw new Error('found no run');
      const { bed = new Float64Array(120) } = experiment.model;
      const shown = experiment.model.fromState(await backend.read(experiment.truth));
      const last = await lastState(storage, found.record, createModel(scenario, NO_FILES));
      const [state] = last?.states ?? [];
      expect(state.cycle).toBe(CYCLES - 1);
      // Planes are float32, the means of a finer grid are added in another order.
      const exact = bed.map((elevation, cell) => shown[cell] + elevation);
      expect(Float64Array.from(state.truth)).toBeClose(exact, { absolute: 2 * 2 ** -24 });
      expect(state.methods.map(({ label }) => label)).toEqual(scenario.methods.map(({ label }) => label));
    } finally {
      experiment.dispose();
      backend.dispose();
    }
  });
});
