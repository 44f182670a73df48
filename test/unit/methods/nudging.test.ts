/** What nudging takes part in and what it leaves alone: observations, dry land, estimates, and a run of a scenario. */
import { expect, it } from 'vitest';
import { createReferenceBackend, estimateMemory, proposedMethod, type ScenarioInput } from '../../../engine/index.ts';
import { executeAnalysis, createMethod } from '../../../engine/methods/index.ts';
import { gaspariCohnTaps } from '../../../engine/methods/nudging/index.ts';
import { createShallowWater } from '../../../engine/models/index.ts';
import { observedVariable } from '../../../engine/operators/observation/index.ts';
import { runScenario } from '../../setup/run-scenario.ts';
import { normals } from '../../../engine/check/measures.ts';
import { analyse, basin, contextOf, lengthOf, method } from '../../../engine/check/assimilation/set-up.ts';
import type { Observed } from '../../../engine/check/assimilation/set-up.ts';
import { parsed, warningLines } from '../scenario/problems-of.ts';

const MODEL = basin({ nx: 8, ny: 6 });
const START = normals(lengthOf(MODEL), 'start');
const SETTINGS = method({ kind: 'nudging', localisation: { halfWidth: 4 }, strength: 0.5 });

const GAUGES: Observed = {
  x: Float64Array.of(2, 5, 6),
  y: Float64Array.of(1, 4, 2),
  variable: ['hu', 'hu', 'hu'],
  values: Float64Array.of(1, -1, 3),
  inverseErrorStd: Float64Array.of(10, 10, 10),
};

async function nudged(observed: Observed): Promise<Float64Array> {
  const backend = createReferenceBackend();
  const { state } = await analyse(backend, MODEL, SETTINGS, START, observed);
  backend.dispose();
  return state;
}

/** The gauges without the last one. */
const FEWER: Observed = {
  x: GAUGES.x.slice(0, 2),
  y: GAUGES.y.slice(0, 2),
  variable: GAUGES.variable.slice(0, 2),
  values: GAUGES.values.slice(0, 2),
  inverseErrorStd: GAUGES.inverseErrorStd.slice(0, 2),
};

it('an observation that is missing counts as one that is not there', async () => {
  const missing = { ...GAUGES, inverseErrorStd: Float64Array.of(10, 10, 0) };
  expect(await nudged(missing)).toEqual(await nudged(FEWER));
  expect(await nudged(GAUGES)).not.toEqual(await nudged(FEWER));
});

it('an observation that is missing from one cycle on is missed by the next analysis', async () => {
  const missing = { ...GAUGES, inverseErrorStd: Float64Array.of(10, 10, 0) };
  const backend = createReferenceBackend();
  const context = await contextOf(backend, MODEL, GAUGES, 2);
  let latest: Observed = GAUGES;
  const nudging = await createMethod(SETTINGS, { ...context, positions: () => latest });
  const codes = GAUGES.variable.map((name) => observedVariable(name).code);
  const states: Float64Array[] = [];
  for (latest of [GAUGES, missing, GAUGES]) {
    context.observations.set({ ...latest, variable: codes });
    backend.write(nudging.state, START);
    nudging.departures.compute(nudging.state);
    await executeAnalysis(backend, nudging, 0);
    states.push(await backend.read(nudging.state));
  }
  expect(states).toEqual([await nudged(GAUGES), await nudged(missing), await nudged(GAUGES)]);
  for (const owned of [nudging, context, backend]) owned.dispose();
});

it('the speed and the velocities nudge nothing', async () => {
  for (const variable of ['u', 'v', 'speed']) {
    expect(await nudged({ ...GAUGES, variable: ['hu', 'hu', variable] })).toEqual(await nudged(FEWER));
  }
});

it('an observation that quality control rejects counts as one without a departure', async () => {
  const rejected = await nudged({ ...GAUGES, threshold: Float64Array.of(0, 0, 1) });
  const length = 8 * 6;
  const here = START[length + 2 * 8 + 6];
  expect(rejected).toBeClose(await nudged({ ...GAUGES, values: Float64Array.of(1, -1, here) }), { absolute: 1e-14 });
});

