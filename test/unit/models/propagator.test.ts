/** What every propagator promises: frames that change nothing, steps that follow from the pace, and an end. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DivergenceError } from '../../../engine/index.ts';
import type { Backend } from '../../../engine/index.ts';
import { createLorenz96, createShallowWater } from '../../../engine/models/index.ts';
import type { ForecastFrames, Model, Propagator } from '../../../engine/models/index.ts';
import { allBackends } from '../../setup/backends.ts';
import { fieldsOf, hump } from './forecast.ts';

const [NX, NY] = [12, 9];

function modelOf(scheme: 'lax-wendroff' | 'central-upwind', timeStep: number | 'auto'): Model {
  const grid = { nx: NX, ny: NY, dx: 1, dy: 1, periodicX: false, periodicY: false };
  return createShallowWater({ scheme, grid, gravity: 9.8, timeStep });
}

const models = [
  ['lax-wendroff', 0.02, modelOf('lax-wendroff', 0.02)],
  ['lax-wendroff', 'auto', modelOf('lax-wendroff', 'auto')],
  ['central-upwind', 0.05, modelOf('central-upwind', 0.05)],
  ['central-upwind', 'auto', modelOf('central-upwind', 'auto')],
  ['lorenz-96', 0.05, createLorenz96()],
] as const;

function startOf(model: Model): Float64Array {
  if (model.surface) return hump(NX, NY);
  return Float64Array.from({ length: model.grid.nx }, (_, i) => 8 + Math.sin(i));
}

describe.each(allBackends)('a propagator on $name', ({ open }) => {
  let backend: Backend;
  beforeAll(async () => {
    backend = await open();
  });
  afterAll(() => backend.dispose());

  /** The state after forecasts of the given seconds, one call each. */
  async function after(
    model: Model,
    start: Float64Array,
    act: (propagator: Propagator, state: ReturnType<Backend['allocate']> & { kind: 'real' }) => Promise<void>,
    pace?: number,
  ): Promise<Float64Array> {
    const propagator = await model.prepare(backend, 1, pace);
    const state = backend.allocate('state', 'real', start.length);
    backend.write(state, model.toState(start));
    try {
      await act(propagator, state);
      await propagator.check('forecast');
      return await backend.read(state);
    } finally {
      propagator.dispose();
      state.dispose();
    }
  }

  it.each(models)('%s, step %s: frames change nothing, and are evenly taken', async (_scheme, timeStep, model) => {
    const start = startOf(model);
    // Slow waves were expected: with "auto" every step is halved, twice in the middle.
    const pace = timeStep === 'auto' ? 0.45 * model.waveRate(start) : undefined;
    const plain = await after(model, start, (propagator, state) => propagator.advance(state, 0.9), pace);
    const shares: number[] = [];
    const seen: Float64Array[] = [];
    const take = async (index: number, share: number): Promise<void> => {
      expect(index).toBe(shares.length);
      shares.push(share);
    };
    const framed = await after(
      model,
      start,
      (propagator, state) =>
        propagator.advance(state, 0.9, {
          count: 3,
          take: async (index, share) => {
            await take(index, share);
            seen.push(await backend.read(state));
          },
        }),
      pace,
    );
    expect(framed).toEqual(plain);
    expect(shares).toHaveLength(3);
    shares.forEach((share, i) => expect(Math.abs(share - (i + 1) / 4)).toBeLessThan(0.15));
    // Each frame is on its way: what a forecast of that share gives.
    expect(new Set([...seen, plain].map(String)).size).toBe(4);
    if (timeStep === 'auto') return;
    const part = await after(model, start, (propagator, state) => propagator.advance(state, 0.9 * shares[0]));
    expect(seen[0]).toEqual(part);
  });

  it.each(models)('%s, step %s: queued one after the other, the same bits', async (_scheme, timeStep, model) => {
    const [one, other] = [startOf(model), startOf(model).map((value) => 1.01 * value)];
    // Slow waves were expected: steps are halved, more of them than was known when they were queued.
    const pace = timeStep === 'auto' ? 0.45 * model.waveRate(one) : undefined;
    const frames: ForecastFrames = { count: 3, take: () => undefined };
    const propagator = await model.prepare(backend, 1, pace);
    const states = [one, other].map((start, i) => {
      const state = backend.allocate(`state-${i}`, 'real', start.length);
      backend.write(state, model.toState(start));
      return state;
    });
    const waitsOfRounds: number[] = [];
    for (let round = 0; round < 3; round++) {
      const queued = [];
      for (const state of states) queued.push(await propagator.queue(state, 0.3, frames));
      await backend.collect();
      const before = backend.counts.waits;
      for (const forecast of queued) await forecast.complete?.();
      waitsOfRounds.push(backend.counts.waits - before);
      await backend.collect();
      for (const forecast of queued) await forecast.conclude('a queued forecast');
    }
    const found = await Promise.all(states.map((state) => backend.read(state)));
    for (const owned of [...states, propagator]) owned.dispose();
    for (const [i, start] of [one, other].entries()) {
      const expected = await after(
        model,
        start,
        async (advancing, state) => {
          for (let round = 0; round < 3; round++) await advancing.advance(state, 0.3);
        },
        pace,
      );
      expect(found[i]).toEqual(expected);
    }
    // Once it is known how many steps are halved, as many are queued.
    expect(waitsOfRounds.at(-1)).toBe(0);
    expect(waitsOfRounds[0] > 0).toBe(timeStep === 'auto' && !backend.immediate);
  });

  it('says of a queued forecast what went wrong in it, and nothing of the others', async () => {
    const model = modelOf('lax-wendroff', 0.05);
    const propagator = await model.prepare(backend, 1);
    const good = hump(NX, NY);
    const bad = fieldsOf(NX, NY, (x, y) => [1, x === 7 && y === 4 ? 4000 : 0, 0]);
    const states = [good, bad, good].map((start, i) => {
      const state = backend.allocate(`state-${i}`, 'real', start.length);
      backend.write(state, model.toState(start));
      return state;
    });
    const queued = [];
    for (const state of states) queued.push(await propagator.queue(state, 0.5));
    await backend.collect();
    const outcomes = await Promise.allSettled(queued.map((forecast, i) => forecast.conclude(`forecast ${i}`)));
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    const [, failed] = outcomes;
    const error: unknown = failed.status === 'rejected' ? failed.reason : undefined;
    expect(error).toBeInstanceOf(DivergenceError);
    expect((error as DivergenceError).message).toMatch(/^forecast 1/);
    expect((error as DivergenceError).divergence).toMatchObject({ step: 0, member: 0 });
    expect(await backend.read(states[2])).toEqual(await backend.read(states[0]));
    await expect(propagator.check('afterwards')).resolves.toBeUndefined();
    for (const owned of [...states, propagator]) owned.dispose();
  });

  it('with "auto" steps of one pace are the same for all that are not faster, and none remembers', async () => {
    const model = modelOf('central-upwind', 'auto');
    const [quiet, lively] = [hump(NX, NY, 0.01), hump(NX, NY, 0.4)];
    const pace = model.waveRate(lively);
    const fixed = modelOf('central-upwind', 0.7 / Math.ceil((0.7 * pace) / 0.4));
    for (const start of [quiet, lively]) {
      const automatic = await after(model, start, (propagator, state) => propagator.advance(state, 0.7), pace);
      const equal = await after(fixed, start, (propagator, state) => propagator.advance(state, 0.7));
      expect(automatic).toEqual(equal);
    }
    // Something else before it, on the same propagator.
    const again = await after(
      model,
      lively,
      async (propagator, state) => {
        backend.write(state, model.toState(hump(NX, NY, 3)));
        await propagator.advance(state, 0.31);
        backend.write(state, model.toState(lively));
        await propagator.advance(state, 0.7);
      },
      pace,
    );
    expect(again).toEqual(await after(model, lively, (propagator, state) => propagator.advance(state, 0.7), pace));
  });

  it('with "auto" halves steps where waves are faster than the pace, and still ends on time', async () => {
    // A uniform current that turns by f·t says how long it was stepped, whatever the steps.
    const grid = { nx: 6, ny: 5, dx: 1, dy: 1, periodicX: true, periodicY: true };
    const [f, speed, seconds] = [0.2, 0.5, 3.3];
    const model = createShallowWater({
      scheme: 'central-upwind',
      grid,
      gravity: 9.8,
      timeStep: 'auto',
      coriolis: { f, beta: 0 },
      boundary: { x: 'periodic', y: 'periodic' },
    });
    const current = fieldsOf(6, 5, () => [1, speed, 0]);
    const expected = fieldsOf(6, 5, () => [1, speed * Math.cos(f * seconds), -speed * Math.sin(f * seconds)]);
    for (const share of [1, 0.6, 0.1, 0.03]) {
      const pace = share * model.waveRate(current);
      const state = await after(model, current, (propagator, field) => propagator.advance(field, seconds), pace);
      // Heun's error as in the test of the scheme: below 1e-4; a step omitted turns by 0.026 or, halved, less.
      expect(model.fromState(Float64Array.from(state))).toBeClose(expected, { absolute: 1e-4 });
    }
  });

  it('stops with "auto" when steps would have to shrink beyond a 64th, naming where', async () => {
    const model = modelOf('central-upwind', 'auto');
    const start = fieldsOf(NX, NY, (x, y) => [1, x === 7 && y === 4 ? 4000 : 0, 0]);
    const pace = model.waveRate(hump(NX, NY));
    const error: unknown = await after(model, start, (propagator, state) => propagator.advance(state, 0.5), pace).catch(
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(DivergenceError);
    const { divergence, message } = error as DivergenceError;
    expect(divergence).toMatchObject({ kind: 'step-too-short', step: 0, member: 0 });
    expect(Math.hypot(divergence.x - 7, divergence.y - 4)).toBeLessThanOrEqual(6);
    expect(message).toMatch(/a 64th of the time step .* became too long/);
  });

  it('gives a long forecast up when its signal says so, with no more queued than takes a moment', async () => {
    const model = modelOf('lax-wendroff', 1e-4);
    const stop = new AbortController();
    const propagator = await model.prepare(backend, 1, undefined, stop.signal);
    const start = hump(NX, NY);
    const state = backend.allocate('state', 'real', start.length);
    backend.write(state, model.toState(start));
    // At the quickest 5 µs a step: 400 000 steps take seconds, on a device in software minutes.
    const forecast = propagator.advance(state, 40);
    const outcome = forecast.catch((reason: unknown) => reason);
    setTimeout(() => stop.abort(new Error('not wanted any more')), 200);
    expect(await outcome).toMatchObject({ message: 'not wanted any more' });
    const given = performance.now();
    await backend.settle();
    // A batch is made for 50 ms by the time of the one before; other work on the machine may slow it down by ten times.
    expect(performance.now() - given).toBeLessThan(500);
    for (const owned of [state, propagator]) owned.dispose();
  });
});
