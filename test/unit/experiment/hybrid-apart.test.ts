/** The hybrid whose members are not recentred: its filter's ensemble as it would be alone, and a forecast of its own beside it. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createExperiment, NO_FILES, validateScenario } from '../../../engine/index.ts';
import type { Backend, Checkpoint, CycleDiagnostics, Experiment, Scenario } from '../../../engine/index.ts';
import { backends, runBackends } from '../../setup/backends.ts';

const [NX, NY, MEMBERS, CYCLES] = [12, 10, 6, 4];
const CELLS = NX * NY;
const LENGTH = 3 * CELLS;
const WAVES = { standardDeviation: 0.05, length: 4 };
const COVARIANCE = { kind: 'recursive-filter', length: 4, standardDeviation: { h: 0.02 } };
const GAUGES = {
  name: 'gauges',
  variable: 'h',
  network: { kind: 'regular', stride: [3, 3], offset: [1, 1] },
  errorStandardDeviation: 0.01,
};
const LETKF = { kind: 'letkf', localisation: { halfWidth: 4 }, inflation: 1.1, rotation: true };
const ENKF = {
  kind: 'enkf',
  localisation: { halfWidth: 4 },
  inflation: 1.1,
  relaxation: { kind: 'spread', factor: 0.3 },
};

function hybrid(ensemble: object, changes: object = {}) {
  return {
    kind: 'hybrid',
    covariance: COVARIANCE,
    localisation: { length: 3 },
    ensemble,
    recentred: false,
    ...changes,
  };
}

function scenarioOf(methods: readonly object[], changes: object = {}): Scenario {
  const raw = {
    version: 3,
    name: 'apart',
    seed: 7,
    grid: { nx: NX, ny: NY },
    model: { timeStep: 0.1, boundary: { x: 'periodic', y: 'wall' }, bathymetry: { kind: 'flat', depth: 0.3 } },
    truth: { initial: { kind: 'rest' }, perturbation: WAVES },
    background: { initial: { kind: 'rest' }, perturbation: WAVES, members: MEMBERS },
    observations: [GAUGES],
    methods,
    experiment: { cycles: CYCLES, window: 0.5 },
    ...changes,
  };
  return validateScenario(raw, 'apart').scenario;
}

interface Run {
  readonly rows: readonly CycleDiagnostics[];
  readonly checkpoint: Checkpoint;
}

/** All methods draw from streams of one name, as each would alone. */
async function run<Asked = undefined>(
  backend: Backend,
  scenario: Scenario,
  {
    from,
    until = CYCLES,
    ask,
  }: { from?: Checkpoint; until?: number; ask?: (experiment: Experiment) => Promise<Asked> } = {},
): Promise<Run & { readonly asked: Asked | undefined }> {
  const rows: CycleDiagnostics[] = [];
  const experiment = await createExperiment(backend, scenario, {
    files: NO_FILES,
    streamNameOf: () => 'filter',
    listener: (event) => event.type === 'diagnostics' && rows.push(event.diagnostics),
    ...(from && { checkpoint: from }),
  });
  try {
    experiment.keepForecasts(ask !== undefined);
    while (experiment.nextCycle < until) await experiment.step();
    return { rows, asked: await ask?.(experiment), checkpoint: await experiment.checkpoint() };
  } finally {
    experiment.dispose();
  }
}

function carried({ checkpoint }: Run, label = 'hybrid') {
  const all = checkpoint.arrays[`method.${label}`];
  return { members: all.subarray(0, MEMBERS * LENGTH), own: all.subarray(MEMBERS * LENGTH) };
}

/** How far the first member is from the mean of all. */
function anomalies(ensemble: Float64Array): Float64Array {
  return Float64Array.from({ length: LENGTH }, (_, element) => {
    let sum = 0;
    for (let member = 0; member < MEMBERS; member++) sum += ensemble[member * LENGTH + element];
    return ensemble[element] - sum / MEMBERS;
  });
}

/** An intervention half-way through. */
function change(recentred: boolean): object[] {
  return [{ cycle: 2, kind: 'setting', path: 'methods[0].recentred', value: recentred }];
}

/** Those that a GPU in software does not slow down: what follows is of the experiment, not of kernels. */
const hosts = backends.filter(({ name }) => name !== 'webgpu');

const means = (rows: readonly CycleDiagnostics[], label: string) =>
  rows.filter(({ method }) => method === label).map(({ rmse, spread }) => [rmse.analysis['h'], spread.analysis['h']]);

