/** A state that goes along with an ensemble: both as they are alone, and neither stopped by the other. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DivergenceError, createReferenceBackend } from '../../../engine/index.ts';
import type { Backend } from '../../../engine/index.ts';
import { createLorenz96, createShallowWater } from '../../../engine/models/index.ts';
import type { Model, Onlookers, QueuedForecast } from '../../../engine/models/index.ts';
import { backends } from '../../setup/backends.ts';
import { hump } from './forecast.ts';

const [NX, NY, MEMBERS] = [12, 9, 3];
const SECONDS = 0.5;

function modelOf(scheme: 'lax-wendroff' | 'richtmyer' | 'central-upwind', timeStep: number | 'auto' = 0.1): Model {
  const grid = { nx: NX, ny: NY, dx: 1, dy: 1, periodicX: false, periodicY: false };
  return createShallowWater({ scheme, grid, gravity: 9.8, timeStep });
}

/** Physical fields of three members and of a companion. */
const drops = hump(NX, NY);
const members = Float64Array.from(
  { length: MEMBERS * drops.length },
  (_, i) => drops[i % drops.length] * (1 + i / 1e5),
);
const other = drops.map((value) => 1.02 * value);
/** Water that is deeper than a step of 0.1 s allows. */
const tooDeep = (fields: Float64Array<ArrayBuffer>) => fields.map((value, i) => (i === 5 ? 4000 : value));

describe.each(backends.filter(({ name }) => name === 'webgpu'))('a companion on $name', ({ open }) => {
  let backend: Backend;
  beforeAll(async () => {
    backend = await open();
  });
  afterAll(() => backend.dispose());

  interface Outcome {
    readonly states: readonly Float64Array[];
    /** Messages of the ensemble's forecast, and of the companion's. */
    readonly faults: readonly (string | undefined)[];
  }

  /** Two forecasts of an ensemble and another state, alone or together. */
  async function forecasts(model: Model, together: boolean, ensemble = members, companion = other): Promise<Outcome> {
    const propagators = [await model.prepare(backend, MEMBERS), await model.prepare(backend, 1)];
    const state = backend.allocate('members', 'real', ensemble.length, companion.length);
    const lone = backend.allocate('lone', 'real', companion.length);
    const frame = backend.allocate('frame', 'real', companion.length);
    backend.write(state, model.toState(ensemble));
    backend.write(lone, model.toState(companion));
    const onlookers: Onlookers = [{ count: 2, take: () => undefined }];
    const ofCompanion: Onlookers = [{ count: 1, take: () => backend.copy(lone, frame) }];
    const queued: QueuedForecast[] = [];
    for (let round = 0; round < 2; round++) {
      if (together) {
        queued.push(...(await propagators[0].queueTogether(state, lone, SECONDS, onlookers, ofCompanion)));
      } else {
        queued.push(await propagators[0].queue(state, SECONDS, ...onlookers));
        queued.push(await propagators[1].queue(lone, SECONDS, ...ofCompanion));
      }
    }
    await backend.collect();
    const faults = await Promise.all(
      queued.map((each) =>
        each.conclude('forecast').then(
          () => undefined,
          (error: unknown) => (error instanceof DivergenceError ? error.message : String(error)),
        ),
      ),
    );
    const states = [await backend.read(state), await backend.read(lone), await backend.read(frame)];
    for (const owned of [...propagators, state, lone, frame]) owned.dispose();
    return { states, faults };
  }

  it.each(['lax-wendroff', 'richtmyer', 'central-upwind'] as const)('%s: the bits of both alone', async (scheme) => {
    const model = modelOf(scheme);
    const together = await forecasts(model, true);
    expect(together).toEqual(await forecasts(model, false));
    expect(together.faults).toEqual([undefined, undefined, undefined, undefined]);
  });

  it.each(['lax-wendroff', 'central-upwind'] as const)('%s: who diverges stops alone', async (scheme) => {
    const model = modelOf(scheme);
    const badCompanion = await forecasts(model, true, members, tooDeep(other));
    expect(badCompanion).toEqual(await forecasts(model, false, members, tooDeep(other)));
    expect(badCompanion.faults.map(Boolean)).toEqual([false, true, false, true]);
    const badMember = await forecasts(model, true, tooDeep(members), other);
    expect(badMember).toEqual(await forecasts(model, false, tooDeep(members), other));
    expect(badMember.faults.map(Boolean)).toEqual([true, false, true, false]);
  });

  it('has to have room, a fixed step, and the steps of the others', async () => {
    const room = backend.allocate('room', 'real', members.length, other.length);
    const full = backend.allocate('full', 'real', members.length);
    const lone = backend.allocate('lone', 'real', other.length);
    const can = async (model: Model, state = room, onlookers: Onlookers = [], ofCompanion: Onlookers = []) => {
      const propagator = await model.prepare(backend, MEMBERS, 10);
      const found = propagator.canQueueTogether(state, lone, SECONDS, onlookers, ofCompanion);
      propagator.dispose();
      return found;
    };
    const water = modelOf('lax-wendroff');
    const seen = { count: 1, shares: [0.5], take: () => undefined };
    expect(await can(water)).toBe(true);
    expect(await can(water, full)).toBe(false);
    expect(await can(modelOf('lax-wendroff', 'auto'))).toBe(false);
    expect(await can(water, room, [seen])).toBe(false);
    expect(await can(water, room, [seen], [seen])).toBe(true);
    const propagator = await water.prepare(backend, MEMBERS);
    await expect(propagator.queueTogether(room, lone, SECONDS, [seen], [])).rejects.toThrow(/different steps/);
    for (const owned of [propagator, room, full, lone]) owned.dispose();
  });
});

it('is not taken where a run is done when it is queued, and not by Lorenz-96', async () => {
  const backend = createReferenceBackend();
  const state = backend.allocate('members', 'real', members.length, other.length);
  const lone = backend.allocate('lone', 'real', other.length);
  const water = await modelOf('lax-wendroff').prepare(backend, MEMBERS);
  expect(water.canQueueTogether(state, lone, SECONDS, [], [])).toBe(false);
  const circle = createLorenz96();
  const [some, one] = [MEMBERS, 1].map((count) => backend.allocate('circle', 'real', count * circle.grid.nx));
  const lorenz = await circle.prepare(backend, MEMBERS);
  expect(lorenz.canQueueTogether(some, one, SECONDS, [], [])).toBe(false);
  backend.dispose();
});
