import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DivergenceError, LimitError, ScenarioError } from '../../../engine/index.ts';
import type { Backend } from '../../../engine/index.ts';
import { createLorenz96 } from '../../../engine/models/index.ts';
import { allBackends } from '../../setup/backends.ts';
import { ensembleOf, forecast } from './forecast.ts';

/** F everywhere but in one place, which starts the waves. */
function start(n: number, push = 0.01): Float64Array {
  return new Float64Array(n).fill(8).map((value, i) => (i === Math.floor(n / 2) ? value + push : value));
}

/** One step by the definition, written out on arrays that wrap. */
function rungeKutta(x: readonly number[], dt: number): number[] {
  const n = x.length;
  const slope = (y: readonly number[]): number[] =>
    y.map((value, i) => (y[(i + 1) % n] - y[(i - 2 + n) % n]) * y[(i - 1 + n) % n] - value + 8);
  const moved = (k: readonly number[], share: number): number[] => x.map((value, i) => value + share * dt * k[i]);
  const k1 = slope(x);
  const k2 = slope(moved(k1, 0.5));
  const k3 = slope(moved(k2, 0.5));
  const k4 = slope(moved(k3, 1));
  return x.map((value, i) => value + (dt / 6) * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]));
}

describe.each(allBackends)('lorenz-96 on $name', ({ open, name, precision }) => {
  let backend: Backend;
  beforeAll(async () => {
    backend = await open();
  });
  afterAll(() => backend.dispose());

  it.each([4, 5, 40, 64, 130])('steps as the definition has it, with %i variables', async (n) => {
    const model = createLorenz96({ n });
    const x0 = new Float64Array(n).map((_, i) => 3 + 4 * Math.sin(i * i + 1));
    let expected = [...x0];
    for (let s = 0; s < 10; s++) expected = rungeKutta(expected, 0.05);
    const result = await forecast(backend, model, x0, { steps: 10 });
    // In half a time unit errors grow tenfold at most; each step adds about 8 · 1e-16, or 8 · 6e-8 in float32.
    expect(result).toBeClose(expected, { absolute: precision === 'float64' ? 1e-12 : 5e-5 });
    expect(result).not.toBeClose(x0, { absolute: 1 });
  });

  it('advances members together as each alone, bit by bit', async () => {
    const members = [0.01, 0.5, 2].map((push) => start(40, push));
    const model = createLorenz96();
    const together = await forecast(backend, model, ensembleOf(members), { seconds: 3.5 });
    const alone = [];
    for (const member of members) alone.push(await forecast(backend, model, member, { seconds: 3.5 }));
    expect(together).toBeClose(ensembleOf(alone), { absolute: 0 });
  });

  it('names step, variable and member of a fault', async () => {
    const n = 8;
    const model = createLorenz96({ n });
    const propagator = await model.prepare(backend, 3);
    const state = backend.allocate('state', 'real', 3 * n);
    // Large enough that the products overflow after a few steps.
    const wild = start(n).map((value, i) => value + (i === 3 ? 60 : 0));
    backend.write(state, ensembleOf([start(n), wild, wild]));
    // One step a call, each checked: the first that goes wrong is the step to be named.
    const faults: (DivergenceError | undefined)[] = [];
    for (let step = 0; step < 60; step++) {
      await propagator.advanceSteps(state, 1);
      faults.push(
        await propagator.check('single').then(
          () => undefined,
          (error: DivergenceError) => error,
        ),
      );
    }
    const step = faults.findIndex(Boolean);
    const single = faults[step];
    expect(single?.divergence).toMatchObject({ kind: 'not-finite', step: 0, member: 1, variable: 'x', y: 0 });
    backend.write(state, ensembleOf([start(n), wild, wild]));
    await propagator.advanceSteps(state, 60);
    await propagator.advanceSteps(state, 5);
    await expect(propagator.check('whole')).rejects.toMatchObject({
      divergence: { ...single?.divergence, step, value: expect.any(Number) },
    });
    propagator.dispose();
    state.dispose();
  });

  it('refuses settings that it cannot have', () => {
    expect(() => createLorenz96({ n: 3 })).toThrow(ScenarioError);
    expect(() => createLorenz96({ timeStep: 0, forcing: NaN })).toThrow(/forcing.*\n.*timeStep/);
  });

  it('holds as many variables as fit into workgroup memory', async () => {
    const large = forecast(backend, createLorenz96({ n: 5000 }), start(5000), { steps: 1 });
    const outcome = await large.then(
      ({ length }) => length,
      (error: unknown) => error instanceof LimitError,
    );
    expect(outcome).toBe(name === 'webgpu' ? true : 5000);
  });
});