describe.each(runBackends)('the hybrid that is not recentred on $name', ({ open }) => {
  let backend: Backend;
  beforeAll(async () => {
    backend = await open();
  });
  afterAll(() => backend.dispose());

  it('has the ensemble that its filter has alone, bit for bit, and continues from a checkpoint to the same bits', async () => {
    const alone = await run(backend, scenarioOf([{ ...LETKF, label: 'alone' }]));
    const scenario = scenarioOf([hybrid(LETKF)]);
    const whole = await run(backend, scenario);
    expect(carried(whole).members).toEqual(alone.checkpoint.arrays['method.alone']);
    const { checkpoint: from } = await run(backend, scenario, { until: 2 });
    const rest = await run(backend, scenario, { from });
    expect(rest.checkpoint.arrays).toEqual(whole.checkpoint.arrays);
    expect(rest.rows.map(({ rmse, spread, crps }) => [rmse, spread, crps])).toEqual(
      whole.rows.slice(2).map(({ rmse, spread, crps }) => [rmse, spread, crps]),
    );
  });
});

describe.each(hosts)('what the hybrid that is not recentred is on $name', ({ open, precision }) => {
  const eps = precision === 'float64' ? 2 ** -53 : 2 ** -24;
  let backend: Backend;
  beforeAll(async () => {
    backend = await open();
  });
  afterAll(() => backend.dispose());

  it.each([
    ['LETKF', LETKF],
    ['EnKF', ENKF],
    ['EnKF with additive draws', { ...ENKF, additive: { standardDeviation: 0.003, length: 3 } }],
    ['LETKF whose inflation adapts itself', { ...LETKF, adaptation: { kind: 'innovations', deviation: 0.1 } }],
  ])('has the ensemble that the %s has alone, bit for bit', async (_, filter) => {
    const alone = await run(backend, scenarioOf([{ ...filter, label: 'alone' }]));
    const beside = await run(backend, scenarioOf([hybrid(filter)]));
    const { members, own } = carried(beside);
    expect(own.length).toBe(LENGTH);
    expect(members).toEqual(alone.checkpoint.arrays['method.alone']);
    // Its own state is not that ensemble's mean.
    const apart = own.map((value, element) => {
      let sum = 0;
      for (let member = 0; member < MEMBERS; member++) sum += members[member * LENGTH + element];
      return value - sum / MEMBERS;
    });
    expect(Math.max(...apart.map(Math.abs))).toBeGreaterThan(1e-3);
    // Recentred it is another ensemble.
    const together = await run(backend, scenarioOf([hybrid(filter, { recentred: true })]));
    expect(together.checkpoint.arrays['method.hybrid'].length).toBe(MEMBERS * LENGTH);
    expect(together.checkpoint.arrays['method.hybrid']).not.toEqual(members.slice());
  });

  it('is scored as its own state, with the spread of its members', async () => {
    const scenario = scenarioOf([hybrid(LETKF), { ...LETKF, label: 'alone' }]);
    const found = await run(backend, scenario);
    const { own } = carried(found);
    const truth = found.checkpoint.arrays['truth'];
    let sum = 0;
    for (let cell = 0; cell < CELLS; cell++) sum += (own[cell] - truth[cell]) ** 2;
    const [error, spread] = means(found.rows, 'hybrid').at(-1) ?? [];
    const [others, othersSpread] = means(found.rows, 'alone').at(-1) ?? [];
    expect(error).toBeClose(Math.sqrt(sum / CELLS), { relative: 1e3 * eps });
    expect(spread).toBeClose(othersSpread, { relative: 1e3 * eps });
    expect(Math.abs(error / others - 1)).toBeGreaterThan(0.01);
  });

  it('is 3D-Var with its own forecast where the ensemble’s weight is 0', async () => {
    const scenario = scenarioOf([
      hybrid(LETKF, { staticWeight: 1, ensembleWeight: 0 }),
      { kind: '3dvar', covariance: COVARIANCE },
    ]);
    const found = await run(backend, scenario);
    const { own } = carried(found);
    // The same minimisation, four cycles.
    const absolute = 2e3 * eps;
    expect(own).toBeClose(found.checkpoint.arrays['method.3dvar'], { absolute });
  });

  it('begins and ceases to be so in the middle of a run', async () => {
    const apart = await run(
      backend,
      scenarioOf([hybrid(LETKF, { recentred: true })], { interventions: change(false) }),
    );
    expect(carried(apart).own.length).toBe(LENGTH);
    const recentred = await run(backend, scenarioOf([hybrid(LETKF)], { interventions: change(true) }));
    expect(carried(recentred).own.length).toBe(0);
    const [was, is] = [await run(backend, scenarioOf([hybrid(LETKF)])), recentred];
    expect(means(is.rows, 'hybrid').slice(0, 2)).toEqual(means(was.rows, 'hybrid').slice(0, 2));
    expect(means(is.rows, 'hybrid')[3]).not.toEqual(means(was.rows, 'hybrid')[3]);
  });

  it('has what falls on members, and on its own state their mean', async () => {
    const drops = [
      { cycle: 1, kind: 'drop', x: 5, y: 5, radius: 2, height: 0.05, seenBy: 'each' },
      { cycle: 2, kind: 'drop', x: 3, y: 6, radius: 2, height: -0.02, seenBy: 'all' },
    ];
    const none = { observations: [], interventions: drops };
    const found = await run(backend, scenarioOf([hybrid(LETKF), { ...LETKF, label: 'alone' }], none));
    const free = await run(backend, scenarioOf([{ kind: '3dvar', covariance: COVARIANCE }], none));
    const { members, own } = carried(found);
    expect(members).toEqual(found.checkpoint.arrays['method.alone']);
    expect(own).toEqual(free.checkpoint.arrays['method.3dvar']);
  });

  it('explains the increment of its own state', async () => {
    const question = { variable: 'h', cell: { x: 6, y: 5 } };
    const scenario = scenarioOf([hybrid(LETKF)]);
    const { asked } = await run(backend, scenario, {
      ask: async (experiment) => ({
        influence: await experiment.explain('hybrid', { kind: 'influence', ...question }),
        lone: await experiment.explain('hybrid', { kind: 'single-observation', observation: { index: 3 } }),
        number: await experiment.explain('hybrid', { kind: 'observation', observation: { index: 3 } }),
      }),
    });
    const before = carried(await run(backend, scenario, { until: CYCLES }));
    const { contributions = new Float64Array(0), increment = Number.NaN } = asked?.influence ?? {};
    // Of a minimisation to a hundredth of the gradient.
    const sum = contributions.reduce((total, each) => total + each, 0);
    expect(Math.abs(increment)).toBeGreaterThan(1e-5);
    expect(sum).toBeClose(increment, { relative: 0.05 });
    expect(before.own.length).toBe(LENGTH);
    const { together } = asked?.number ?? {};
    expect(together?.members.length).toBe(MEMBERS);
    const seen = asked?.lone?.increment ?? new Float64Array(0);
    expect(Math.max(...seen.map(Math.abs))).toBeGreaterThan(1e-4);
  });
});

