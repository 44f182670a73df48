import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createShallowWater } from '../../../engine/models/index.ts';
import type { Backend } from '../../../engine/index.ts';
import { backends } from '../../setup/backends.ts';
import { oracleCases } from '../../setup/oracle.ts';

describe.each(backends)('lax-wendroff on $name', ({ open, precision }) => {
  let backend: Backend;
  beforeAll(async () => {
    backend = await open();
  });
  afterAll(() => backend.dispose());

  it.each(oracleCases('shallow-water'))('reproduces $name', async ({ parameters, inputs, outputs, tolerance }) => {
    const [ny, nx] = inputs['h'].shape;
    const { dx, dy, dt, gravity, steps } = parameters as Record<string, number>;
    const model = createShallowWater({
      scheme: 'lax-wendroff',
      grid: { nx, ny, dx, dy, periodicX: false, periodicY: false },
      gravity,
      timeStep: dt,
    });
    const propagator = await model.prepare(backend, 1);
    const names = model.variables.map(({ name }) => name);
    const state = backend.allocate('state', 'real', 3 * nx * ny);
    backend.write(state, model.toState(Float64Array.from(names.flatMap((name) => [...inputs[name].data]))));
    await propagator.advanceSteps(state, steps);
    await propagator.check('oracle');
    const result = model.fromState(Float64Array.from(await backend.read(state)));
    names.forEach((name, v) => {
      expect(result.subarray(v * nx * ny, (v + 1) * nx * ny)).toBeClose(outputs[name].data, {
        relative: tolerance[precision],
      });
    });
    propagator.dispose();
    state.dispose();
  });
});
