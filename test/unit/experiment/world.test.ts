/** Gauges, drops and islands in a run: the same bits however they came into it, wherever it continued, and on any number of threads. */
import { describe, expect, it } from 'vitest';
import {
  createExperiment,
  createReferenceBackend,
  createWasmBackend,
  modelGrid,
  NO_FILES,
  scenarioBed,
} from '../../../engine/index.ts';
import type { Backend, Checkpoint, Intervention, Scenario, ScenarioFiles } from '../../../engine/index.ts';
import type { CycleObservations } from '../../../engine/experiment/truth-observer.ts';
import { addDrop } from '../../../engine/initial-states/index.ts';
import { moundOf } from '../../../engine/scenario/index.ts';
import { startKernelThread } from '../../setup/kernel-threads.ts';
import { tinyScenario } from '../document/run/tiny-scenario.ts';

const PLACES: readonly (readonly [number, number])[] = [
  [1.5, 2],
  [7, 4.25],
  [10, 8],
];
/** One intervention of each kind but an island, some in one cycle. */
const CHANGES: readonly object[] = [
  { kind: 'gauges', cycle: 1, add: PLACES, variable: 'h', errorStandardDeviation: 0.01 },
  { kind: 'setting', cycle: 1, path: 'methods[2].inflation', value: 1.4 },
  { kind: 'drop', cycle: 2, x: 5, y: 4, radius: 3, height: 0.1, seenBy: 'each' },
  {
    kind: 'gauges',
    cycle: 3,
    remove: [[3, 3], PLACES[0]],
    add: [[2, 7]],
    variable: 'hu',
    errorStandardDeviation: 0.02,
  },
  { kind: 'drop', cycle: 3, x: 8, y: 2, radius: 2, height: -0.2 },
];

function world(changes: object = {}): Scenario {
  return tinyScenario({
    model: { scheme: 'central-upwind', bathymetry: { kind: 'flat', depth: 1 } },
    observations: [
      { name: 'gauges', network: { kind: 'regular', stride: [3, 3] }, dropout: 0.3, outliers: { share: 0.2 } },
      { name: 'buoys', variable: 'u', network: { kind: 'drifters', count: 3 }, every: 2 },
    ],
    methods: [
      { kind: 'free-run' },
      { kind: '3dvar', covariance: { kind: 'recursive-filter', length: 3, standardDeviation: { h: 0.05, hu: 0.02 } } },
      { kind: 'letkf', localisation: { halfWidth: 2 }, inflation: 1.1 },
      { kind: 'enkf', localisation: { halfWidth: 2 } },
      { kind: 'nudging' },
    ],
    experiment: { cycles: 5, window: 0.5 },
    ...changes,
  });
}

interface Run {
  readonly checkpoint: Checkpoint;
  readonly observations: readonly CycleObservations[];
}

interface RunRequest {
  readonly from?: Checkpoint;
  readonly until?: number;
  /** Scenarios that the run is edited to when their cycle comes next. */
  readonly edits?: Readonly<Record<number, Scenario>>;
  readonly files?: ScenarioFiles;
}

async function runOf(
  backend: Backend,
  scenario: Scenario,
  { from, until, edits = {}, files = NO_FILES }: RunRequest = {},
): Promise<Run> {
  const experiment = await createExperiment(backend, scenario, {
    files,
    listener: () => undefined,
    ...(from && { checkpoint: from }),
  });
  const observations: CycleObservations[] = [];
  try {
    while (experiment.nextCycle < (until ?? experiment.cycles)) {
      const edit = edits[experiment.nextCycle];
      if (edit) experiment.edit(edit);
      await experiment.step();
      if (experiment.observations) observations.push(experiment.observations);
    }
    return { checkpoint: await experiment.checkpoint(), observations };
  } finally {
    experiment.dispose();
  }
}

/** What a cycle has observed, by network and place. */
function readings({ network, variable, x, y, values, inverseErrorStd }: CycleObservations): Map<string, string> {
  return new Map(
    [...values].map((value, i) => [
      `${network[i]} ${variable[i]} ${x[i]},${y[i]}`,
      // What is missing has no number.
      inverseErrorStd[i] > 0 ? `${value} ± ${1 / inverseErrorStd[i]}` : 'missing',
    ]),
  );
}

const WASM_THREADS = [1, 2] as const;
const openWasm = (threads: number): Promise<Backend> => createWasmBackend({ threads, startThread: startKernelThread });

