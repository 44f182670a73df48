/** A window that keeps checkpoints of its trajectory, beside one that keeps all of it. */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createReferenceBackend, type Backend } from '../../../engine/index.ts';
import { normals } from '../../../engine/check/measures.ts';
import { createLinearWindow, createLorenz96, createShallowWater, drivenModel } from '../../../engine/models/index.ts';
import { windowElements, type Model } from '../../../engine/models/index.ts';
import { divideTrajectory } from '../../../engine/models/trajectory.ts';
import { backends } from '../../setup/backends.ts';

const [NX, NY] = [10, 6];
const CELLS = NX * NY;
/** Steps of a window, of which √17 is not whole. */
const STEPS = 17;

function water(scheme: 'richtmyer' | 'central-upwind', timeStep: number | 'auto'): Model {
  const shore = Float64Array.from({ length: CELLS }, (_, cell) => -0.8 + 0.1 * (cell % NX));
  return createShallowWater({
    scheme,
    grid: { nx: NX, ny: NY, dx: 1, dy: 1, periodicX: false, periodicY: true },
    gravity: 1,
    timeStep,
    boundary: { x: 'wall', y: 'periodic' },
    ...(scheme === 'central-upwind' && { bed: shore }),
  });
}

/** Pushed by the same rates after every step, where the water is deep. */
function pushed(model: Model): Model {
  const rates = Float64Array.from({ length: 3 * CELLS }, (_, i) => (i < CELLS || i % NX > 4 ? 0 : 0.02 * Math.cos(i)));
  return drivenModel(model, (backend, members) => {
    const field = backend.allocate('rates', 'real', members * rates.length);
    backend.write(field, rates);
    return { field, dispose: () => field.dispose() };
  });
}

/** Depth and momenta of waves at a shore. */
const WAVES = Float64Array.from({ length: 3 * CELLS }, (_, i) => {
  const depth = i < CELLS ? Math.max(0, 0.8 - 0.1 * (i % NX)) : 0;
  return depth === 0 ? 0 : depth + 0.02 * Math.sin(i);
});

const MODELS = [
  {
    name: 'Lorenz-96',
    seconds: STEPS * 0.05,
    model: () => createLorenz96({ n: 12 }),
    from: normals(12, 'trajectory.ring').map((value) => 2 + 3 * value),
  },
  {
    name: 'waves that something drives',
    seconds: STEPS * 0.2,
    model: () => pushed(water('richtmyer', 0.2)),
    from: WAVES.map((value, i) => (i < CELLS ? 1 + 0.05 * Math.sin(i) : value)),
  },
  {
    name: 'waves at a shore with automatic steps that something drives',
    // 0.4 of a cell for waves of 2 cells a second.
    seconds: STEPS * 0.2,
    model: () => pushed(water('central-upwind', 'auto')),
    from: water('central-upwind', 'auto').toState(WAVES),
  },
];

describe.each(backends)('checkpoints of a trajectory on $name', ({ name: backendName, open }) => {
  let backend: Backend;
  beforeAll(async () => {
    backend = await open();
  });
  afterAll(() => backend.dispose());

  /** The end of the trajectory, and tangent and adjoint with a look inside, once about each of two trajectories. */
  async function window({ model: modelOf, seconds, from }: (typeof MODELS)[number], mostBytes?: number) {
    const model = modelOf();
    const length = from.length;
    const shares = [0.3, 0.6];
    const made = await createLinearWindow(backend, model, {
      seconds,
      shares,
      pace: 2,
      ...(mostBytes !== undefined && { mostBytes }),
    });
    const [state, vector] = ['state', 'vector'].map((name) => backend.allocate(name, 'real', length));
    const found: Float64Array[] = [];
    for (const factor of [1, 1.01]) {
      backend.write(
        state,
        from.map((value) => factor * value),
      );
      const conclude = await made.follow(state, true);
      await backend.collect();
      await conclude('a window');
      found.push(await backend.read(state));
      // The second share begins and ends elsewhere than where the first has left the states between two checkpoints.
      for (const share of [1, 0.4, 1]) {
        backend.write(vector, normals(length, 'trajectory.vector'));
        made.tangent(vector, undefined, share);
        found.push(await backend.read(vector));
        made.adjoint(vector, undefined, share);
        found.push(await backend.read(vector));
      }
    }
    for (const owned of [made, state, vector]) owned.dispose();
    return found;
  }

  // A GPU in software takes long for the kernels of the third.
  it.each(backendName === 'webgpu' ? MODELS.slice(0, 2) : MODELS)('give the same bits: $name', async (each) => {
    const whole = await window(each);
    // Steps may be more and shorter, so that they end at the shares.
    const stateBytes = each.from.length * backend.elementBytes;
    const found = await window(each, 13 * stateBytes);
    expect(found).toEqual(whole);
    expect(whole[1]).not.toEqual(whole[3]);
    await expect(window(each, 5 * stateBytes)).rejects.toThrow('checkpoints of the trajectory');
  });
});

it('take the memory that is said', async () => {
  const backend = createReferenceBackend();
  const allocating = vi.spyOn(backend, 'allocate');
  for (const mostBytes of [30 * 96, 12 * 96]) {
    allocating.mockClear();
    const window = await createLinearWindow(backend, createLorenz96({ n: 12 }), {
      seconds: STEPS * 0.05,
      shares: [],
      mostBytes,
    });
    const kept = allocating.mock.calls.filter(([label]) => label.startsWith('trajectory.'));
    const elements = kept.reduce((sum, [, , length]) => sum + length, 0);
    expect(elements).toBe(windowElements(STEPS, 12, 8, mostBytes));
    expect(8 * elements).toBeLessThanOrEqual(mostBytes);
    window.dispose();
  }
  backend.dispose();
});

it('are √n steps apart, or all states if these fit', () => {
  expect(divideTrajectory(100, 100)).toEqual({ interval: 1, held: 100 });
  expect(divideTrajectory(100, 99)).toEqual({ interval: 10, held: 19 });
  expect(divideTrajectory(0, 0)).toEqual({ interval: 1, held: 0 });
  for (let steps = 1; steps < 200; steps++) {
    const { interval, held } = divideTrajectory(steps, 0);
    expect(interval * Math.ceil(steps / interval)).toBeGreaterThanOrEqual(steps);
    expect(held).toBeLessThanOrEqual(2 * Math.ceil(Math.sqrt(steps)));
  }
  // 341 states of 6 MiB fit into 2 GiB; of a window that is longer, checkpoints.
  const stateLength = 3 * 512 ** 2;
  expect(windowElements(330, stateLength, 8)).toBe(332 * stateLength);
  expect(windowElements(1000, stateLength, 8)).toBe((32 + 31 + 2) * stateLength);
});
