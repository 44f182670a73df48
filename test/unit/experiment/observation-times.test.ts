/** Observations inside the window, compared with the forecast at their own time or at the analysis. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createObservingSystem } from '../../../engine/experiment/networks.ts';
import { createExperiment, NO_FILES, ScenarioError, validateScenario } from '../../../engine/index.ts';
import type { Backend, Checkpoint, CycleDiagnostics, Scenario } from '../../../engine/index.ts';
import type { CycleObservations } from '../../../engine/experiment/truth-observer.ts';
import { runBackends } from '../../setup/backends.ts';

const [NX, NY] = [16, 12];
const WINDOW = 1;
const gauges = { kind: 'regular', stride: [2, 2], offset: [1, 1] };
const boundary = { x: 'periodic', y: 'periodic' };
/** Waves of 1.7 m/s that are four cells of 1 m long: half a window moves them by a fifth of that. */
const waves = { standardDeviation: 0.05, length: 4 };

const covariance = { kind: 'recursive-filter', length: 4, standardDeviation: { h: 0.02 } };
const localisation = { halfWidth: 4 };

interface Timing {
  readonly moments?: readonly number[];
  readonly firstGuess?: string;
}

function timed(timing: Timing | undefined, changes: object = {}): Scenario {
  const raw = {
    version: 3,
    name: 'timed',
    seed: 5,
    grid: { nx: NX, ny: NY },
    model: { timeStep: 0.1, boundary, bathymetry: { kind: 'flat', depth: 0.3 } },
    truth: { initial: { kind: 'rest' }, perturbation: waves },
    background: { initial: { kind: 'rest' }, perturbation: waves, members: 8 },
    observations: [
      { name: 'gauges', variable: 'h', network: gauges, errorStandardDeviation: 0.005, ...(timing && { timing }) },
    ],
    methods: [
      { kind: '3dvar', covariance },
      { kind: 'letkf', localisation, inflation: 1.1 },
      { kind: 'enkf', localisation, inflation: 1.1 },
    ],
    experiment: { cycles: 8, window: WINDOW },
    ...changes,
  };
  return validateScenario(raw, 'timed').scenario;
}

async function run(backend: Backend, scenario: Scenario, cycles: number, checkpoint?: Checkpoint) {
  const rows: CycleDiagnostics[] = [];
  const observed: CycleObservations[] = [];
  const experiment = await createExperiment(backend, scenario, {
    files: NO_FILES,
    listener: (event) => event.type === 'diagnostics' && rows.push(event.diagnostics),
    ...(checkpoint && { checkpoint }),
  });
  try {
    while (experiment.nextCycle < cycles) {
      await experiment.step();
      if (experiment.observations) observed.push(experiment.observations);
    }
    return { rows, observed, checkpoint: await experiment.checkpoint() };
  } finally {
    experiment.dispose();
  }
}

