/** What a scenario's fields have against each other, and what a run will need. */
import { describe, expect, test } from 'vitest';
import { LimitError } from '../../../engine/errors.ts';
import { checkMemory, estimateMemory, networkCapacity } from '../../../engine/scenario/index.ts';
import type { Network, ScenarioInput } from '../../../engine/scenario/index.ts';
import { parsed, problemsWith } from './problems-of.ts';

type Change = Partial<ScenarioInput>;
const observing = (network: NonNullable<ScenarioInput['observations']>[number]['network'], rest = {}): Change => ({
  observations: [{ network, ...rest }],
});

type ScanInput = NonNullable<NonNullable<ScenarioInput['expected']>['scans']>[number];

/** Expected results with one scan of two parameters, changed. */
function scanned(changes: Partial<ScanInput>): Change {
  const scan = {
    method: 'letkf',
    parameters: { inflation: [1, 1.1], 'localisation.halfWidth': [4] },
    measure: 'RMSE of h, m',
    seeds: [1],
    table: [{ values: [1, 4], median: 0.1 }],
    best: [1, 4],
  };
  return { expected: { seeds: [1], results: {}, scans: [{ ...scan, ...changes }] } };
}

describe('fields against each other', () => {
  const cases: readonly (readonly [string, Change, string])[] = [
    [
      'two methods of one label',
      { methods: [{ kind: 'letkf' }, { kind: 'free-run' }, { kind: 'enkf', label: 'letkf' }] },
      'methods[2].label: found the label "letkf", which is the label of methods[0] too; give each method a label of its own',
    ],
    [
      'two networks of one name',
      { observations: [{ name: 'a' }, { name: 'a', variable: 'hu' }] },
      'observations[1].name: found "a", which is observations[0].name too; give each a name of its own',
    ],
    [
      'a place beyond the last centre',
      observing({
        kind: 'points',
        points: [
          [0, 0],
          [30, 33],
          [30.5, 1],
        ],
      }),
      'observations[0].network.points[2]: found [30.5, 1], which lies outside the basin; allowed: x from 0 to 30 and y from 0 to 33 (m)',
    ],
    [
      'a place beyond the period',
      {
        ...observing({
          kind: 'points',
          points: [
            [32, 0],
            [32.1, 0],
          ],
        }),
        model: { boundary: { x: 'periodic' } },
      },
      'observations[0].network.points[1]: found [32.1, 0], which lies outside the basin; allowed: x from 0 to 32 and y from 0 to 33 (m)',
    ],
    [
      'an offset outside the grid',
      observing({ kind: 'regular', offset: [15, 12] }),
      'observations[0].network.offset[1]: found 12, allowed: a cell of the grid: from 0 to 11',
    ],
    [
      'a track that starts outside',
      observing({ kind: 'track', start: [-1, 0] }),
      'observations[0].network.start: found [-1, 0], which lies outside the basin; allowed: x from 0 to 30 and y from 0 to 33 (m)',
    ],
    [
      'a track of too many places',
      observing({ kind: 'track', length: 1000, width: 1000, spacing: 0.1 }),
      'observations[0].network.spacing: found 0.1 m, which makes 100020001 places in the swath, allowed: 65536; use a wider spacing, or a smaller length or width',
    ],
    [
      'a time between two analyses',
      { ...observing({ kind: 'regular' }, { times: [1, 2.5] }) },
      'observations[0].times[1]: found 2.5 s, allowed: multiples of experiment.window, 1 s',
    ],
    [
      'a time after the end',
      { ...observing({ kind: 'regular' }, { times: [41] }) },
      "observations[0].times[0]: found 41 s, allowed: at most the run's end, 40 s",
    ],
    [
      'times that fall',
      { ...observing({ kind: 'regular' }, { times: [3, 2] }) },
      'observations[0].times[1]: found 2 s after 3 s, allowed: times that rise',
    ],
    [
      'times and every',
      { ...observing({ kind: 'regular' }, { times: [3], every: 2 }) },
      'observations[0].every: found 2 beside times; leave one of them out',
    ],
    [
      'Lax–Wendroff over a hill',
      { model: { scheme: 'lax-wendroff', bathymetry: { kind: 'bump' } } },
      'model.bathymetry: found "bump", allowed: "flat" with the scheme "lax-wendroff"; use the scheme "central-upwind"',
    ],
    [
      'Lax–Wendroff on a turning earth',
      { model: { scheme: 'lax-wendroff', coriolis: { beta: 1e-11 } } },
      'model.coriolis.beta: found 1e-11, allowed: 0 with the scheme "lax-wendroff"; use the scheme "central-upwind"',
    ],
    [
      'Lax–Wendroff with friction',
      { model: { scheme: 'lax-wendroff', friction: { manning: 0.03 } } },
      'model.friction.manning: found 0.03, allowed: 0 with the scheme "lax-wendroff"; use the scheme "central-upwind"',
    ],
    [
      'Lax–Wendroff without water',
      { model: { scheme: 'lax-wendroff' }, truth: { initial: { kind: 'standing-wave', amplitude: [1, 1] } } },
      'truth.initial: found a surface 1 m below the water at rest, which is 1 m deep; "lax-wendroff" keeps no dry cells, use the scheme "central-upwind"',
    ],
    [
      'draws in a balance that there is not',
      { methods: [{ kind: 'enkf', additive: { standardDeviation: 0.01, balance: 'geostrophic' } }] },
      'methods[0].additive.balance: found "geostrophic", allowed: "none" where the Coriolis parameter (f 0, beta 0) is zero in the basin',
    ],
    [
      'balance without a Coriolis force',
      { methods: [{ kind: '3dvar', covariance: { kind: 'gaussian', balance: 'geostrophic' } }] },
      'methods[0].covariance.balance: found "geostrophic", allowed: "none" where the Coriolis parameter (f 0, beta 0) is zero in the basin',
    ],
    [
      'balance across the equator',
      { model: { coriolis: { f: 1e-6, beta: 1e-7 } }, background: { perturbation: { balance: 'geostrophic' } } },
      'background.perturbation.balance: found "geostrophic", allowed: "none" where the Coriolis parameter (f 0.000001, beta 1e-7) is zero somewhere in the basin',
    ],
    [
      'drops wider than the basin',
      { truth: { initial: { kind: 'drops', width: 31 } } },
      "truth.initial.width: found 31 m, allowed: at most the basin's 30 m along x: drops stay half a width from the walls",
    ],
    [
      'no increment of any variable',
      { methods: [{ kind: '3dvar', covariance: { kind: 'gaussian', standardDeviation: {} } }] },
      'methods[0].covariance.standardDeviation: found 0 for every variable, allowed: above 0 for one or more',
    ],
    [
      'an ensemble of one',
      { background: { members: 1 } },
      'background.members: found 1, allowed: at least 2 with the methods "letkf", "enkf", "denkf", "eakf", "enkf-n", "enks", "ienks", "hybrid", "4denvar" and "hybrid-4dvar"',
    ],
    [
      'results of a method that is not there',
      { expected: { seeds: [1], results: { letfk: { forecast: {}, analysis: {} } } } },
      'expected.results.letfk: no method has this label, allowed: "free-run", "3dvar" or "letkf"; did you mean "letkf"?',
    ],
    [
      'a scan of a method that is not there',
      scanned({ method: 'another' }),
      'expected.scans[0].method: no method has this label, allowed: "free-run", "3dvar" or "letkf"',
    ],
    [
      'a row of a scan without a value for each parameter',
      scanned({
        table: [
          { values: [1, 4], median: 0.1 },
          { values: [1.1], median: 0.2 },
        ],
      }),
      'expected.scans[0].table[1].values: found 1 values, the scan has 2 parameters',
    ],
    [
      'a best setting with more values than parameters',
      scanned({ best: [1, 4, 2] }),
      'expected.scans[0].best: found 3 values, the scan has 2 parameters',
    ],
    [
      'a median outside its range',
      {
        expected: { seeds: [1], results: { letkf: { forecast: { h: { median: 3, low: 1, high: 2 } }, analysis: {} } } },
      },
      'expected.results.letkf.forecast.h: found an object: the median is outside the range, allowed: low ≤ median ≤ high',
    ],
    [
      'a file elsewhere',
      { model: { bathymetry: { kind: 'file', file: '../bed.npy' } } },
      'model.bathymetry.file: found "../bed.npy", allowed: a file in the scenario\'s folder or below it',
    ],
    [
      'more observations than the gain can take',
      { ...observing({ kind: 'random', count: 4097 }), methods: [{ kind: 'enkf' }] },
      'observations: found up to 4097 observations in one analysis, allowed: 4096 with the method "enkf"; observe fewer places, or leave that method out',
    ],
    [
      'more memory than there is',
      { grid: { nx: 8192, ny: 8192 } },
      'grid: the run needs about 151 GiB (8192 × 8192 cells, 20 members, 3 methods, 4 bytes a number), allowed: 16 GiB; 2560 × 2560 cells would fit',
    ],
  ];

  test.each(cases)('%s', (_name, changes, problem) => {
    expect(problemsWith(changes)).toContain(problem);
  });

  test('are reported all at once', () => {
    const paths = problemsWith({
      model: { scheme: 'lax-wendroff', friction: { manning: 0.1 } },
      background: { members: 1 },
      ...observing({
        kind: 'points',
        points: [
          [-1, 0],
          [0, -1],
        ],
      }),
    }).map((line) => line.split(':')[0]);
    expect(paths).toEqual([
      'model.friction.manning',
      'observations[0].network.points[0]',
      'observations[0].network.points[1]',
      'background.members',
    ]);
  });

  test.each<[string, Change]>([
    ['a window of many steps that decimals do not hold', { model: { timeStep: 0.1 }, experiment: { window: 0.7 } }],
    ['a place in the last corner', observing({ kind: 'points', points: [[30, 33]] })],
    [
      'a wide drop in a periodic basin',
      { model: { boundary: { x: 'periodic', y: 'periodic' } }, truth: { initial: { kind: 'drops', width: 90 } } },
    ],
    ['4096 observations of the EnKF', { ...observing({ kind: 'random', count: 4096 }), methods: [{ kind: 'enkf' }] }],
    ['a file in a folder below', { model: { bathymetry: { kind: 'file', file: 'beds/harbour.npy' } } }],
    ['any Courant number with a step that follows it', { model: { timeStep: 'auto', gravity: 1000 } }],
    ['a dry cell of central-upwind', { truth: { initial: { kind: 'standing-wave', amplitude: [2, 2] } } }],
  ])('allow %s', (_name, changes) => {
    expect(problemsWith(changes)).toEqual([]);
  });
});

