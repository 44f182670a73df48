/**
 * One scenario, one seed, one backend: the same bits. Twice, resumed in the middle, with other methods beside, and with
 * another network beside, as far as that can be.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Backend, Checkpoint, Scenario } from '../../../engine/index.ts';
import { runBackends } from '../../setup/backends.ts';
import { everything, scenarioOf, twin } from '../../../engine/check/assimilation/twin.ts';
import type { TwinInput } from '../../../engine/check/assimilation/twin.ts';

const CYCLES = 5;
const INTERRUPTED = 3;

const small: TwinInput = { ...everything, experiment: { cycles: CYCLES, window: 0.5 } };
const { methods = [], observations = [] } = small;

interface Run {
  readonly middle: Checkpoint;
  readonly end: Checkpoint;
  /** Places and values of the last cycle's observations. */
  readonly observed: { readonly x: Float64Array; readonly values: Float64Array };
}

async function run(backend: Backend, scenario: Scenario, checkpoint?: Checkpoint): Promise<Run> {
  const { experiment, runTo } = await twin(backend, scenario, checkpoint);
  await runTo(INTERRUPTED);
  const middle = await experiment.checkpoint();
  await runTo(CYCLES);
  const end = await experiment.checkpoint();
  const observed = experiment.observations;
  if (!observed) throw new Error('nothing was observed');
  experiment.dispose();
  return { middle, end, observed: { x: observed.x, values: observed.values } };
}

/** What no observation changes. */
function untouched({ end: { arrays } }: Run): readonly Float64Array[] {
  return [arrays['truth'], arrays['drifters'], arrays['method.free-run']];
}

describe.each(runBackends)('the same bits on $name', ({ open }) => {
  let backend: Backend;
  let first: Run;
  beforeAll(async () => {
    backend = await open();
    first = await run(backend, scenarioOf(small));
  });
  afterAll(() => backend.dispose());

  it('the run is worth comparing: every state has moved, every method is its own, buoys have drifted', () => {
    const states = Object.values(first.end.arrays);
    // Truth, buoys and pace; of each method its state, and the evidence by which a divergence is judged.
    expect(states).toHaveLength(3 + 2 * methods.length);
    const { pace, ...moving } = first.end.arrays;
    expect(pace).toEqual(first.middle.arrays['pace']);
    for (const [name, values] of Object.entries(moving)) expect(values).not.toEqual(first.middle.arrays[name]);
    expect(first.end.arrays['drifters']).toHaveLength(10);
    expect(first.end.arrays['method.letkf']).not.toEqual(first.end.arrays['method.enkf']);
  });

  it('the same seed twice', async () => {
    expect(await run(backend, scenarioOf(small))).toEqual(first);
  });

  it('another seed, another run', async () => {
    const other = await run(backend, scenarioOf({ ...small, seed: 2 }));
    for (const [name, values] of Object.entries(first.end.arrays)) expect(other.end.arrays[name]).not.toEqual(values);
  });

  it('interrupted after three cycles and resumed from the checkpoint', async () => {
    const resumed = await run(backend, scenarioOf(small), first.middle);
    expect(resumed.end).toEqual(first.end);
    expect(resumed.observed).toEqual(first.observed);
  });

  it('so are filters whose inflation adapts itself, and is added by draws', async () => {
    const additive = { standardDeviation: 0.01, length: 6 };
    const weights = { every: 3 };
    const filters = [
      { ...methods[2], adaptation: { kind: 'innovations' }, additive, weights },
      { ...methods[2], label: 'local', adaptation: { kind: 'local' }, weights },
      { kind: 'enkf-n', localisation: { halfWidth: 3 } },
      { ...methods[3], adaptation: { kind: 'desroziers' }, additive },
      { kind: 'hybrid', ensemble: { ...methods[2], adaptation: { kind: 'innovations' } } },
    ] as typeof methods;
    const scenario = scenarioOf({ ...small, methods: filters });
    const { middle, end } = await run(backend, scenario);
    for (const label of ['letkf', 'enkf', 'hybrid', 'local']) {
      expect(end.arrays[`inflation.${label}`]).not.toEqual(middle.arrays[`inflation.${label}`]);
    }
    expect((await run(backend, scenario, middle)).end).toEqual(end);
    for (const factors of [Float64Array.of(), Float64Array.of(1.2, Number.NaN)]) {
      const broken = { ...middle, arrays: { ...middle.arrays, 'inflation.local': factors } };
      await expect(twin(backend, scenario, broken)).rejects.toThrow(/(?:numbers of|NaN in) inflation\.local/);
    }
  });

  it('a checkpoint of another scenario is refused', async () => {
    const other = scenarioOf({ ...small, seed: 2 });
    await expect(twin(backend, other, first.middle)).rejects.toThrow('another scenario or backend');
  });

  it.each([
    ['alone', (all: typeof methods) => [all[2]]],
    ['in another order', (all: typeof methods) => all.toReversed()],
  ] as const)('a method has the same numbers %s', async (_, chosen) => {
    const other = await run(backend, scenarioOf({ ...small, methods: chosen([...methods]) }));
    const { end } = first;
    const same = Object.keys(other.end.arrays).map((name) => [name, end.arrays[name]]);
    expect(other.end.arrays).toEqual(Object.fromEntries(same));
    expect(same).toHaveLength(3 + 2 * chosen([...methods]).length);
    expect(other.observed).toEqual(first.observed);
  });

  it('the same method twice under two labels differs where it draws, and leaves the first as it was', async () => {
    const twice = [methods[3], { ...methods[3], label: 'second' }];
    const { end } = await run(backend, scenarioOf({ ...small, methods: twice }));
    expect(end.arrays['method.enkf']).toEqual(first.end.arrays['method.enkf']);
    expect(end.arrays['method.second']).not.toEqual(first.end.arrays['method.enkf']);
  });

  it('a network added leaves the truth, the free run, the buoys and what the other networks observe', async () => {
    const added = {
      name: 'satellite',
      variable: 'speed',
      network: { kind: 'random', count: 6, redraw: true },
      errorStandardDeviation: 0.05,
      dropout: 0.2,
      outliers: { share: 0.2 },
    } as const;
    const other = await run(backend, scenarioOf({ ...small, observations: [...observations, added] }));
    expect(untouched(other)).toEqual(untouched(first));
    const count = first.observed.values.length;
    expect(other.observed.values).toHaveLength(count + 6);
    const { x, values } = other.observed;
    const ofBefore = { x: x.slice(0, count), values: values.slice(0, count) };
    expect(ofBefore).toEqual(first.observed);
    expect(other.end.arrays['method.letkf']).not.toEqual(first.end.arrays['method.letkf']);
  });
});
