/** A model that something drives at every step. */
import { describe, expect, it } from 'vitest';
import { createLinearWindow, createShallowWater, drivenModel, type Model } from '../../../engine/models/index.ts';
import type { Backend } from '../../../engine/index.ts';
import { backends } from '../../setup/backends.ts';

const [NX, NY] = [10, 6];
const LENGTH = 3 * NX * NY;
const WINDOW = 2;

/** Depth 1 m with a wave and a current. */
const STATE = Float64Array.from({ length: LENGTH }, (_, i) => {
  const [variable, cell] = [Math.floor(i / (NX * NY)), i % (NX * NY)];
  const phase = (2 * Math.PI * ((cell % NX) + 2 * Math.floor(cell / NX))) / NX;
  return (variable === 0 ? 1 : 0.1) + 0.05 * Math.sin(phase + variable);
});
const RATES = Float64Array.from({ length: LENGTH }, (_, i) => (i < NX * NY ? 0 : 0.01 * Math.cos(i)));

function water(timeStep: number | 'auto'): Model {
  const grid = { nx: NX, ny: NY, dx: 1, dy: 1, periodicX: true, periodicY: true };
  const boundary = { x: 'periodic', y: 'periodic' } as const;
  return createShallowWater({ scheme: 'richtmyer', grid, gravity: 1, timeStep, boundary });
}

function driven(timeStep: number | 'auto'): Model {
  return drivenModel(water(timeStep), (backend, members) => {
    const field = backend.allocate('rates', 'real', members * LENGTH);
    for (let member = 0; member < members; member++) backend.write(field, RATES, member * LENGTH);
    return { field, dispose: () => field.dispose() };
  });
}

const PACE = 2;

async function forecast(backend: Backend, model: Model, seconds: number, from = STATE): Promise<Float64Array> {
  const propagator = await model.prepare(backend, 1, PACE);
  const state = backend.allocate('state', 'real', LENGTH);
  backend.write(state, from);
  await propagator.advance(state, seconds);
  await propagator.check('a driven forecast');
  const end = await backend.read(state);
  for (const owned of [propagator, state]) owned.dispose();
  return end;
}

describe.each(backends)('a driven model on $name', ({ open, precision }) => {
  const rounding = precision === 'float64' ? 1e-14 : 1e-6;

  it('adds the rates after every step', async () => {
    const backend = await open();
    let expected = STATE;
    for (let step = 0; step < 4; step++) {
      expected = (await forecast(backend, water(0.25), 0.25, expected)).map((value, i) => value + 0.25 * RATES[i]);
    }
    // Four steps, each rounded where it is read as well.
    expect(await forecast(backend, driven(0.25), 1)).toBeClose(expected, { absolute: 8 * rounding });
    backend.dispose();
  });

  it('takes with "auto" the same steps', async () => {
    const backend = await open();
    // 0.4 of a cell for waves of 2 cells a second: ten steps.
    const [automatic, fixed] = [
      await forecast(backend, driven('auto'), WINDOW),
      await forecast(backend, driven(0.2), WINDOW),
    ];
    expect(automatic).toEqual(fixed);
    backend.dispose();
  });

  it('follows the same trajectory in a window, whose tangent is its derivative', async () => {
    const backend = await open();
    const window = await createLinearWindow(backend, driven(0.25), { seconds: WINDOW, shares: [0.5] });
    const state = backend.allocate('state', 'real', LENGTH);
    backend.write(state, STATE);
    const conclude = await window.follow(state, true);
    await backend.collect();
    await conclude('a driven window');
    const end = await forecast(backend, driven(0.25), WINDOW);
    expect(await backend.read(state)).toEqual(end);
    const change = STATE.map((_, i) => Math.sin(7 * i));
    backend.write(state, change);
    window.tangent(state);
    const tangent = await backend.read(state);
    const size = precision === 'float64' ? 1e-6 : 1e-2;
    const moved = await forecast(
      backend,
      driven(0.25),
      WINDOW,
      STATE.map((value, i) => value + size * change[i]),
    );
    const difference = moved.map((value, i) => (value - end[i]) / size);
    // What is left is of second order in the size, and the rounding over it.
    expect(difference).toBeClose(tangent, { absolute: 20 * size + (20 * rounding) / size });
    for (const owned of [window, state]) owned.dispose();
    backend.dispose();
  });

  it('is not advanced by steps', async () => {
    const backend = await open();
    const propagator = await driven(0.25).prepare(backend, 1);
    const state = backend.allocate('state', 'real', LENGTH);
    await expect(propagator.advanceSteps(state, 1)).rejects.toThrow('by seconds');
    for (const owned of [propagator, state]) owned.dispose();
    backend.dispose();
  });
});
