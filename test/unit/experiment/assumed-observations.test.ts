/** What one method assumes of the observations is what networks have all methods assume, to the last bit, and no other method's. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createObservingSystem } from '../../../engine/experiment/networks.ts';
import { createTakenObservations } from '../../../engine/experiment/taken-observations.ts';
import { createExperiment, NO_FILES, validateScenario } from '../../../engine/index.ts';
import type { Backend, CycleDiagnostics, Scenario } from '../../../engine/index.ts';
import type { ObservationOperator } from '../../../engine/operators/observation/index.ts';
import { estimateMemory } from '../../../engine/scenario/index.ts';
import { warningsOf } from '../../../engine/scenario/warnings.ts';
import { backends } from '../../setup/backends.ts';

const waves = { standardDeviation: 0.05, length: 4 };
/** A factor without an exact inverse. */
const FACTOR = 1.7;
const [ERROR, METERS_ERROR] = [0.0049, 0.03];
const [NX, NY, CYCLES] = [12, 10, 2];

const covariance = { kind: 'recursive-filter', length: 4, standardDeviation: { h: 0.02 } };
const localisation = { halfWidth: 4 };
const filter = { localisation, inflation: 1.1 };
const adaptation = { kind: 'desroziers', deviation: 0.2 };

const METHODS = [
  { kind: '3dvar', label: '3dvar', covariance, minimisation: { outerLoops: 2 } },
  { kind: 'letkf', label: 'letkf', ...filter, adaptation, weights: { every: 2 } },
  { kind: 'enkf', label: 'enkf', ...filter },
  { kind: 'hybrid', label: 'hybrid', covariance, ensemble: { kind: 'letkf', ...filter }, recentred: false },
];
const change = (path: string) => ({ cycle: 1, kind: 'setting', path, value: FACTOR });
const NUDGING = { kind: 'nudging', label: 'nudging', localisation };

interface Assumed {
  readonly firstGuess?: string;
  readonly errorFactor?: number;
}

/** Depths at three times of a window and velocities at two of them, which the networks compare otherwise. */
function scenarioOf(methods: readonly object[], { firstGuess, errorFactor }: Assumed = {}, changes = {}): Scenario {
  const assumed = errorFactor && { errorFactor };
  const [depths, velocities] = firstGuess ? [firstGuess, firstGuess] : ['at-observation', 'at-analysis'];
  const raw = {
    version: 3,
    name: 'assumed',
    seed: 3,
    grid: { nx: NX, ny: NY },
    model: { timeStep: 0.1, boundary: { x: 'periodic', y: 'wall' }, bathymetry: { kind: 'flat', depth: 0.3 } },
    truth: { initial: { kind: 'rest' }, perturbation: waves },
    background: { initial: { kind: 'rest' }, perturbation: waves, members: 6 },
    observations: [
      {
        name: 'gauges',
        network: { kind: 'regular', stride: [3, 3], offset: [1, 1] },
        errorStandardDeviation: ERROR,
        timing: { moments: [0.4, 0.7, 1], firstGuess: depths },
        ...(assumed && { assumed }),
      },
      {
        name: 'meters',
        variable: 'u',
        network: { kind: 'regular', stride: [4, 5] },
        errorStandardDeviation: METERS_ERROR,
        dropout: 0.2,
        qualityControl: 2,
        timing: { moments: [0.4, 1], firstGuess: velocities },
        ...(assumed && { assumed }),
      },
    ],
    methods,
    experiment: { cycles: CYCLES, window: 1 },
    ...changes,
  };
  return validateScenario(raw, 'assumed').scenario;
}

function assuming(methods: readonly object[], assumed: Assumed): readonly object[] {
  return methods.map((method) => ({ ...method, assumed }));
}

async function run(backend: Backend, scenario: Scenario, asks = true) {
  const rows: CycleDiagnostics[] = [];
  const labels = scenario.methods.map(({ label }) => label);
  const experiment = await createExperiment(backend, scenario, {
    files: NO_FILES,
    listener: (event) => event.type === 'diagnostics' && rows.push(event.diagnostics),
  });
  try {
    while (experiment.nextCycle < experiment.cycles) {
      experiment.keepForecasts(experiment.nextCycle === experiment.cycles - 1);
      await experiment.step();
    }
    const answers = new Map<string, readonly unknown[]>();
    const errors = new Map<string, number | undefined>();
    for (const label of asks ? labels : []) {
      // A depth inside the window, and what all of them make of a place.
      const depth = await experiment.explain(label, { kind: 'observation', observation: { index: 5 } });
      const place = await experiment.explain(label, { kind: 'influence', variable: 'h', cell: { x: 4, y: 4 } });
      answers.set(label, [depth, place]);
      errors.set(label, depth?.observation.errorStd);
    }
    const { arrays } = await experiment.checkpoint();
    /** All that is known of a method. */
    const of = (label: string) => ({
      rows: rows.filter(({ method }) => method === label).map((row) => ({ ...row, milliseconds: 0 })),
      answers: answers.get(label),
      arrays: Object.entries(arrays).filter(([name]) => name.includes(label)),
    });
    return { of, errorOf: (label: string) => errors.get(label) };
  } finally {
    experiment.dispose();
  }
}

