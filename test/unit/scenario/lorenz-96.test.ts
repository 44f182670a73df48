/** Lorenz-96 as a scenario's model: what its file may say, what goes with it, and that other files read as before. */
import { describe, expect, test } from 'vitest';
import { createModel } from '../../../engine/experiment/draw.ts';
import { createStateDraw } from '../../../engine/experiment/parts.ts';
import {
  comparedVariables,
  estimateEffort,
  estimateMemory,
  NO_FILES,
  proposedMethod,
  proposedNetwork,
} from '../../../engine/scenario/index.ts';
import { NETWORKS } from '../../../engine/networks/index.ts';
import { listWords } from '../../../engine/settings/index.ts';
import type { ScenarioInput } from '../../../engine/scenario/index.ts';
import { parsed, problemsWith, warningLines } from './problems-of.ts';

type Change = Partial<ScenarioInput>;

const ring: Change = {
  grid: { nx: 40, ny: 1 },
  model: { kind: 'lorenz-96' },
  truth: { initial: { kind: 'climatology' }, perturbation: { standardDeviation: 0.1, length: 0.01 } },
  background: { initial: { kind: 'truth' }, perturbation: { standardDeviation: 0.1, length: 0.01 }, members: 12 },
  observations: [
    { name: 'all', variable: 'x', network: { kind: 'regular', stride: [2, 1] }, errorStandardDeviation: 1 },
  ],
  methods: [
    { kind: 'free-run' },
    { kind: '3dvar', covariance: { kind: 'gaussian', length: 1, standardDeviation: { x: 1 } } },
    { kind: 'letkf', inflation: 1.05 },
    { kind: 'enkf', inflation: 1.05 },
    { kind: 'nudging' },
  ],
  experiment: { cycles: 10, window: 0.05 },
};

/** Root mean square of the difference of two states. */
function apart(a: Float64Array, b: Float64Array): number {
  return Math.sqrt(a.reduce((sum, value, i) => sum + (value - b[i]) ** 2, 0) / a.length);
}

describe('a file without a kind of model', () => {
  test('is of shallow water, and what is read has no kind either, so that earlier runs continue', () => {
    const { model } = parsed();
    expect(Object.keys(model)).not.toContain('kind');
    expect(model).toMatchObject({ scheme: 'central-upwind', gravity: 9.81, timeStep: 'auto' });
  });

  test('is the same as one that says shallow water', () => {
    expect(parsed({ model: { kind: 'shallow-water' } }).model).toEqual({ ...parsed().model, kind: 'shallow-water' });
  });

  test('has no standard deviation of x unless it says so', () => {
    expect(JSON.stringify(parsed({ methods: [{ kind: '3dvar' }] }).methods)).not.toContain('"x"');
  });
});

