/** Lorenz-96 through the scenario file: the numbers of direct calls, the same bits when it continues, and answers on a ring. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Backend, Checkpoint } from '../../../engine/index.ts';
import { executeAnalysis, createMethod } from '../../../engine/methods/index.ts';
import { backends } from '../../setup/backends.ts';
import { shippedScenario } from '../../setup/run-scenario.ts';
import { twin } from '../../../engine/check/assimilation/twin.ts';
import { createContext, VARIABLES, WINDOW } from '../../../engine/check/lorenz-96.ts';

const CYCLES = 6;
const MIDDLE = 4;
const shipped = shippedScenario('lorenz-96');
const scenario = { ...shipped, experiment: { ...shipped.experiment, cycles: CYCLES, spinup: 0 } };
const { members } = scenario.background;

/** On a GPU the model's kernels are held by its own tests, and the methods by theirs. */
const onHost = backends.filter(({ name }) => name !== 'webgpu');

describe.each(onHost)('the scenario on $name', ({ open }) => {
  let backend: Backend;
  let middle: Checkpoint;
  let end: Checkpoint;
  /** As observed in the cycle after the middle. */
  let observed: Float64Array;
  beforeAll(async () => {
    backend = await open();
    const { experiment, runTo } = await twin(backend, scenario);
    await runTo(MIDDLE);
    middle = await experiment.checkpoint();
    await runTo(MIDDLE + 1);
    observed = experiment.observations?.values ?? new Float64Array(0);
    end = await experiment.checkpoint();
    experiment.dispose();
  });
  afterAll(() => backend.dispose());

  it.each(shipped.methods.map((method) => [method.label, method] as const))(
    'takes a cycle of %s as direct calls take it',
    async (label, settings) => {
      const count = settings.kind === '3dvar' ? 1 : members;
      const { context, observe, dispose } = await createContext(backend, count, scenario.seed);
      const method = await createMethod(settings, { ...context, members: count });
      const propagator = await context.model.prepare(backend, count);
      backend.write(method.state, middle.arrays[`method.${label}`]);
      await propagator.advance(method.state, WINDOW);
      observe(observed);
      method.departures.compute(method.state);
      await executeAnalysis(backend, method, MIDDLE);
      expect(await backend.read(method.state)).toEqual(end.arrays[`method.${label}`]);
      for (const owned of [method, propagator]) owned.dispose();
      dispose();
    },
  );

  it('observes the truth with errors of the stated size', () => {
    expect(observed).toHaveLength(VARIABLES);
    const squares = observed.reduce((sum, value, i) => sum + (value - end.arrays['truth'][i]) ** 2, 0);
    // χ² with 40 degrees of freedom: its mean and four standard deviations.
    expect(Math.abs(squares - VARIABLES)).toBeLessThan(4 * Math.sqrt(2 * VARIABLES));
  });

  it('continues from a checkpoint with the same bits', async () => {
    const { experiment, runTo } = await twin(backend, scenario, middle);
    await runTo(MIDDLE + 1);
    expect((await experiment.checkpoint()).arrays).toEqual(end.arrays);
    experiment.dispose();
  });

  it('explains an analysis: what the observations add at a place sums to its increment', async () => {
    const { experiment, runTo } = await twin(backend, scenario, middle);
    experiment.keepForecasts(true);
    await runTo(MIDDLE + 1);
    for (const { label } of shipped.methods.slice(1)) {
      const found = await experiment.explain(label, { kind: 'influence', variable: 'x', cell: { x: 11, y: 0 } });
      const { contributions = new Float64Array(0), increment = Number.NaN } = found ?? {};
      const sum = contributions.reduce((total, value) => total + value, 0);
      // Float32, and the tolerance at which 3D-Var's minimisation ends.
      expect(Math.abs(sum - increment)).toBeLessThan(2e-3 * Math.max(1, Math.abs(increment)));
    }
    experiment.dispose();
  });
});
