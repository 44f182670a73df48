/** What is measured of consistency after a checkpoint is what a run without one measures. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createExperiment, NO_FILES } from '../../../engine/index.ts';
import type { Backend, Checkpoint, ConsistencyMeasures } from '../../../engine/index.ts';
import { runBackends } from '../../setup/backends.ts';
import { tinyScenario } from '../document/run/tiny-scenario.ts';

const CYCLES = 5;
const scenario = tinyScenario({
  model: { timeStep: 0.1, coriolis: { f: 0.5 }, bathymetry: { kind: 'flat', depth: 2 } },
  experiment: { cycles: CYCLES, window: 0.5 },
});

const labels = scenario.methods.map(({ label }) => label);

describe.each(runBackends)('consistency of a run on $name', ({ name, open }) => {
  // The many small kernels of a minimisation take a software adapter minutes.
  const methods = name === 'webgpu' ? ['letkf'] : labels;
  let backend: Backend;
  beforeAll(async () => {
    backend = await open();
  });
  afterAll(() => backend.dispose());

  /** @returns what was measured, by method and cycle, and the checkpoint at the end */
  async function run(cycles: number, checkpoint?: Checkpoint) {
    const measured = new Map<string, ConsistencyMeasures | undefined>();
    const experiment = await createExperiment(backend, scenario, {
      files: NO_FILES,
      methods,
      listener: (event) => {
        if (event.type !== 'diagnostics') return;
        const { method, cycle, consistency } = event.diagnostics;
        measured.set(`${method} ${cycle}`, consistency);
      },
      ...(checkpoint && { checkpoint }),
    });
    try {
      while (experiment.nextCycle < cycles) await experiment.step();
      return { measured, checkpoint: await experiment.checkpoint() };
    } finally {
      experiment.dispose();
    }
  }

  it('that continues from a checkpoint is bit for bit that of one that was not stopped', async () => {
    const whole = await run(CYCLES);
    const { checkpoint } = await run(2);
    const resumed = await run(CYCLES, checkpoint);
    // Observations come in every second cycle: both with and without them there are some to be measured.
    const keys = methods.flatMap((label) => [2, 3, 4].map((cycle) => `${label} ${cycle}`));
    expect([...resumed.measured.keys()].sort()).toEqual(keys.sort());
    for (const [key, measures] of resumed.measured) {
      expect(measures, `row ${key}`).toBeDefined();
      expect(measures, `row ${key}`).toEqual(whole.measured.get(key));
    }
    const ofEnsemble = [2, 3, 4].map((cycle) => resumed.measured.get(`letkf ${cycle}`));
    expect(ofEnsemble.some((measures) => (measures?.departures['h']?.count ?? 0) > 0)).toBe(true);
    expect(ofEnsemble.every((measures) => (measures?.budgets?.analysis.energy ?? 0) > 0)).toBe(true);
    expect(ofEnsemble.every((measures) => measures?.sampled['h']?.share.some((share) => share > 0))).toBe(true);
  });
});