describe.each(runBackends)('observations inside the window on $name', ({ open, name }) => {
  let backend: Backend;
  beforeAll(async () => {
    backend = await open();
  });
  afterAll(() => backend.dispose());

  it('of what does not move are those at its end', async () => {
    const still = {
      truth: { initial: { kind: 'rest' } },
      background: { initial: { kind: 'rest' }, members: 2 },
      methods: [{ kind: 'free-run' }],
    };
    const observations = [{ name: 'gauges', variable: 'eta', network: gauges, errorStandardDeviation: 0.01 }];
    const [end, inside] = [
      await run(backend, timed(undefined, { ...still, observations }), 2),
      await run(
        backend,
        timed(undefined, { ...still, observations: [{ ...observations[0], timing: { moments: [0.3] } }] }),
        2,
      ),
    ];
    expect(inside.observed.map(({ values }) => values)).toEqual(end.observed.map(({ values }) => values));
    expect(inside.rows.map(({ innovation }) => innovation)).toEqual(end.rows.map(({ innovation }) => innovation));
  });

  it('see the truth as it is then, moment by moment', async () => {
    // Without noticeable errors: at the end of half a window is what is seen half-way through a whole one.
    const sharp = { name: 'gauges', variable: 'eta', network: gauges, errorStandardDeviation: 1e-9 };
    const methods = [{ kind: 'free-run' }];
    const halves = await run(
      backend,
      timed(undefined, { observations: [sharp], methods, experiment: { cycles: 2, window: WINDOW / 2 } }),
      2,
    );
    const whole = await run(
      backend,
      timed(undefined, { observations: [{ ...sharp, timing: { moments: [0.5, 1] } }], methods }),
      1,
    );
    const [{ count, values, share, moment }] = whole.observed;
    expect([...new Set(share)]).toEqual([0.5, 1]);
    expect([...new Set(moment)]).toEqual([1, 0]);
    const joined = halves.observed.flatMap((each) => [...each.values]);
    expect(count).toBe(joined.length);
    // Elevations of centimetres, in float32 about a metre of water.
    expect(Float64Array.from(values)).toBeClose(Float64Array.from(joined), { absolute: 1e-7 });
    // What the free run departs by is known at both times as well.
    const departures = halves.rows.map(({ innovation }) => innovation?.mean ?? Number.NaN);
    expect(Math.abs((whole.rows[0].innovation?.mean ?? Number.NaN) - (departures[0] + departures[1]) / 2)).toBeLessThan(
      1e-7,
    );
  });

  it('continue from a checkpoint to the same bits, with steps that follow the waves', async () => {
    const model = { boundary, bathymetry: { kind: 'flat', depth: 0.3 } };
    const methods = [{ kind: 'nudging', localisation: { halfWidth: 2 } }];
    const scenario = timed({ moments: [0.25, 0.7, 1] }, { model, methods });
    const { checkpoint } = await run(backend, scenario, 1);
    const [whole, resumed] = [await run(backend, scenario, 2), await run(backend, scenario, 2, checkpoint)];
    expect(resumed.checkpoint).toEqual(whole.checkpoint);
  });

  it('are seen by the mean of a hybrid and by the members of its filter', async () => {
    const ensemble = { kind: 'letkf', localisation };
    const methods = [
      { kind: 'letkf', localisation },
      { kind: 'hybrid', staticWeight: 0, ensembleWeight: 1, covariance, ensemble },
    ];
    const { rows } = await run(backend, timed({ moments: [0.3, 0.5, 1] }, { methods }), 1);
    // A depth is linear in the state: the mean sees the mean of what its members see.
    const [filter, hybrid] = rows.map(({ consistency }) => consistency?.departures['h']);
    expect(hybrid?.count).toBe(filter?.count);
    for (const name of ['innovation', 'backgroundVariance'] as const) {
      // Sums of squares of centimetres seen in float32 about 0.3 m: eps · 0.3 / 0.01 of each root.
      expect(Float64Array.of(hybrid?.[name] ?? Number.NaN)).toBeClose([filter?.[name] ?? Number.NaN], {
        relative: 2 ** -23 * 64,
      });
    }
  });

  it('give a linear H the same analysis after any number of outer loops', async () => {
    const methods = [1, 3].map((outerLoops) => {
      const minimisation = { outerLoops, tolerance: 1e-5 };
      return { kind: '3dvar', label: `${outerLoops} loops`, covariance, minimisation };
    });
    const { rows } = await run(backend, timed({ moments: [0.5] }, { methods }), 1);
    const [one, three] = rows.map(({ rmse }) => rmse.analysis['h']);
    // Each minimisation ends within its tolerance of the same minimum; H(x) is seen in float32 about 0.3 m beside errors of 0.01 m.
    expect(Float64Array.of(three)).toBeClose([one], { relative: 1e-4 });
  });

  it.each(['letkf', 'enkf'])('are seen alike by members of the %s that adapt their inflation', async (kind) => {
    const constant = { kind, localisation, inflation: 2 };
    // So small a deviation leaves the factor at 2.
    const adapted = { ...constant, adaptation: { kind: 'innovations', deviation: 1e-6 } };
    const [expected, found] = await Promise.all(
      [constant, adapted].map(async (method) => {
        const { rows } = await run(backend, timed({ moments: [0.5] }, { methods: [method] }), 1);
        return rows.flatMap(({ rmse, spread }) => [rmse.analysis['h'], spread.analysis['h']]);
      }),
    );
    // Members differ in float32: eps · 0.3 m beside anomalies of 0.01 m, times the condition of the gain, about σ_b²/σₒ².
    expect(Float64Array.from(found)).toBeClose(expected, { relative: 1e-4 });
  });

  it('go with an analysis as with the forecast that it leaves nearly as it is', async () => {
    const blunt = { name: 'gauges', variable: 'h', network: gauges, errorStandardDeviation: 100 };
    const [prior, deviation] = [2, 0.5];
    const adaptation = { kind: 'desroziers', deviation };
    const methods = [
      { kind: '3dvar', label: '3D-Var', covariance: { ...covariance, standardDeviation: { h: 1e-4 } } },
      { kind: 'letkf', label: 'LETKF', localisation, inflation: prior, adaptation },
    ];
    const observations = [{ ...blunt, timing: { moments: [0.5] } }];
    const { rows } = await run(backend, timed(undefined, { observations, methods }), 2);
    const still = rows.find(({ method }) => method === '3D-Var')?.consistency?.departures['h'].increment;
    // ⟨(H x_a − H x_b) d/σₒ²⟩: HBHᵀ/R is 1e-12; float32 leaves eps y d/σₒ² of the values. What the waves continue in half a window
    // would be 1e-6.
    expect(Math.abs(still ?? Number.NaN)).toBeLessThan(4 * 2 ** -23);
    const [first, second] = rows.filter(({ method }) => method === 'LETKF');
    const { count = 0, increment = 0, backgroundVariance = 0 } = first.consistency?.departures['h'] ?? {};
    const gain = deviation ** 2 / (deviation ** 2 + (2 / count) * prior ** 2);
    const factor = prior + gain * prior * (increment / backgroundVariance - 1);
    expect(Float64Array.of(second.inflation ?? Number.NaN)).toBeClose([Math.max(1, factor)], { relative: 1e-5 });
  });

  // The fastest of them; ten seeds of two runs.
  it.runIf(name === 'wasm')('compared in time make smaller errors than compared at the analysis', async () => {
    for (let seed = 1; seed <= 10; seed++) {
      const [inTime, late] = [
        await run(backend, timed({ moments: [0.5], firstGuess: 'at-observation' }, { seed }), 8),
        await run(backend, timed({ moments: [0.5], firstGuess: 'at-analysis' }, { seed }), 8),
      ].map(({ rows }) => (method: string): number => {
        const last = rows.filter((row) => row.method === method && row.cycle >= 4);
        return last.reduce((sum, row) => sum + row.rmse.analysis['h'], 0) / last.length;
      });
      for (const method of ['3dvar', 'letkf', 'enkf']) expect(inTime(method)).toBeLessThan(late(method));
    }
  });
});

describe('when networks observe', () => {
  it('must be shares of the window that rise', () => {
    expect(() => timed({ moments: [0.5, 0.5] })).toThrow(
      'observations[0].timing.moments[1]: found 0.5 after 0.5, allowed: shares that rise',
    );
    expect(() => timed({ moments: [0] })).toThrow(ScenarioError);
  });

  it('gives tracks the places that they have come to', () => {
    const grid = { nx: NX, ny: NY, dx: 1, dy: 1, periodicX: true, periodicY: true };
    const track = { kind: 'track', start: [0, 0], heading: 0, speed: 1, length: 1, spacing: 2 };
    const scenario = timed(undefined, {
      observations: [{ name: 'track', variable: 'h', network: track, timing: { moments: [0.25, 1] } }],
    });
    const plan = createObservingSystem(scenario, grid, NO_FILES).plan(1);
    expect([...plan.x]).toEqual([WINDOW * 1.25, WINDOW * 2]);
    // Each look has errors of its own.
    expect(plan.errors).toHaveLength(2);
    expect(plan.errors[0].words).not.toEqual(plan.errors[1].words);
  });
});
