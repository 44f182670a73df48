/** A cycle is queued without waiting for the device, and reported when its numbers arrive: how often, in which order, and what of faults. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createExperiment, METHODS, NO_FILES } from '../../../engine/index.ts';
import type { Backend, BackendCounts, Checkpoint, Cycle, Experiment, ExperimentEvent } from '../../../engine/index.ts';
import { backends } from '../../setup/backends.ts';
import { everything, scenarioOf } from '../../../engine/check/assimilation/twin.ts';
import type { TwinInput } from '../../../engine/check/assimilation/twin.ts';

const CYCLES = 6;

/** With settings that suit the basin, and every other kind of method as it is by default. */
const tuned: NonNullable<TwinInput['methods']> = [
  { kind: 'free-run' },
  {
    kind: '3dvar',
    covariance: { kind: 'recursive-filter', length: 3, standardDeviation: { h: 0.05 } },
    minimisation: { tolerance: 1e-3, maxIterations: 100 },
  },
  { kind: 'letkf', localisation: { halfWidth: 4 }, inflation: 1.1 },
  { kind: 'enkf', localisation: { halfWidth: 4 }, relaxation: { kind: 'spread', factor: 0.3 } },
];
const others = METHODS.filter(({ kind }) => tuned.every((method) => method.kind !== kind)).map(({ kind }) => ({
  kind,
}));

const model = { scheme: 'lax-wendroff' as const, bathymetry: { kind: 'flat' as const, depth: 1 } };

/** Gauges that stay, steps of one length; 3D-Var with room for more iterations than it needs. */
const basin: TwinInput = {
  name: 'basin',
  seed: 7,
  grid: { nx: 12, ny: 12 },
  model: { ...model, timeStep: 0.1 },
  truth: { initial: { kind: 'drops', count: 4, amplitude: [0.1, 0.5], width: 10 } },
  background: { initial: { kind: 'drops', count: 4, amplitude: [0.1, 0.5], width: 10 }, members: 4 },
  observations: [
    { name: 'gauges', network: { kind: 'regular', stride: [4, 4], offset: [2, 2] }, errorStandardDeviation: 0.02 },
  ],
  methods: [...tuned, ...others],
  experiment: { cycles: CYCLES, window: 1 },
};
const { methods = [] } = basin;
const labels = methods.map(({ kind }) => kind);

interface Told {
  readonly experiment: Experiment;
  readonly events: ExperimentEvent[];
}

async function begun(backend: Backend, input: TwinInput, wanted?: readonly string[]): Promise<Told> {
  const events: ExperimentEvent[] = [];
  const experiment = await createExperiment(backend, scenarioOf(input), {
    files: NO_FILES,
    listener: (event) => events.push(event),
    ...(wanted && { methods: wanted }),
  });
  return { experiment, events };
}

/** Runs on with one cycle queued while the one before is reported. */
async function pipelined(experiment: Experiment, last: number): Promise<void> {
  let before: Cycle | undefined;
  while (experiment.nextCycle < last) {
    const cycle = await experiment.begin();
    await before?.reported;
    before = cycle;
  }
  await before?.reported;
}

async function oneByOne(experiment: Experiment, last: number): Promise<void> {
  while (experiment.nextCycle < last) await experiment.step();
}

/** Without what is different in every run: times. */
function lasting(events: readonly ExperimentEvent[]): object[] {
  return events.flatMap((event): object[] => {
    if (event.type === 'kernel' || event.type === 'trace') return [];
    if (event.type === 'diagnostics') {
      const { milliseconds: _milliseconds, ...numbers } = event.diagnostics;
      return [{ type: event.type, ...numbers }];
    }
    return [{ ...event, milliseconds: undefined }];
  });
}

function between(before: BackendCounts, { waits, submissions, dispatches }: BackendCounts): BackendCounts {
  return {
    waits: waits - before.waits,
    submissions: submissions - before.submissions,
    dispatches: dispatches - before.dispatches,
  };
}

const webgpu = backends.find(({ name }) => name === 'webgpu');