/** Bytes of seven members on 16 × 12 cells with eleven observations, in float64. */
function bytesOf(methods: ScenarioInput['methods']): number {
  const observed = observing({ kind: 'random', count: 11 });
  return estimateMemory(parsed({ methods, background: { members: 7 }, ...observed }), 8);
}

describe('memory', () => {
  test('grows by an analysis ensemble for the LETKF, and by two, the gain and the matrix for the EnKF', () => {
    const state = 16 * 12 * 3 * 8;
    const ensemble = 7 * state;
    // Cells may fall dry: the forecast that limits the analysis, and what increments of thin water are made with.
    const shore = ensemble + 3 * state;
    const free = bytesOf([{ kind: 'free-run' }]);
    // 11 observations: a field of 7 members for each, and S, 11 × 11.
    expect(bytesOf([{ kind: 'letkf' }]) - free).toBe(ensemble + shore + (2 * 7 * 11 + 11 * 11) * 8);
    const gain = ((11 + 1) * 16 * 12 * 3 + 16 * 12) * 8;
    // H linearised: each of the 11 has up to four corners of three variables.
    const tangent = 12 * 11 * 8;
    expect(bytesOf([{ kind: 'enkf' }]) - free).toBe(2 * ensemble + shore + gain + (3 * 7 * 11 + 11 * 11) * 8 + tangent);
  });

  test('is checked against what a machine has', () => {
    const scenario = parsed({ grid: { nx: 256, ny: 256 } });
    const needed = estimateMemory(scenario, 4);
    expect(() => checkMemory(scenario, 4, needed)).not.toThrow();
    expect(() => checkMemory(scenario, 4, needed - 1)).toThrow(LimitError);
    expect(() => checkMemory(scenario, 8, needed)).toThrow(
      /needs about .* 8 bytes a number\), allowed: .*; \d+ members or \d+ × \d+ cells would fit/,
    );
  });

  test('what is said to fit does fit', () => {
    const scenario = parsed({
      grid: { nx: 512, ny: 256 },
      methods: [{ kind: 'letkf' }, { kind: 'enkf' }],
      ...observing({ kind: 'random', count: 50 }),
    });
    const limit = estimateMemory(scenario, 4) / 1.5;
    const remedy = /; (\d+) members or (\d+) × (\d+) cells would fit/;
    let message = '';
    try {
      checkMemory(scenario, 4, limit);
    } catch (error) {
      message = error instanceof LimitError ? error.message : '';
    }
    const [, members, nx, ny] = (remedy.exec(message) ?? []).map(Number);
    const { background, grid } = scenario;
    expect(estimateMemory({ ...scenario, background: { ...background, members } }, 4)).toBeLessThanOrEqual(limit);
    expect(estimateMemory({ ...scenario, background: { ...background, members: members + 1 } }, 4)).toBeGreaterThan(
      limit,
    );
    expect(estimateMemory({ ...scenario, grid: { ...grid, nx, ny } }, 4)).toBeLessThanOrEqual(limit);
  });
});