const allBackends = [
  { name: 'reference', open: (): Promise<Backend> => Promise.resolve(createReferenceBackend()) },
  { name: 'wasm', open: () => openWasm(2) },
];

describe.each(allBackends)('a world that changes, on $name', ({ open }) => {
  it('has the same bits whether it was changed beforehand, on the way, or resumed', async () => {
    const backend = await open();
    const whole = world({ interventions: CHANGES });
    const { checkpoint } = await runOf(backend, whole);
    // On the way: each change is made known when its cycle comes next.
    const upTo = (cycle: number): Scenario => ({
      ...whole,
      interventions: whole.interventions.filter((each: Intervention) => each.cycle <= cycle),
    });
    const edits = { 1: upTo(1), 2: upTo(2), 3: whole };
    expect((await runOf(backend, world(), { edits })).checkpoint).toEqual(checkpoint);
    for (const cycle of [1, 3]) {
      const { checkpoint: from } = await runOf(backend, whole, { until: cycle });
      expect((await runOf(backend, whole, { from })).checkpoint).toEqual(checkpoint);
    }
    backend.dispose();
  });

  it('is as if it had not been changed where a change is taken back before its cycle', async () => {
    const backend = await open();
    const whole = world({ interventions: CHANGES.slice(0, 1) });
    const { checkpoint: from } = await runOf(backend, world(), { until: 1 });
    const { checkpoint } = await runOf(backend, whole, { from, edits: { 1: world() } });
    expect(checkpoint.arrays).toEqual((await runOf(backend, world())).checkpoint.arrays);
    backend.dispose();
  });
});

