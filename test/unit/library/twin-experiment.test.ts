import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  createEnsembleState,
  createTwinExperiment,
  defineMethod,
  explainWith,
  methodSchema,
  openBackend,
  quantity,
  readScenario,
  registerMethod,
} from '../../../app/library/index.ts';
import type { Backend, OwnScenario } from '../../../app/library/index.ts';

const drops = { kind: 'drops', count: 2, amplitude: [0.1, 0.3], width: 6 } as const;
const basin: OwnScenario = {
  version: 3,
  name: 'library',
  grid: { nx: 12, ny: 10, dx: 1, dy: 1 },
  model: { scheme: 'lax-wendroff', timeStep: 0.05 },
  truth: { initial: { ...drops, amplitude: [0.1, 0.3] } },
  background: { initial: { ...drops, amplitude: [0.1, 0.3] }, members: 5 },
  observations: [{ network: { kind: 'regular', stride: [3, 3] }, errorStandardDeviation: 0.02 }],
  methods: [{ kind: 'free-run' }, { kind: 'letkf', localisation: { halfWidth: 4 }, inflation: 1.1 }],
  experiment: { cycles: 3, window: 0.5 },
};

/** Its analysis is the forecast and a shift. */
const shifting = defineMethod(
  methodSchema(
    'shifting',
    { title: 'Shifting', description: 'Adds a number.', gist: 'Adds a number.' },
    { by: quantity({ title: 'By', description: 'Of the analysis.', unit: 'm', minimum: 0, default: 0.5 }) },
  ),
  {
    appearance: { shades: [['#ffffff', '#000000']], dash: '', marker: 'wye' },
    carries: 'state',
    assimilates: true,
    trustsSpread: false,
    async create({ label, by }, context) {
      const ensemble = await createEnsembleState(label, context, 1);
      const { backend, model } = context;
      return {
        label,
        kind: 'shifting',
        members: 1,
        state: ensemble.state,
        departures: ensemble.departures,
        initialise: ensemble.initialise,
        explain: explainWith({}),
        async analyse() {
          const values = await backend.read(ensemble.state);
          const cells = model.grid.nx * model.grid.ny;
          backend.write(
            ensemble.state,
            values.map((value, at) => (at < cells ? value + by : value)),
          );
          return { report: () => Promise.resolve({}) };
        },
        dispose: () => ensemble.dispose(),
      };
    },
  },
);

let backend: Backend;
let takeAway: (() => void) | undefined;
beforeAll(async () => {
  backend = await openBackend({ name: 'reference' });
});
afterAll(() => backend.dispose());
afterEach(() => {
  takeAway?.();
  takeAway = undefined;
});

describe('createTwinExperiment', () => {
  it('steps, scores each method, and gives planes whose errors are the scores', async () => {
    const experiment = await createTwinExperiment(readScenario(basin), { backend });
    expect(experiment.methods).toEqual(['free-run', 'letkf']);
    const { cycle, diagnostics, observations } = await experiment.step();
    expect([cycle, experiment.cycle, observations?.count]).toEqual([0, 1, 16]);
    const truth = await experiment.plane({ of: 'truth', variable: 'h' });
    const analysis = await experiment.plane({ of: 'letkf', variable: 'h' });
    const square = truth.reduce((sum, value, cell) => sum + (analysis[cell] - value) ** 2, 0) / truth.length;
    // Planes are float32: 2⁻²⁴ of a depth of 1 m in each.
    expect(Math.abs(Math.sqrt(square) - (diagnostics.get('letkf')?.rmse.analysis['h'] ?? 0))).toBeLessThan(3e-7);
    experiment.dispose();
  });

  it.each(['lax-wendroff', 'central-upwind'] as const)(
    'gives the depth as h and the surface as eta: %s',
    async (scheme) => {
      const deep: OwnScenario = {
        ...basin,
        model: { scheme, timeStep: 0.05, bathymetry: { kind: 'flat', depth: 3 } },
      };
      const experiment = await createTwinExperiment(readScenario(deep), { backend });
      const [depth, surface] = await Promise.all(
        ['h', 'eta'].map((variable) => experiment.plane({ of: 'truth', variable })),
      );
      const mean = depth.reduce((sum, value) => sum + value, 0) / depth.length;
      // Drops of at most 0.3 m raise the 3 m.
      expect(mean).toBeGreaterThan(3);
      expect(mean).toBeLessThan(3.3);
      depth.forEach((value, cell) => expect(Math.abs(value - surface[cell] - 3)).toBeLessThan(1e-6));
      experiment.dispose();
    },
  );

  it('has members, whose mean and spread are the planes', async () => {
    const experiment = await createTwinExperiment(readScenario(basin), { backend });
    await experiment.step();
    const request = { of: 'letkf', variable: 'h' };
    const members = await Promise.all([0, 1, 2, 3, 4].map((member) => experiment.plane({ ...request, member })));
    const [cell] = [37];
    const values = members.map((plane) => plane[cell]);
    const mean = values.reduce((sum, value) => sum + value, 0) / 5;
    const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / 4;
    expect((await experiment.plane(request))[cell]).toBe(Math.fround(mean));
    expect((await experiment.spread(request))[cell]).toBeCloseTo(Math.sqrt(variance), 6);
    experiment.dispose();
  });

  it('continues from a checkpoint to the same bits', async () => {
    const whole = await createTwinExperiment(readScenario(basin), { backend });
    await whole.step();
    const checkpoint = await whole.checkpoint();
    await whole.step();
    const rest = await createTwinExperiment(readScenario(basin), { backend, checkpoint });
    await rest.step();
    const request = { of: 'letkf', variable: 'hu' };
    expect(await rest.plane(request)).toEqual(await whole.plane(request));
    whole.dispose();
    rest.dispose();
  });

  it('answers why, where forecasts are kept', async () => {
    const experiment = await createTwinExperiment(readScenario(basin), { backend, keepsForecasts: true });
    await experiment.step();
    const cell = { x: 5, y: 5 };
    const answer = await experiment.explain('letkf', { kind: 'influence', variable: 'h', cell });
    const sum = answer?.contributions.reduce((total, value) => total + value, 0);
    expect(sum).toBeCloseTo(answer?.increment ?? Number.NaN, 10);
    experiment.dispose();
  });

  it('says what there is where something else is asked for, and where it ends', async () => {
    const experiment = await createTwinExperiment(readScenario(basin), { backend });
    await expect(experiment.plane({ of: 'enkf', variable: 'h' })).rejects.toThrow(
      'found no "enkf", there are truth, free-run, letkf',
    );
    await expect(experiment.plane({ of: 'truth', variable: 'T' })).rejects.toThrow(
      'found the variable "T", the state has h, hu, hv, eta',
    );
    await expect(experiment.plane({ of: 'letkf', variable: 'h', member: 5 })).rejects.toThrow(
      'found the member 5, letkf has 0 … 4',
    );
    for (let cycle = 0; cycle < 3; cycle++) await experiment.step();
    await expect(experiment.step()).rejects.toThrow('the scenario ends with its 3 cycles');
    experiment.dispose();
  });
});