describe.skipIf(webgpu === undefined)('a cycle on webgpu', () => {
  let backend: Backend;
  beforeAll(async () => {
    backend = await (webgpu ?? backends[0]).open();
  });
  afterAll(() => backend.dispose());

  /** Counts of so many cycles, after the first two: until then it is not known how many iterations are needed. */
  async function countsOf(wanted: readonly string[], run: typeof pipelined, input = basin): Promise<BackendCounts> {
    const { experiment } = await begun(backend, input, wanted);
    await run(experiment, 2);
    const before = { ...backend.counts };
    await run(experiment, CYCLES);
    const counts = between(before, backend.counts);
    experiment.dispose();
    return counts;
  }

  // The IEnKS waits for each of its iterations: the host makes its weights of what the members observe.
  const queued = labels.filter((label) => label !== 'ienks');
  it.each(queued)('of %s waits once, hands over at most three packages, and counts its kernels', async (label) => {
    const cycles = CYCLES - 2;
    const { waits, submissions, dispatches } = await countsOf([label], pipelined);
    // In the end the last cycle is waited for by itself where each has waited in its middle.
    expect(waits).toBeGreaterThan(0);
    expect(waits).toBeLessThanOrEqual(cycles + 1);
    expect(submissions).toBeLessThanOrEqual(3 * cycles + 1);
    // Ten steps of truth and method, a survey of the state and its scores; of no method thousands.
    expect(dispatches / cycles).toBeGreaterThan(20 + 4);
    expect(dispatches / cycles).toBeLessThan(1000);
  });

  it('of all methods waits as often as of one', async () => {
    const { waits, submissions } = await countsOf(queued, pipelined);
    const cycles = CYCLES - 2;
    expect(waits).toBeLessThanOrEqual(cycles + 1);
    expect(submissions).toBeLessThanOrEqual(3 * queued.length * cycles);
  });

  // A minimisation may need more iterations than lately: the host looks at it in the middle of the cycle.
  const minimising = new Set<string>(['3dvar', '4dvar', '4denvar', 'hybrid', 'hybrid-4dvar']);
  it.each(queued.filter((label) => !minimising.has(label)))('of %s waits once also one by one', async (label) => {
    expect((await countsOf([label], oneByOne)).waits).toBe(CYCLES - 2);
  });

  it('with steps "auto" waits once', async () => {
    const automatic = { ...basin, model: { ...model, timeStep: 'auto' as const } };
    const { waits } = await countsOf(['letkf'], pipelined, automatic);
    expect(waits).toBeLessThanOrEqual(CYCLES - 2 + 1);
  });

  it('of 3D-Var does not queue what is not needed', async () => {
    const { dispatches } = await countsOf(['3dvar'], pipelined);
    // All 100 iterations: at least nine kernels each, which are V, H, their adjoints, and three of conjugate gradients.
    expect(dispatches / (CYCLES - 2)).toBeLessThan((100 * 9) / 2);
  });

  it('reports the times of forecast and analysis by the device', async () => {
    const { experiment, events } = await begun(backend, basin, ['letkf']);
    await pipelined(experiment, 3);
    experiment.dispose();
    const times = events.flatMap((event) => (event.type === 'diagnostics' ? [event.diagnostics.milliseconds] : []));
    expect(times).toHaveLength(3);
    for (const { forecast, analysis } of times) {
      expect(forecast).toBeGreaterThan(0);
      expect(analysis).toBeGreaterThan(0);
    }
  });
});