describe('a ring', () => {
  test('has the benchmark’s defaults, and nothing to warn of', () => {
    const scenario = parsed(ring);
    expect(scenario.model).toEqual({ kind: 'lorenz-96', forcing: 8, timeStep: 0.05 });
    expect(warningLines(scenario)).toEqual([]);
    expect(comparedVariables(scenario)).toEqual(['x']);
  });

  test('may be observed at every place, every second, chosen and random ones', () => {
    for (const network of [
      { kind: 'regular', stride: [1, 1] },
      {
        kind: 'points',
        points: [
          [0, 0],
          [39.5, 0],
        ],
      },
      { kind: 'random', count: 7, redraw: true },
    ] as const) {
      expect(
        problemsWith({ ...ring, observations: [{ variable: 'x', network: structuredClone(network) as never }] }),
      ).toEqual([]);
    }
  });

  const ofRings = NETWORKS.filter((each) => !('world' in each)).map(({ kind }) => `"${kind}"`);

  const cases: readonly (readonly [string, Change, string])[] = [
    ['rows', { grid: { nx: 40 } }, 'grid.ny: found 64, allowed: 1 with the model "lorenz-96": a ring has one row'],
    [
      'places that are not counted',
      { grid: { nx: 40, ny: 1, dx: 2 } },
      'grid.dx: found 2, allowed: 1 with the model "lorenz-96": places on a ring are counted',
    ],
    [
      'gravity',
      { model: { kind: 'lorenz-96', gravity: 9.8 } as never },
      'model.gravity: unknown key "gravity", allowed: kind, forcing and timeStep',
    ],
    [
      'steps "auto"',
      { model: { kind: 'lorenz-96', timeStep: 'auto' as never } },
      'model.timeStep: found "auto", allowed: a number above 0 and at most 1',
    ],
    [
      'depth',
      { observations: [{ variable: 'h' }] },
      'observations[0].variable: found "h", allowed: "x" with the model "lorenz-96"',
    ],
    [
      'drifters',
      { observations: [{ variable: 'x', network: { kind: 'drifters', count: 3 } }] },
      `observations[0].network: found "drifters", allowed: ${listWords(ofRings)} with the model "lorenz-96"`,
    ],
    [
      'a place beyond the ring',
      { observations: [{ variable: 'x', network: { kind: 'points', points: [[12, 1]] } }] },
      'observations[0].network.points[0]: found [12, 1], which lies outside the ring; allowed: x from 0 to 40 and y 0',
    ],
    [
      'water drops',
      { truth: { initial: { kind: 'drops' } } },
      'truth.initial: found "drops", allowed: "rest", "climatology", "file" or "netcdf" with the model "lorenz-96"',
    ],
    [
      'falling drops',
      { truth: { initial: { kind: 'rest' }, forcing: { kind: 'drops' } } },
      'truth.forcing: found "drops", allowed: "none" with the model "lorenz-96"',
    ],
    [
      'a balance of perturbations',
      { truth: { ...ring.truth, perturbation: { standardDeviation: 1, balance: 'geostrophic' } } },
      'truth.perturbation.balance: found "geostrophic", allowed: "none" with a model that has no currents',
    ],
    [
      'a balance of 3D-Var',
      {
        methods: [
          { kind: '3dvar', covariance: { kind: 'gaussian', standardDeviation: { x: 1 }, balance: 'geostrophic' } },
        ],
      },
      'methods[0].covariance.balance: found "geostrophic", allowed: "none" with a model that has no currents',
    ],
    [
      'a standard deviation of depth alone',
      { methods: [{ kind: '3dvar' }] },
      'methods[0].covariance.standardDeviation: found 0 for every variable, allowed: above 0 for x',
    ],
  ];
  test.each(cases)('has no %s', (_name, change, message) => {
    expect(problemsWith({ ...ring, ...change })).toEqual([message]);
  });

  test('suggests the nearest kind that is known', () => {
    expect(problemsWith({ ...ring, model: { kind: 'lorenz96' as never } })).toEqual([
      'model.kind: found "lorenz96", allowed: "shallow-water" or "lorenz-96"; did you mean "lorenz-96"?',
    ]);
  });

  test('is counted by its variables, once each', () => {
    const scenario = parsed(ring);
    expect(estimateEffort(scenario)).toMatchObject({ steps: 10, longestForecast: 1, cellSteps: 40 * (1 + 38) * 10 });
    // Truth, background and a state of each method: far less than water's three planes of a basin.
    expect(estimateMemory(scenario, 8)).toBeLessThan(2 ** 20);
  });

  test('begins with a draw of the climate, and members beside it', async () => {
    const scenario = parsed(ring);
    const draw = createStateDraw(scenario, NO_FILES);
    const [truth, first, second] = [await draw.draw('truth'), await draw.draw(0), await draw.draw(1)].map(
      ({ state }) => state,
    );
    expect(createModel(scenario, NO_FILES).variables).toEqual([{ name: 'x', unit: '' }]);
    const mean = truth.reduce((sum, value) => sum + value, 0) / 40;
    const deviation = Math.sqrt(truth.reduce((sum, value) => sum + (value - mean) ** 2, 0) / 40);
    // The climate has the mean 2.3 and the deviation 3.6; of 40 places a state's own are within three errors of sampling.
    expect(Math.abs(mean - 2.3)).toBeLessThan(3 * (3.6 / Math.sqrt(40)));
    expect(Math.abs(deviation / 3.6 - 1)).toBeLessThan(3 / Math.sqrt(80));
    // Differences of two perturbations of 0.1, each of 40 independent numbers.
    for (const [a, b] of [
      [truth, first],
      [first, second],
    ]) {
      expect(Math.abs(apart(a, b) / (0.1 * Math.SQRT2) - 1)).toBeLessThan(3 / Math.sqrt(80));
    }
  });

  test('is proposed lengths along its one dimension', () => {
    const scenario = parsed(ring);
    expect(proposedMethod('nudging', scenario)).toEqual({ kind: 'nudging', localisation: { halfWidth: 3 } });
    expect(proposedMethod('3dvar', { ...scenario, methods: [] })).toEqual({
      kind: '3dvar',
      covariance: { kind: 'recursive-filter', length: 2, standardDeviation: { x: 2.5 } },
    });
    expect(proposedNetwork('points', scenario)).toEqual({ kind: 'points', points: [[20, 0]] });
  });
});