describe('a world that changes', () => {
  const backend = createReferenceBackend();

  it('has the same bits on any number of threads', async () => {
    const runs = await Promise.all(
      WASM_THREADS.map(async (threads) => {
        const wasm = await openWasm(threads);
        const { checkpoint } = await runOf(wasm, world({ interventions: CHANGES }));
        wasm.dispose();
        return checkpoint.arrays;
      }),
    );
    expect(runs[1]).toEqual(runs[0]);
  });

  it('observes with a gauge from its cycle on, and changes no number of another', async () => {
    const gauges = { kind: 'gauges', cycle: 1, add: PLACES, variable: 'h', errorStandardDeviation: 0.01 };
    const moved = { kind: 'gauges', cycle: 3, remove: [[3, 3], PLACES[0]], add: [[2, 7]] };
    const [without, one, all] = await Promise.all(
      [[], [{ ...gauges, add: [PLACES[1]] }], [gauges, moved]].map((interventions) =>
        runOf(backend, world({ interventions })),
      ),
    );
    const [plain, single, many] = [without, one, all].map(({ observations }) => observations.map(readings));
    const painted = PLACES.map(([x, y]) => `2 h ${x},${y}`);
    plain.forEach((before, cycle) => {
      const kept = [...before].filter(([place]) => cycle < 3 || place !== '0 h 3,3');
      // Gauges that stay have the numbers that they had, whatever is beside them.
      for (const [place, value] of kept) expect([cycle, place, many[cycle].get(place)]).toEqual([cycle, place, value]);
      expect(many[cycle].get(painted[1])).toBe(single[cycle].get(painted[1]));
      const standing = cycle < 1 ? [] : cycle < 3 ? painted : [painted[1], painted[2], '2 h 2,7'];
      expect([...many[cycle].keys()].filter((place) => !before.has(place))).toEqual(standing);
      expect(many[cycle].size).toBe(kept.length + standing.length);
    });
  });

  it('gains the water of a drop, and no more', async () => {
    const drop = { kind: 'drop', cycle: 1, x: 4.5, y: 5, radius: 2, height: 0.3, seenBy: 'all' } as const;
    const scenario = world({ methods: [{ kind: 'free-run' }], interventions: [drop] });
    const [dry, wet] = await Promise.all(
      [world({ methods: [{ kind: 'free-run' }] }), scenario].map((each) => runOf(backend, each)),
    );
    const elevation = new Float64Array(120);
    const grid = modelGrid(scenario);
    addDrop(elevation, grid, moundOf(drop, grid));
    const fallen = elevation.reduce((sum, height) => sum + height, 0);
    // Within 5 % of its integral π·height·(2·radius)²/5: near enough to walls and cells to be distinguished from another.
    expect(fallen / ((Math.PI * 0.3 * 16) / 5)).toBeCloseTo(1, 1);
    const cells = 120;
    const waterOf = (state: Float64Array, member: number): number =>
      state.subarray(member * 3 * cells, member * 3 * cells + cells).reduce((sum, eta) => sum + eta, 0);
    const gained = (name: string, member: number): number =>
      waterOf(wet.checkpoint.arrays[name], member) - waterOf(dry.checkpoint.arrays[name], member);
    // A flux that leaves a cell enters another: a rounding of a depth up to 2 m for each cell, face and step, at most 400 of these.
    const bound = 400 * 4 * cells * 2 * 2 ** -53;
    expect(Math.abs(gained('truth', 0) - fallen)).toBeLessThan(bound);
    for (const member of [0, 1, 2, 3]) {
      expect(Math.abs(gained('method.free-run', member) - fallen)).toBeLessThan(bound);
    }
  });

  it('takes no more water than there is', async () => {
    const bathymetry = { kind: 'slope', depth: 0.5, endDepth: -0.1 };
    const model = { scheme: 'central-upwind', bathymetry };
    const still = { initial: { kind: 'rest' } };
    const drop = { kind: 'drop', cycle: 0, x: 2, y: 5, radius: 2, height: -0.3, seenBy: 'each' };
    const scenario = world({ model, truth: still, background: { ...still, members: 4 }, interventions: [drop] });
    const bed = scenarioBed(scenario, NO_FILES);
    const { checkpoint } = await runOf(backend, scenario);
    for (const name of ['truth', 'method.free-run', 'method.enkf']) {
      const state = checkpoint.arrays[name];
      const depths = [...state].flatMap((eta, i) => (Math.floor(i / 120) % 3 === 0 ? [eta - bed[i % 120]] : []));
      expect(Math.min(...depths)).toBeGreaterThanOrEqual(0);
      expect(Math.max(...depths)).toBeGreaterThan(0.3);
    }
  });

  it('lets a drop fall on each member as its own, whatever their number', async () => {
    const drop = { kind: 'drop', cycle: 0, x: 5, y: 4, radius: 2, height: 0.2, seenBy: 'each' };
    const still = { initial: { kind: 'rest' } };
    const of = async (members: number): Promise<Readonly<Record<string, Float64Array>>> => {
      const scenario = world({
        truth: still,
        background: { ...still, members },
        methods: [{ kind: 'free-run' }],
        interventions: [drop],
      });
      return (await runOf(backend, scenario, { until: 1 })).checkpoint.arrays;
    };
    const [four, six] = [await of(4), await of(6)];
    expect(six['method.free-run'].slice(0, 4 * 360)).toEqual(four['method.free-run']);
    expect(six['truth']).toEqual(four['truth']);
    const surfaces = Array.from({ length: 6 }, (_, member) =>
      six['method.free-run'].slice(member * 360, member * 360 + 120).join(' '),
    );
    expect(new Set([six['truth'].slice(0, 120).join(' '), ...surfaces]).size).toBe(7);
  });

  it('runs over an island as over a bathymetry of the same bed', async () => {
    const raised = world({ interventions: [{ kind: 'island', cycle: 0, x: 6, y: 4.5, radius: 3, height: 1.4 }] });
    const bed = scenarioBed(raised, NO_FILES);
    expect(Math.max(...bed)).toBeGreaterThan(0);
    const files = { ...NO_FILES, array: () => ({ shape: [10, 12], data: bed }) } as unknown as ScenarioFiles;
    const read = world({ model: { ...raised.model, bathymetry: { kind: 'file', file: 'bed.npy' } } });
    const [island, bathymetry] = [await runOf(backend, raised), await runOf(backend, read, { files })];
    expect(island.checkpoint.arrays).toEqual(bathymetry.checkpoint.arrays);
    expect(island.checkpoint.arrays).not.toEqual((await runOf(backend, world())).checkpoint.arrays);
  });

  it('is another run from its beginning with an island', async () => {
    const raised = world({ interventions: [{ kind: 'island', cycle: 0, x: 6, y: 4.5, radius: 3, height: 1.4 }] });
    const { checkpoint: from } = await runOf(backend, world(), { until: 0 });
    await expect(runOf(backend, raised, { from })).rejects.toThrow('the checkpoint is of another scenario');
    await expect(runOf(backend, world(), { edits: { 0: raised } })).rejects.toThrow('those need a run from its start');
  });
});
