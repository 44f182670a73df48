/**
 * Extreme settings that a scenario may have: every one ends soon, as a run or as an error that reports it. What the budget
 * of steps lets through is made small in every other way.
 */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  AllDivergedError,
  DivergenceError,
  LimitError,
  NO_FILES,
  SCENARIO_VERSION,
  ScenarioError,
  createExperiment,
  createReferenceBackend,
  estimateEffort,
  estimateSeconds,
  validateScenario,
} from '../../../engine/index.ts';
import type { CycleDiagnostics, Scenario, ScenarioInput } from '../../../engine/index.ts';

const SEED = 4711;
/** What a run is estimated to take at most to be run here, seconds on the reference backend. */
const SHORT = 0.03;

type Outcome = 'ran' | 'refused' | 'long' | 'limit' | 'diverged';

async function run(scenario: Scenario): Promise<CycleDiagnostics[]> {
  const backend = createReferenceBackend();
  const rows: CycleDiagnostics[] = [];
  const experiment = await createExperiment(backend, scenario, {
    files: NO_FILES,
    listener: (event) => {
      if (event.type === 'diagnostics') rows.push(event.diagnostics);
    },
  });
  try {
    while (experiment.nextCycle < experiment.cycles) await experiment.step();
    await experiment.checkpoint();
  } finally {
    experiment.dispose();
    backend.dispose();
  }
  return rows;
}

/** How a scenario ends. Any error that is not one of those that report a setting is thrown on. */
async function outcomeOf(raw: ScenarioInput, longest = SHORT): Promise<Outcome> {
  try {
    const { scenario } = validateScenario(raw, 'extreme.json');
    if (estimateSeconds(estimateEffort(scenario), 'reference') > longest) return 'long';
    await run(scenario);
    return 'ran';
  } catch (error) {
    if (error instanceof ScenarioError) return 'refused';
    if (error instanceof LimitError) return 'limit';
    if (error instanceof DivergenceError || error instanceof AllDivergedError) return 'diverged';
    throw new Error(`${JSON.stringify(raw)}: ${String(error)}`, { cause: error });
  }
}

/** A number of any size between two powers of ten, evenly over its exponent; now and then an end itself. */
function decades(from: number, to: number): fc.Arbitrary<number> {
  const between = fc.double({ min: from, max: to, noNaN: true }).map((exponent) => 10 ** exponent);
  return fc.oneof({ weight: 4, arbitrary: between }, fc.constantFrom(10 ** from, 10 ** to, 1));
}

const length = decades(-3, 8);
const deviation = decades(-12, 6);
const balance = fc.oneof({ weight: 4, arbitrary: fc.constant('none' as const) }, fc.constant('geostrophic' as const));
const halfWidth = decades(-3, 9);
const inflation = fc.oneof(fc.constant(1), fc.double({ min: 1, max: 100, noNaN: true }));
const variable = fc.constantFrom('h', 'eta', 'hu', 'hv', 'u', 'v', 'speed');
const perturbation = fc.record({
  standardDeviation: fc.oneof(fc.constantFrom(0, -0, 0.01), decades(-12, 3)),
  length,
  balance,
});
const method = fc.oneof(
  fc.record({ kind: fc.constant('free-run' as const) }),
  fc.record({
    kind: fc.constant('3dvar' as const),
    covariance: fc.oneof(
      fc.record({
        kind: fc.constant('recursive-filter' as const),
        length,
        iterations: fc.constantFrom(1, 4, 1000),
        standardDeviation: fc.record({ h: decades(-12, 6), hu: fc.constantFrom(0, 1e-6, 1) }),
        normalised: fc.boolean(),
        balance,
      }),
      fc.record({
        kind: fc.constant('gaussian' as const),
        length,
        standardDeviation: fc.record({ h: decades(-12, 6) }),
      }),
    ),
  }),
  fc.record({
    kind: fc.constant('letkf' as const),
    localisation: fc.record({ halfWidth }),
    inflation,
    rotation: fc.boolean(),
  }),
  fc.record({ kind: fc.constant('enkf' as const), localisation: fc.record({ halfWidth }), inflation }),
);

