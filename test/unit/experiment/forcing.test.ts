/** Drops that fall during a run. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createForcing, type Forcing } from '../../../engine/experiment/forcing.ts';
import { prolong } from '../../../engine/experiment/hidden-truth.ts';
import { dropElevation } from '../../../engine/initial-states/index.ts';
import { randomStream } from '../../../engine/random/stream.ts';
import { createReferenceBackend } from '../../../engine/index.ts';
import type { Backend } from '../../../engine/index.ts';
import { backends } from '../../setup/backends.ts';
import { tinyScenario } from '../document/run/tiny-scenario.ts';

const [CELLS, MEMBERS] = [120, 4];
const LENGTH = 3 * CELLS;
type SeenBy = 'truth' | 'all' | 'each';

let backend: Backend;
beforeAll(() => {
  backend = createReferenceBackend();
});
afterAll(() => backend.dispose());

/** What falls in a cycle on still states of 0, when it falls on truth, ensemble and single state. */
async function fallen(seenBy: SeenBy, cycle: number, on: Backend = backend) {
  const grid = { nx: 12, ny: 10, dx: 1, dy: 1, periodicX: false, periodicY: false };
  const kind = { kind: 'drops', every: 2, count: 1, amplitude: [0.3, 0.3], width: 4, seenBy };
  const scenario = tinyScenario({ truth: { ...tinyScenario().truth, forcing: kind } });
  const bed = new Float64Array(CELLS).fill(-1);
  const forcing: Forcing = createForcing(on, scenario, { grid, bed }, { stateLength: LENGTH });
  const states = [1, MEMBERS, 1].map((members) => on.allocate('state', 'real', members * LENGTH));
  for (const state of states) on.write(state, new Float64Array(state.length));
  const [truth, ensemble, single] = states;
  await forcing.draw(cycle, []);
  forcing.applyToTruth(truth);
  forcing.applyToEnsemble(ensemble, MEMBERS);
  forcing.applyToEnsemble(single, 1);
  const read = await Promise.all(states.map((state) => on.read(state)));
  for (const owned of [forcing, ...states]) owned.dispose();
  return { truth: read[0], members: split(read[1]), single: read[2] };
}

function split(ensemble: Float64Array): Float64Array[] {
  return Array.from({ length: MEMBERS }, (_, l) => ensemble.slice(l * LENGTH, (l + 1) * LENGTH));
}

const highest = (state: Float64Array): number => state.reduce((most, value) => Math.max(most, value), 0);
const nothing = new Float64Array(LENGTH);

describe('what falls during a run', () => {
  it('falls every so many cycles', async () => {
    expect((await fallen('truth', 1)).truth).toEqual(nothing);
  });

  it('raises the water and moves none of it', async () => {
    const { truth } = await fallen('truth', 2);
    // A drop is 0.3 m high at its middle, which is up to √½ cells from the next centre: 0.3·exp(−5·½/16).
    expect(highest(truth)).toBeGreaterThan(0.3 * Math.exp(-5 / 32) - 1e-12);
    expect(truth.subarray(CELLS)).toEqual(nothing.subarray(CELLS));
  });

  it('falls elsewhere in another cycle', async () => {
    const [first, second] = [await fallen('truth', 2), await fallen('truth', 4)];
    expect(second.truth).not.toEqual(first.truth);
  });

  it('is seen by no method where the truth alone sees it', async () => {
    const { members, single } = await fallen('truth', 2);
    expect([...members, single]).toEqual(Array.from({ length: MEMBERS + 1 }, () => nothing));
  });

  it('falls on all alike where all see it', async () => {
    const { truth, members, single } = await fallen('all', 2);
    expect(members).toEqual(Array.from({ length: MEMBERS }, () => truth));
    // The mean of four times the same number, in four roundings of numbers below 0.3.
    expect(single).toBeClose(truth, { absolute: 4 * 0.3 * 2 ** -53 });
  });

  it('falls on each member by its own dice', async () => {
    const { truth, members } = await fallen('each', 2);
    const states = [truth, ...members].map((state) => state.join(' '));
    expect(new Set(states).size).toBe(MEMBERS + 1);
  });

  it('falls on a single state as the mean of what falls on the members', async () => {
    const { members, single } = await fallen('each', 2);
    const mean = single.map((_, e) => members.reduce((sum, member) => sum + member[e], 0) / MEMBERS);
    expect(single).toBeClose(mean, { absolute: 4 * 0.3 * 2 ** -53 });
  });
});