describe('registerMethod', () => {
  it('runs a method of one’s own beside the others, and leaves their numbers alone', async () => {
    takeAway = registerMethod(shifting);
    const scenario = readScenario({ ...basin, methods: [{ kind: 'shifting', by: 0.25 }, ...(basin.methods ?? [])] });
    const own = await createTwinExperiment(scenario, { backend });
    const others = await createTwinExperiment(readScenario(basin), { backend });
    expect(own.methods).toEqual(['shifting', 'free-run', 'letkf']);
    const { diagnostics } = await own.step();
    const expected = await others.step();
    expect(diagnostics.get('letkf')?.rmse).toEqual(expected.diagnostics.get('letkf')?.rmse);
    const unshifted = await createTwinExperiment(
      readScenario({ ...basin, methods: [{ kind: 'shifting', by: 0 }, ...(basin.methods ?? [])] }),
      { backend },
    );
    await unshifted.step();
    const request = { of: 'shifting', variable: 'h' };
    const [shifted, before] = [await own.plane(request), await unshifted.plane(request)];
    // Of depths of a metre, float32.
    shifted.forEach((value, cell) => expect(Math.abs(value - before[cell] - 0.25)).toBeLessThan(2 ** -22));
    unshifted.dispose();
    own.dispose();
    others.dispose();
  });

  it('fills in defaults, and reports what is wrong with its settings and where', () => {
    takeAway = registerMethod(shifting);
    const [method] = readScenario({ ...basin, methods: [{ kind: 'shifting' }] }).methods;
    expect(method).toEqual({ kind: 'shifting', label: 'shifting', by: 0.5 });
    expect(() => readScenario({ ...basin, methods: [{ kind: 'free-run' }, { kind: 'shifting', by: -1 }] })).toThrow(
      /methods\[1\]\.by/,
    );
  });

  it('reports what is wrong with another method where that is among all of them', () => {
    takeAway = registerMethod(shifting);
    const methods = [{ kind: 'shifting' }, { kind: 'free-run' }, { kind: 'letkf', inflation: -1 }];
    expect(() => readScenario({ ...basin, methods })).toThrow(/methods\[2\]\.inflation/);
  });

  it('judges an own method against the others', () => {
    takeAway = registerMethod(shifting);
    const twice = [{ kind: 'shifting' }, { kind: 'shifting' }];
    expect(() => readScenario({ ...basin, methods: twice })).toThrow(/label "shifting"/);
  });

  it('refuses a kind that there is, and takes its own away again', () => {
    const undo = registerMethod(shifting);
    expect(() => registerMethod(shifting)).toThrow('the kind shifting is already registered');
    expect(() => registerMethod({ ...shifting, kind: 'letkf' })).toThrow('the kind letkf is already registered');
    undo();
    expect(() => readScenario({ ...basin, methods: [{ kind: 'shifting' }] })).toThrow(/shifting/);
  });
});

describe('readScenario', () => {
  it('reports the line and column of a text, of one that is no JSON as well', () => {
    expect(() => readScenario('{\n  "version": 3,\n  "nam": "x"\n}', 'mine.json')).toThrow(/mine\.json:3/);
    expect(() => readScenario('{"version": 3,', 'mine.json')).toThrow(/mine\.json/);
  });
});