describe.each(backends)('what a method assumes of observations on $name', ({ open, name }) => {
  let backend: Backend;
  beforeAll(async () => {
    backend = await open();
  });
  afterAll(() => backend.dispose());

  it('is what networks have all methods assume, and no other method’s', async () => {
    // One analysis of one of them on the slower ones: what follows from the fields is the same code on all of them.
    const isFast = name === 'wasm';
    const methods = isFast ? METHODS : [{ ...NUDGING, kind: 'letkf', label: 'letkf' }];
    const changes = isFast ? {} : { experiment: { cycles: 1, window: 1 } };
    const assumed = { firstGuess: 'at-analysis', errorFactor: FACTOR };
    const beside = isFast ? [{ ...methods[0], label: 'plain', assumed: {} }] : [];
    const [told, own] = [
      await run(backend, scenarioOf(methods, assumed, changes), isFast),
      await run(backend, scenarioOf([...assuming(methods, assumed), ...beside], {}, changes), isFast),
    ];
    for (const { label } of methods) {
      expect(own.of(label)).toEqual(told.of(label));
      expect(own.of(label).rows.length).toBeGreaterThan(0);
      expect(own.of(label).arrays.length).toBeGreaterThan(0);
    }
    if (!isFast) return;
    for (const { label } of methods) expect(own.errorOf(label)).toBe(1 / (1 / (FACTOR * ERROR)));
    expect(own.errorOf('plain')).toBe(1 / (1 / ERROR));
    const alone = await run(backend, scenarioOf([{ ...METHODS[0], label: 'plain' }], {}, changes));
    expect(own.of('plain')).toEqual(alone.of('plain'));
    expect(own.of('plain').rows).not.toEqual(own.of('3dvar').rows);
  });

  // What is left is the same code on all of them.
  it.runIf(name === 'wasm').each(['at-observation', 'at-analysis'])(
    'is when they are made alone: %s',
    async (firstGuess) => {
      const methods = [NUDGING, METHODS[1]];
      const [told, own, plain] = [
        await run(backend, scenarioOf(methods, { firstGuess })),
        await run(backend, scenarioOf(assuming(methods, { firstGuess }))),
        await run(backend, scenarioOf(methods)),
      ];
      for (const { label } of methods) {
        expect(own.of(label)).toEqual(told.of(label));
        expect(own.of(label).rows).not.toEqual(plain.of(label).rows);
      }
    },
  );

  it.runIf(name === 'wasm')('changes from the next cycle on while a run continues', async () => {
    const [gauges, meters] = [0, 1].map((index) => change(`observations[${index}].assumed.errorFactor`));
    const [ofFirst, ofSecond] = [0, 1].map((index) => change(`methods[${index}].assumed.errorFactor`));
    const back = { ...ofSecond, cycle: 2, value: 1 };
    const experiment = { cycles: 3, window: 1 };
    const methods = METHODS.slice(0, 2);
    const [told, own] = [
      await run(backend, scenarioOf(methods, {}, { experiment, interventions: [gauges, meters] })),
      await run(backend, scenarioOf(methods, {}, { experiment, interventions: [ofFirst, ofSecond, back] })),
    ];
    expect(own.of('3dvar')).toEqual(told.of('3dvar'));
    const [one, other] = [own, told].map(({ of }) => of('letkf').rows);
    expect(one.slice(0, 2)).toEqual(other.slice(0, 2));
    expect(one[2]).not.toEqual(other[2]);
  });
});

describe('what a method assumes of observations', () => {
  const plain = scenarioOf([METHODS[0]]);
  const grid = { nx: NX, ny: NY, dx: 1, dy: 1, periodicX: true, periodicY: false };
  const plan = createObservingSystem(scenarioOf([METHODS[0]], { errorFactor: 4 }), grid, NO_FILES).plan(0);
  const observer = { operator: { capacity: plan.count } as ObservationOperator, latest: plan };

  it('is nothing beside those that all share if omitted, or is as networks say', async () => {
    const backend = await backends[0].open();
    for (const assumed of [{}, { assumed: {} }, { assumed: { errorFactor: 1, firstGuess: 'by-network' } }]) {
      const taken = createTakenObservations(backend, observer);
      const { observations, positions } = taken.begin(scenarioOf([{ ...METHODS[1], ...assumed }]).methods[0]);
      expect(observations).toBe(observer.operator);
      expect(positions()).toBe(plan);
      const moments = [{ share: 0.4, isInTime: true }];
      expect(taken.timed(moments)).toBe(moments);
    }
    backend.dispose();
  });

  it('multiplies what networks say, in a field of its own', async () => {
    const half = scenarioOf(assuming([METHODS[0]], { errorFactor: 0.25 }));
    const backend = await backends[0].open();
    const taken = createTakenObservations(backend, observer);
    const { observations, positions } = taken.begin(half.methods[0]);
    taken.follow();
    const stated = Array.from(plan.network, (network, j) =>
      plan.inverseErrorStd[j] > 0 ? 1 / [ERROR, METERS_ERROR][network] : 0,
    );
    expect([...positions().inverseErrorStd]).toEqual(stated);
    expect([...(await backend.read(observations.inverseErrorStd))]).toEqual(stated);
    expect(estimateMemory(half, 8) - estimateMemory(plain, 8)).toBe(8 * plan.count);
    taken.dispose();
    backend.dispose();
  });

  it('earns a warning where it has no effect, and none where it is what correlated errors need', () => {
    const networks = [{ name: 'gauges', network: { kind: 'random', count: 5 }, errorCorrelation: { length: 3 } }];
    const warned = (assumed: object) =>
      warningsOf(scenarioOf([{ kind: 'letkf', ...filter, assumed }], {}, { observations: networks }))
        .map(({ path, message }) => `${path.join('.')}: ${message}`)
        .filter((line) => line.includes('errorCorrelation') || line.includes('firstGuess'));
    expect(warned({ errorFactor: 2 })).toEqual([]);
    expect(warned({ errorFactor: 0.5 })).toEqual([expect.stringContaining('letkf treats them as independent')]);
    expect(warned({ errorFactor: 2, firstGuess: 'at-analysis' })).toEqual([
      'methods.0.assumed.firstGuess: set, and no network observes inside the window, which its timing.moments say: it is without effect',
    ]);
  });
});
