/** Linear drag at the bottom, on every scheme and backend. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createReferenceBackend, type Backend } from '../../../engine/index.ts';
import { createShallowWater, SCHEME_NAMES } from '../../../engine/models/index.ts';
import type { Boundary, Model, Scheme } from '../../../engine/models/index.ts';
import { backends } from '../../setup/backends.ts';
import { fieldsOf, forecast, hump, sum } from './forecast.ts';

const GRAVITY = 9.8;

function modelOf(scheme: Scheme, [nx, ny]: readonly [number, number], drag: number, ends: Boundary): Model {
  const periodic = ends === 'periodic';
  return createShallowWater({
    scheme,
    grid: { nx, ny, dx: 1, dy: 1, periodicX: periodic, periodicY: periodic },
    gravity: GRAVITY,
    timeStep: 0.05,
    boundary: { x: ends, y: ends },
    bed: new Float64Array(nx * ny).fill(scheme === 'central-upwind' ? -1 : 0),
    drag,
  });
}

describe.each(backends)('drag on $name', ({ open, precision }) => {
  let backend: Backend;
  beforeAll(async () => {
    backend = await open();
  });
  afterAll(() => backend.dispose());

  it.each(SCHEME_NAMES)('slows a uniform current by its exact solution with %s', async (scheme) => {
    const size = [6, 4] as const;
    const [drag, seconds] = [0.1, 5];
    const model = modelOf(scheme, size, drag, 'periodic');
    const result = await forecast(
      backend,
      model,
      fieldsOf(...size, () => [1, 0.3, -0.2]),
      { seconds },
    );
    const left = Math.exp(-drag * seconds);
    // In float32 the same factor, wrong by up to a unit of 1.2e-7, acts up to four times in each of 100 steps on up to 0.3.
    // A single factor that is not applied changes the current by 2e-4 or more.
    expect(result).toBeClose(
      fieldsOf(...size, () => [1, 0.3 * left, -0.2 * left]),
      { absolute: precision === 'float64' ? 1e-12 : 1.5e-5 },
    );
  });

  it.each(SCHEME_NAMES)('takes from the velocities of a wave what float64 takes with %s', async (scheme) => {
    const size = [15, 12] as const;
    const model = modelOf(scheme, size, 1, 'wall');
    const run = (on: Backend): Promise<Float64Array> => forecast(on, model, hump(...size), { seconds: 1 });
    const reference = createReferenceBackend();
    // Twenty steps in float32 of depths near 1: 1.2e-7 each, some operations a step. Velocities without drag differ by 1e-4 and more.
    expect(await run(backend)).toBeClose(await run(reference), { absolute: precision === 'float64' ? 0 : 1e-5 });
    reference.dispose();
  });

  it.each(SCHEME_NAMES)('keeps the water and takes from the energy of waves with %s', async (scheme) => {
    const size = [15, 12] as const;
    const start = hump(...size);
    const cells = size[0] * size[1];
    const run = async (drag: number): Promise<Float64Array> =>
      forecast(backend, modelOf(scheme, size, drag, 'wall'), start, { seconds: 10 });
    const [free, slowed] = [await run(0), await run(0.1)];
    const energy = (state: Float64Array): number => {
      const mean = sum(state.subarray(0, cells)) / cells;
      return Array.from({ length: cells }, (_, i) => {
        const [h, hu, hv] = [state[i], state[i + cells], state[i + 2 * cells]];
        return (hu * hu + hv * hv) / h + GRAVITY * (h - mean) ** 2;
      }).reduce((total, value) => total + value, 0);
    };
    expect(sum(slowed.subarray(0, cells))).toBeCloseTo(sum(start.subarray(0, cells)), precision === 'float64' ? 9 : 3);
    // Half of a wave's energy is kinetic, so that it falls at the rate r: exp(−1) after 10 s, within what waves exchange.
    const share = energy(slowed) / energy(free);
    expect(share).toBeGreaterThan(0.25);
    expect(share).toBeLessThan(0.5);
  });
});