it('dry land stays dry', async () => {
  const cells = 48;
  const bed = Float64Array.from({ length: cells }, (_, cell) => (cell % 8 > 4 ? 1 : -1));
  const grid = { nx: 8, ny: 6, dx: 2, dy: 2, periodicX: false, periodicY: false };
  const model = createShallowWater({ scheme: 'central-upwind', grid, gravity: 9.81, timeStep: 'auto', bed });
  const depths = Float64Array.from({ length: 3 * cells }, (_, i) => (i < cells && i % 8 <= 4 ? 1 : 0));
  const observed: Observed = {
    x: Float64Array.of(4),
    y: Float64Array.of(3),
    variable: ['h'],
    values: Float64Array.of(1.5),
    inverseErrorStd: Float64Array.of(10),
  };
  const backend = createReferenceBackend();
  const { state } = await analyse(backend, model, SETTINGS, model.toState(depths), observed);
  backend.dispose();
  const found = model.fromState(state).slice(0, cells);
  expect(found.every((depth, cell) => (cell % 8 > 4 ? depth === 0 : depth >= 1))).toBe(true);
  expect(found[3 * 8 + 4]).toBeCloseTo(1.25, 12);
});

it.each([
  [2.5, 9, false, [4, 4]],
  [0.5, 9, false, [0, 0]],
  [100, 4, false, [3, 3]],
  [100, 4, true, [1, 2]],
  [100, 5, true, [2, 2]],
] as const)(
  'a half-width of %f cells on %i cells (periodic: %s) reaches %j',
  (halfWidth, cells, periodic, [lower, upper]) => {
    const { taps, lower: found } = gaspariCohnTaps(halfWidth, cells, periodic);
    expect(taps).toHaveLength(lower + 1 + upper);
    expect(found).toBe(lower);
    expect(taps[found]).toBe(1);
  },
);

const SCENARIO: Partial<ScenarioInput> = {
  grid: { nx: 16, ny: 12, dx: 2, dy: 3 },
  observations: [
    { name: 'gauges', variable: 'h', network: { kind: 'regular', stride: [3, 3] }, errorStandardDeviation: 0.01 },
  ],
  background: { members: 4 },
  experiment: { cycles: 12 },
  methods: [{ kind: 'free-run' }, { kind: 'nudging', localisation: { halfWidth: 6 } }],
};

it('in a run it is nearer to the truth than the free run', async () => {
  const backend = createReferenceBackend();
  const { means } = await runScenario(backend, parsed(SCENARIO));
  backend.dispose();
  expect(means['nudging'].analysis).toBeLessThan(0.7 * means['free-run'].analysis);
});

it('holds as much memory whatever the members are', () => {
  const [few, many] = [4, 40].map((members) => {
    const bytesOf = (kind: 'nudging' | '3dvar'): number =>
      estimateMemory(parsed({ ...SCENARIO, background: { members }, methods: [{ kind }] }), 8);
    return bytesOf('nudging') - bytesOf('3dvar');
  });
  expect(few).toBe(many);
});

it('warns of observations that it cannot use, and of quality control without an error of the background', () => {
  const observations: ScenarioInput['observations'] = [
    { name: 'a', variable: 'u', network: { kind: 'regular' } },
    { name: 'b', variable: 'h', network: { kind: 'regular' }, qualityControl: 4 },
  ];
  const warnings = warningLines(parsed({ ...SCENARIO, observations }));
  expect(warnings).toEqual([
    'methods[1]: observations of "u" are not used; a state is nudged to those of "h", "eta", "hu" and "hv"',
    'methods[1]: nudging states no error of its background, so that quality control rejects what is beyond the observations’ own errors',
  ]);
  expect(warningLines(parsed(SCENARIO))).toEqual([]);
});

it('is proposed with a half-width that suits the network', () => {
  // √(16·2·12·3 / 24) · 1.25 = 8.66, between three cells and a quarter of the basin, 8 m.
  expect(proposedMethod('nudging', parsed(SCENARIO))).toEqual({ kind: 'nudging', localisation: { halfWidth: 9 } });
});