const scenarios: fc.Arbitrary<ScenarioInput> = fc
  .record({
    grid: fc.record({
      nx: fc.constantFrom(4, 8, 9),
      ny: fc.constantFrom(4, 8),
      dx: decades(-3, 6),
      dy: decades(-3, 6),
    }),
    model: fc.record({
      scheme: fc.oneof(
        { weight: 5, arbitrary: fc.constant('central-upwind' as const) },
        fc.constant('lax-wendroff' as const),
      ),
      timeStep: fc.oneof({ weight: 4, arbitrary: fc.constant('auto' as const) }, decades(-300, 5)),
      gravity: decades(-6, 3),
      coriolis: fc.record({ f: fc.constantFrom(0, 1e-4, 1e-12, 10, -0), beta: fc.constantFrom(0, 1e-11, 10) }),
      bathymetry: fc.record({ kind: fc.constant('flat' as const), depth: decades(-9, 4) }),
      boundary: fc.record({
        x: fc.constantFrom('wall' as const, 'periodic' as const, 'open' as const),
        y: fc.constantFrom('wall' as const, 'periodic' as const),
      }),
    }),
    truth: fc.record({
      initial: fc.constantFrom({ kind: 'rest' as const }, { kind: 'standing-wave' as const }),
      perturbation,
      spinup: fc.oneof({ weight: 6, arbitrary: fc.constant(0) }, decades(-9, 9)),
    }),
    background: fc.record({
      initial: fc.constantFrom({ kind: 'rest' as const }, { kind: 'truth' as const }),
      perturbation,
      members: fc.constantFrom(2, 3, 7),
    }),
    observations: fc.array(
      fc.record({
        variable,
        errorStandardDeviation: deviation,
        qualityControl: fc.constantFrom(0, 3),
        network: fc.record({ kind: fc.constant('random' as const), count: fc.constantFrom(1, 5, 40) }),
      }),
      { minLength: 1, maxLength: 1 },
    ),
    methods: fc.array(method, { minLength: 1, maxLength: 1 }),
  })
  .chain((parts) => {
    // Most windows are of some steps, so that most scenarios are no matter of the budget.
    const { dx, dy } = parts.grid;
    const step = Math.min(dx, dy) / Math.sqrt(parts.model.gravity * parts.model.bathymetry.depth);
    const someSteps = fc.double({ min: 0.1, max: 20, noNaN: true }).map((steps) => Math.min(1e8, steps * step));
    const window = fc.oneof({ weight: 4, arbitrary: someSteps }, decades(-9, 8));
    const experiment = window.map((window) => ({ cycles: 3, window }));
    return experiment.map((experiment) => ({ version: SCENARIO_VERSION, name: 'extreme', ...parts, experiment }));
  }) as fc.Arbitrary<ScenarioInput>;

it('any of them ends, and as one of the ways that are reported', async () => {
  const counts: Record<Outcome, number> = { ran: 0, refused: 0, long: 0, limit: 0, diverged: 0 };
  for (const raw of fc.sample(scenarios, { seed: SEED, numRuns: 160 })) {
    const outcome = await outcomeOf(raw);
    counts[outcome] += 1;
  }
  expect(counts.ran).toBeGreaterThan(20);
  expect(counts.refused).toBeGreaterThan(20);
}, 120_000);

/** A run on a reference backend of drops that observations see, claiming an error of `deviation` metres. */
function exact(kind: 'letkf' | 'enkf' | '3dvar', deviation: number, cycles: number): Scenario {
  const raw: ScenarioInput = {
    version: SCENARIO_VERSION,
    name: 'exact',
    grid: { nx: 24, ny: 24 },
    background: { members: 10 },
    observations: [{ network: { kind: 'regular', stride: [4, 4] }, errorStandardDeviation: deviation }],
    methods: [{ kind }],
    experiment: { cycles, window: 0.5 },
  };
  return validateScenario(raw, 'exact.json').scenario;
}

// One analysis: in later ones a filter with exact observations is rightly sure of itself, and wrong.
describe.each(['letkf', 'enkf', '3dvar'] as const)('%s', (kind) => {
  it.each([1e-6, 1e-9, 1e-12])(
    'makes a good analysis of observations that claim an error of %s m',
    async (deviation) => {
      const [{ rmse }] = await run(exact(kind, deviation, 1));
      expect(rmse.analysis['h']).toBeLessThan(0.5 * rmse.forecast['h']);
    },
  );
});

it.each([1e-6, 1e-10, 1e-12])(
  'an LETKF stays near the truth when observations claim an error of %s m',
  async (deviation) => {
    const rows = await run(exact('letkf', deviation, 8));
    const errors = rows.map(({ rmse }) => rmse.analysis['h']);
    expect(rows).toHaveLength(8);
    // The first forecast is 0.11 m off; without a floor under σₒ it is 0.9 m after two analyses.
    expect(Math.max(...errors)).toBeLessThan(0.25 * rows[0].rmse.forecast['h']);
  },
);

// Water that is raised everywhere at once, step by step faster waves, on cells of a metre.
it.each([3, 60])(
  'perturbations of 60 km and drops in every cycle end with %s members',
  async (members) => {
    const initial = { kind: 'rest' } as const;
    const perturbation = { standardDeviation: 0.5, length: 60_000 };
    const ending = await outcomeOf(
      {
        version: SCENARIO_VERSION,
        name: 'wide',
        grid: { nx: 8, ny: 8 },
        model: { timeStep: 'auto' },
        truth: { initial, perturbation, forcing: { kind: 'drops', every: 1, count: 1, width: 4 } },
        background: { initial, perturbation, members },
        observations: [{ network: { kind: 'random', count: 10 } }],
        methods: [{ kind: 'free-run' }, { kind: 'letkf' }, { kind: 'enkf' }],
        experiment: { cycles: 6, window: 0.5 },
      },
      60,
    );
    expect(['ran', 'diverged']).toContain(ending);
  },
  20_000,
);
