/** A window that keeps checkpoints of its trajectory, beside one that keeps all of it. */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createReferenceBackend, type Backend } from '../../../engine/index.ts';
import { normals } from '../../../engine/check/measures.ts';
import { createLinearWindow, createLorenz96, createShallowWater, drivenModel } from '../../../engine/models/index.ts';
import { windowElements, type Model } from '../../../engine/models/index.ts';
import { divideTrajectory } from '../../../engine/models/linear-window.ts';
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
    const keptStates = Math.ceil(each.model().linearKept / each.from.length);
    const found = await window(each, (13 + keptStates) * stateBytes);
    expect(found).toEqual(whole);
    expect(whole[1]).not.toEqual(whole[3]);
    await expect(window(each, 5 * stateBytes)).rejects.toThrow('checkpoints of the trajectory');
    // All states, and what is kept of one step.
    expect(await window(each, (22 + keptStates) * stateBytes)).toEqual(whole);
  });
});

it.each([
  { name: 'Lorenz-96', model: () => createLorenz96({ n: 12 }), most: [30, 12] },
  // Of all states and what is kept of all steps; of all states; of checkpoints.
  { name: 'central-upwind', model: () => water('central-upwind', 0.2), most: [100, 26, 16] },
])('take the memory that is said: $name', async ({ model: modelOf, most }) => {
  const backend = createReferenceBackend();
  const allocating = vi.spyOn(backend, 'allocate');
  const model = modelOf();
  const state = model.variables.length * model.grid.nx * model.grid.ny;
  const seconds = STEPS * (state === 12 ? 0.05 : 0.2);
  const held = [];
  for (const mostBytes of most.map((states) => 8 * state * states)) {
    allocating.mockClear();
    const window = await createLinearWindow(backend, model, { seconds, shares: [], mostBytes });
    const calls = allocating.mock.calls.filter(([label]) => label.startsWith('trajectory.'));
    const elements = calls.reduce((sum, [, , length]) => sum + length, 0);
    expect(elements).toBe(windowElements(STEPS, { state, kept: model.linearKept }, 8, mostBytes));
    expect(8 * elements).toBeLessThanOrEqual(mostBytes);
    held.push(elements);
    window.dispose();
  }
  expect(held).toEqual(held.toSorted((a, b) => b - a));
  expect(new Set(held).size).toBe(most.length);
  backend.dispose();
});

it('are √n steps apart, or all states if these fit', () => {
  const lengths = { state: 3, kept: 0 };
  expect(divideTrajectory(100, lengths, 300)).toEqual({ interval: 1, states: 100, followed: 100 });
  expect(divideTrajectory(100, lengths, 299)).toEqual({ interval: 10, states: 19, followed: 1 });
  expect(divideTrajectory(0, lengths, 0)).toEqual({ interval: 1, states: 0, followed: 0 });
  for (let steps = 1; steps < 200; steps++) {
    const { interval, states } = divideTrajectory(steps, lengths, 0);
    expect(interval * Math.ceil(steps / interval)).toBeGreaterThanOrEqual(steps);
    expect(states).toBeLessThanOrEqual(2 * Math.ceil(Math.sqrt(steps)));
  }
  // 341 states of 6 MiB fit into 2 GiB; of a window that is longer, checkpoints.
  const state = 3 * 512 ** 2;
  expect(windowElements(330, { state, kept: 0 }, 8)).toBe(332 * state);
  expect(windowElements(1000, { state, kept: 0 }, 8)).toBe((32 + 31 + 2) * state);
});

it('keep what the derivatives of all steps need, if that fits as well', () => {
  const lengths = { state: 3, kept: 10 };
  expect(divideTrajectory(100, lengths, 1300)).toEqual({ interval: 1, states: 100, followed: 100 });
  expect(divideTrajectory(100, lengths, 1299)).toEqual({ interval: 1, states: 100, followed: 1 });
  expect(divideTrajectory(100, lengths, 310)).toEqual({ interval: 1, states: 100, followed: 1 });
  expect(divideTrajectory(100, lengths, 309)).toEqual({ interval: 10, states: 19, followed: 1 });
});