describe.each(backends)('two cycles in flight on $name', ({ open }) => {
  let backend: Backend;
  beforeAll(async () => {
    backend = await open();
  });
  afterAll(() => backend.dispose());

  async function both(
    input: TwinInput,
    last = CYCLES,
  ): Promise<Record<'one' | 'two', { readonly checkpoint: Checkpoint; readonly events: readonly ExperimentEvent[] }>> {
    const results = [];
    for (const run of [oneByOne, pipelined]) {
      const { experiment, events } = await begun(backend, input);
      await run(experiment, last);
      results.push({ checkpoint: await experiment.checkpoint(), events });
      experiment.dispose();
    }
    return { one: results[0], two: results[1] };
  }

  it.each([
    ['steps of one length', basin],
    ['buoys that drift, a network that comes and goes', { ...everything, experiment: { cycles: CYCLES, window: 0.5 } }],
    // They are queued by the propagator of a state, whichever method it is of: of a single one, and of an ensemble.
    ['steps "auto"', { ...basin, model: { ...model, timeStep: 'auto' as const }, methods: [methods[1], methods[2]] }],
    // What a change does to its method, and not to another; those without a change are compared above.
    [
      'settings that change',
      {
        ...basin,
        methods: [methods[0], methods[2]],
        interventions: [{ kind: 'setting' as const, cycle: 3, path: 'methods[1].inflation', value: 1.3 }],
      },
    ],
  ] satisfies [string, TwinInput][])('give the same bits and the same events as one: %s', async (_, input) => {
    const { one, two } = await both(input);
    expect(two.checkpoint).toEqual(one.checkpoint);
    expect(lasting(two.events)).toEqual(lasting(one.events));
    expect(two.events.filter(({ type }) => type === 'cycle')).toHaveLength(CYCLES);
  });

  it('omit a method whose fault is found late, throw away what followed, and touch no other', async () => {
    const inflated = {
      ...basin,
      methods: [methods[0], methods[2]],
      experiment: { cycles: 11, window: 1 },
      interventions: [{ kind: 'setting' as const, cycle: 2, path: 'methods[1].inflation', value: 100 }],
    };
    const { one, two } = await both(inflated, 11);
    const [divergence, ...more] = two.events.flatMap((event) => (event.type === 'diverged' ? [event] : []));
    expect([divergence.method, more]).toEqual(['letkf', []]);
    expect(divergence.cycle).toBeGreaterThanOrEqual(2);
    // Others continue, and what was queued of it is thrown away.
    expect(divergence.cycle).toBeLessThan(10);
    const later = two.events.flatMap((event) => {
      if (event.type === 'diagnostics') return event.diagnostics.method === 'letkf' ? [event.diagnostics.cycle] : [];
      return (event.type === 'forecast' || event.type === 'analysis') && event.method === 'letkf' ? [event.cycle] : [];
    });
    expect(Math.max(...later)).toBeLessThanOrEqual(divergence.cycle);
    expect(lasting(two.events)).toEqual(lasting(one.events));
    expect(two.checkpoint).toEqual(one.checkpoint);
  });

  it('end with the truth, naming cycle, step and cell, and say nothing of what followed', async () => {
    const { experiment, events } = await begun(backend, {
      ...basin,
      model: { ...basin.model, timeStep: 0.5 },
      experiment: { cycles: 40, window: 1 },
    });
    const error = await pipelined(experiment, 40).catch((reason: unknown) => reason);
    expect(error).toMatchObject({
      name: 'DivergenceError',
      message: expect.stringMatching(/^the truth, cycle \d+ \(/),
    });
    const reported = events.filter(({ type }) => type === 'cycle').length;
    expect(error).toMatchObject({ message: expect.stringContaining(`cycle ${reported} (`) });
    const before = reported > 0 ? `the last good one is ${reported - 1}` : 'no cycle before it was complete';
    expect(error).toMatchObject({ message: expect.stringContaining(before) });
    const late = events.filter(
      (event) => (event.type === 'forecast' || event.type === 'analysis') && event.cycle >= reported,
    );
    expect(late).toEqual([]);
    expect(experiment.nextCycle).toBe(reported);
    await expect(experiment.begin()).rejects.toBe(error);
    await expect(experiment.checkpoint()).rejects.toThrow('in the middle of a cycle');
    experiment.dispose();
  });

  it('emit nothing after the experiment is disposed of', async () => {
    const { experiment, events } = await begun(backend, basin);
    const cycle = await experiment.begin();
    const { reported } = cycle;
    experiment.dispose();
    await reported.catch(() => undefined);
    const count = events.length;
    await backend.settle();
    expect(events).toHaveLength(count);
  });
});