describe.each(backends)('what falls on $name', ({ open }) => {
  it('raises the first variable alone, whatever its memory had before', async () => {
    const on = await open();
    // As many as the states and what is added to them.
    const before = [1, 1, 1, 1, MEMBERS, MEMBERS].map((states) => on.allocate('before', 'real', states * LENGTH));
    for (const field of before) on.write(field, new Float64Array(field.length).fill(7));
    for (const field of before) field.dispose();
    const { truth, members, single } = await fallen('each', 2, on);
    for (const state of [truth, ...members, single]) {
      expect(highest(state)).toBeGreaterThan(0);
      expect(highest(state)).toBeLessThan(0.31);
      expect(state.subarray(CELLS)).toEqual(nothing.subarray(CELLS));
    }
    on.dispose();
  });
});

describe.each(backends)('many drops on $name', ({ open, precision }) => {
  const grid = { nx: 12, ny: 10, dx: 1, dy: 1, periodicX: false, periodicY: true };
  // Dry along one wall.
  const bed = Float64Array.from({ length: CELLS }, (_, cell) => (cell % 12 < 2 ? 0.5 : -1));
  const kind = { kind: 'drops', every: 1, count: 20, amplitude: [0.1, 0.3], width: 4, seenBy: 'each' } as const;
  const tolerance = 20 * 0.3 * 20 * 2 ** (precision === 'float64' ? -53 : -24);

  it.each([
    { volume: 'added', refinement: 1 },
    { volume: 'displaced', refinement: 1 },
    { volume: 'displaced', refinement: 2 },
  ] as const)(
    'are as high as drops drawn cell by cell: $volume, $refinement a cell',
    async ({ volume, refinement }) => {
      const on = await open();
      const scenario = tinyScenario({ truth: { ...tinyScenario().truth, forcing: { ...kind, volume } } });
      const forcing = createForcing(on, scenario, { grid, bed }, { stateLength: LENGTH, refinement });
      const truth = on.allocate('truth', 'real', LENGTH * refinement ** 2);
      const ensemble = on.allocate('ensemble', 'real', MEMBERS * LENGTH);
      for (const state of [truth, ensemble]) on.write(state, new Float64Array(state.length));
      await forcing.draw(3, []);
      forcing.applyToTruth(truth);
      forcing.applyToEnsemble(ensemble, MEMBERS);
      const drawn = (streamName: string, ...index: number[]): Float64Array =>
        dropElevation({ ...kind, volume }, grid, bed, randomStream(scenario.seed, streamName, ...index));
      const coarse = drawn('truth.forcing', 3);
      const expected = refinement === 1 ? coarse : prolong(coarse, grid, refinement);
      expect((await on.read(truth)).subarray(0, expected.length)).toBeClose(expected, { absolute: tolerance });
      const members = split(await on.read(ensemble));
      for (const [member, state] of members.entries()) {
        const own = drawn('background.forcing', 3, member);
        expect(state.subarray(0, CELLS)).toBeClose(own, { absolute: tolerance });
        expect(state.subarray(CELLS)).toEqual(state.subarray(CELLS).map(() => 0));
      }
      for (const owned of [forcing, truth, ensemble, on]) owned.dispose();
    },
  );

  it('of interventions fall as well, and a displaced one leaves the volume', async () => {
    const on = await open();
    const forcing = createForcing(on, tinyScenario(), { grid, bed }, { stateLength: LENGTH });
    const truth = on.allocate('truth', 'real', LENGTH);
    const gained = async (volume: 'added' | 'displaced'): Promise<number> => {
      on.write(truth, new Float64Array(LENGTH));
      const drop = { kind: 'drop', cycle: 0, x: 6, y: 5, radius: 2, height: 0.3, seenBy: 'truth', volume } as const;
      await forcing.draw(0, [drop]);
      forcing.applyToTruth(truth);
      return (await on.read(truth)).reduce((total, value) => total + value, 0);
    };
    expect(Math.abs(await gained('displaced'))).toBeLessThan(CELLS * tolerance);
    expect(await gained('added')).toBeGreaterThan(1);
    for (const owned of [forcing, truth, on]) owned.dispose();
  });
});