test.each<[Network, number | undefined]>([
  [{ kind: 'regular', stride: [4, 5], offset: [3, 1] }, 4 * 3],
  [{ kind: 'regular', stride: [20, 20], offset: [0, 0] }, 1],
  [{ kind: 'random', count: 9, redraw: true }, 9],
  [
    {
      kind: 'points',
      points: [
        [1, 2],
        [3, 4],
      ],
    },
    2,
  ],
  [{ kind: 'drifters', count: 5, fleet: 'buoys' }, 5],
  [{ kind: 'track', start: [0, 0], heading: 0, speed: 1, length: 10, width: 4, spacing: 2 }, 6 * 3],
  [{ kind: 'file', file: 'a.csv' }, undefined],
])('%j makes %s observations at most', (network, capacity) => {
  expect(networkCapacity(network, parsed().grid)).toBe(capacity);
});

describe('names that look alike', () => {
  test.each([
    ['composed and decomposed letters', 'Küste', 'Ku\u0308ste'],
    ['full width and half width', 'LETKF', 'ＬＥＴＫＦ'],
    ['spaces around', 'letkf', ' letkf '],
  ])('are the same: %s', (_what, first, second) => {
    const methods = [first, second].map((label) => ({ kind: 'free-run' as const, label }));
    expect(problemsWith({ methods })[0]).toMatch(
      /^methods\[1\]\.label: found .* which is the label of methods\[0\] too/,
    );
    const observations = [first, second].map((name) => ({ name }));
    expect(problemsWith({ observations })[0]).toMatch(/^observations\[1\]\.name: found .*observations\[0\]\.name too/);
  });

  test.each(['a\u202Eb', 'a\u2028b', 'a\u0000b', 'a\u009Bb', 'a\u2066b'])('do not hide what they are: %j', (label) => {
    const [problem] = problemsWith({ methods: [{ kind: 'free-run', label }] });
    expect(problem).toMatch(/^methods\[0\]\.label: found "a\\u\S+b", allowed: text .*no control characters/);
  });
});