describe.each(hosts)('the hybrid with observations inside the window on $name', ({ open }) => {
  let backend: Backend;
  beforeAll(async () => {
    backend = await open();
  });
  afterAll(() => backend.dispose());

  const timed = { observations: [{ ...GAUGES, timing: { moments: [0.4, 1] } }] };

  it.each([true, false])('has the filter see its members on their way: recentred %s', async (recentred) => {
    const filter = { ...LETKF, rotation: false };
    const scenario = scenarioOf([hybrid(filter, { recentred }), { ...filter, label: 'alone' }], timed);
    const { checkpoint } = await run(backend, scenario, { until: 1 });
    const members = carried({ checkpoint, rows: [] }).members;
    const others = checkpoint.arrays['method.alone'];
    expect(anomalies(members)).toBeClose(anomalies(others), { absolute: 1e-6 });
  });

  it('has its own state seen on its way', async () => {
    const like3dVar = { staticWeight: 1, ensembleWeight: 0 };
    for (const recentred of [true, false]) {
      const methods = [hybrid(LETKF, { ...like3dVar, recentred }), { kind: '3dvar', covariance: COVARIANCE }];
      const { rows } = await run(backend, scenarioOf(methods, timed), { until: 1 });
      const [own, others] = rows.map(({ innovation }) => innovation);
      // The mean of the members' forecasts differs from the forecast of their mean by the products of their anomalies.
      const absolute = recentred ? 1e-4 : 1e-6;
      expect(own?.mean).toBeClose(others?.mean ?? Number.NaN, { absolute });
      expect(own?.standardDeviation).toBeClose(others?.standardDeviation ?? Number.NaN, { absolute });
    }
  });
});
