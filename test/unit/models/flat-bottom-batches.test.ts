/** Steps that a GPU takes in batches are those that it takes one by one, to the last bit: state, status and clock. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Backend } from '../../../engine/index.ts';
import { CLOCK, STATUS, freshStatus } from '../../../engine/models/index.ts';
import type { Boundary } from '../../../engine/models/index.ts';
import { stepsVariants } from '../../../engine/models/shallow-water/flat-bottom/variants.ts';
import { laxWendroff } from '../../../engine/models/shallow-water/lax-wendroff/index.ts';
import { richtmyer } from '../../../engine/models/shallow-water/richtmyer/index.ts';
import { backends } from '../../setup/backends.ts';
import { ensembleOf, fieldsOf, hump } from './forecast.ts';

interface Size {
  readonly nx: number;
  readonly ny: number;
  readonly members?: number;
  readonly x?: Boundary;
  readonly y?: Boundary;
  readonly drag?: number;
  readonly steps: number;
  readonly timeStep?: number;
}

function parametersOf({ nx, ny, members = 1, x = 'wall', y = 'wall', drag = 0, steps, timeStep = 0.05 }: Size) {
  const boundary = { x, y };
  return {
    nx,
    ny,
    members,
    dx: 1,
    dy: 1.25,
    gravity: 9.8,
    boundary,
    drag,
    steps,
    timeStep,
    courant: 0.4,
    begins: true,
  };
}

/** A hump on each member, higher from member to member. */
function startOf({ nx, ny, members = 1 }: Size): Float64Array {
  return ensembleOf(Array.from({ length: members }, (_, member) => hump(nx, ny, 0.2 + 0.1 * member)));
}

const webgpu = backends.filter(({ name }) => name === 'webgpu');
const cases = webgpu.flatMap(({ open }) =>
  [laxWendroff, richtmyer].map((operator) => ({ name: operator.name, operator, open })),
);

/** Water that flows apart, and leaves nothing. */
function apart(): Float64Array {
  return fieldsOf(21, 14, (x) => [0.1, x < 10 ? -0.25 : 0.25, 0]);
}

/** A value that is none, in the middle. */
function poisoned(): Float64Array {
  return fieldsOf(21, 14, (x, y) => [x === 10 && y === 6 ? NaN : 1, 0, 0]);
}

describe.each(cases)('batches of $name', ({ operator, open }) => {
  let backend: Backend;
  beforeAll(async () => {
    backend = await open();
  });
  afterAll(() => backend.dispose());

  /** State, status and clock after each of some runs, in one variant; the slots of the status that count between runs. */
  async function after(variant: string, size: Size, start: Float64Array, runs = 1) {
    const parameters = parametersOf(size);
    backend.tuning?.choices.choose(stepsVariants.kernel, stepsVariants.sizeClass(parameters), variant);
    const prepared = await backend.prepare(operator, parameters);
    backend.tuning?.choices.choose(stepsVariants.kernel, stepsVariants.sizeClass(parameters), undefined);
    const fields = {
      state: backend.allocate('state', 'real', start.length),
      status: backend.allocate('status', 'index', STATUS.length),
      clock: backend.allocate('clock', 'real', CLOCK.length),
    };
    backend.write(fields.state, start);
    backend.write(fields.status, freshStatus());
    backend.write(fields.clock, new Float64Array(CLOCK.length));
    const found = [];
    const dispatches = [];
    for (let run = 0; run < runs; run++) {
      const before = backend.counts.dispatches;
      prepared.run(fields);
      dispatches.push(backend.counts.dispatches - before);
      const [state, status, clock] = [
        await backend.read(fields.state),
        await backend.read(fields.status, 0, STATUS.steps + 1),
        await backend.read(fields.clock),
      ];
      found.push({ state, status, clock });
    }
    for (const owned of [prepared, ...Object.values(fields)]) owned.dispose();
    return { found, dispatches };
  }

  function batchesOf(size: Size): readonly string[] {
    const { tuning } = backend;
    const offered = tuning ? Object.keys(stepsVariants.offered(parametersOf(size), tuning.traits)) : [];
    return offered.filter((name) => name !== 'single');
  }

  it.each<Size>([
    { nx: 40, ny: 25, steps: 20 },
    { nx: 35, ny: 9, members: 3, steps: 7 },
    { nx: 9, ny: 47, x: 'open', y: 'open', drag: 0.3, steps: 11 },
    { nx: 45, ny: 33, x: 'periodic', y: 'periodic', steps: 13, drag: 0.1 },
    // A basin that the tile has several times.
    { nx: 5, ny: 4, x: 'periodic', y: 'periodic', steps: 64 },
    { nx: 23, ny: 23, x: 'wall', y: 'periodic', steps: 6 },
    { nx: 1, ny: 17, steps: 5 },
  ])('give the bits of single steps: %o', async (size) => {
    const start = startOf(size);
    const single = await after('single', size, start, 2);
    expect(single.found[1].state).not.toEqual(single.found[0].state);
    expect(single.found[1].status[STATUS.steps]).toBe(2 * size.steps);
    const names = batchesOf(size);
    expect(names).toHaveLength(3);
    for (const name of names) {
      const { found, dispatches } = await after(name, size, start, 2);
      // Equal to the last bit: 0 and −0 are distinguished.
      expect(found).toEqual(single.found);
      expect(dispatches[0]).toBeLessThanOrEqual(single.dispatches[0]);
    }
  });

  // Waves outrun their cells after so many steps, at the beginning of a batch, inside and at its end, that of the run included.
  it.each([
    { timeStep: 0.45, step: 3 },
    { timeStep: 0.42, step: 4 },
    { timeStep: 0.36, step: 9 },
    { timeStep: 0.35, step: 11 },
    { timeStep: 0.1, second: apart },
    { timeStep: 0.02, second: poisoned, step: 0 },
  ])('stop where single steps stop: %o', async ({ timeStep, step, second = () => hump(21, 14) }) => {
    const size = { nx: 21, ny: 14, members: 2, steps: 12, timeStep };
    const start = ensembleOf([hump(21, 14, 0), second()]);
    // The second run finds the status as the first has left it.
    const single = await after('single', size, start, 2);
    const badStep = single.found[0].status[STATUS.badStep];
    expect(badStep).toBeLessThan(size.steps);
    expect(badStep).toBe(step ?? badStep);
    for (const name of batchesOf(size)) expect((await after(name, size, start, 2)).found).toEqual(single.found);
  });

  it('are not offered where they save nothing, or the length of a step follows from the one before', () => {
    const size = { nx: 64, ny: 64, steps: 20 };
    const gpu = { threads: 1, workgroupInvocations: 256, workgroupBytes: 16_384, subgroups: false, isSoftware: false };
    const offered = (parameters: Parameters<typeof stepsVariants.offered>[0], traits = gpu) =>
      Object.keys(stepsVariants.offered(parameters, traits));
    expect(offered({ ...parametersOf(size), timeStep: 'auto' })).toEqual(['single']);
    expect(offered(parametersOf({ ...size, steps: 3 }))).toEqual(['single']);
    expect(offered(parametersOf({ nx: 256, ny: 256, members: 32, steps: 20 }))[0]).toBe('single');
    expect(offered(parametersOf(size))[0]).toBe('batches-of-5');
    expect(offered(parametersOf(size), { ...gpu, isSoftware: true })[0]).toBe('single');
  });
});
