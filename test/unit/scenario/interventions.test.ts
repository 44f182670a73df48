/** What interventions and branches may say, what they are called, and which scenario each branch is. */
import { describe, expect, it } from 'vitest';
import {
  branchScenario,
  branchTitle,
  changesBetween,
  describeIntervention,
  gaugeRoomAt,
  gaugesAt,
  scenarioBefore,
  validateScenario,
} from '../../../engine/scenario/index.ts';
import type { Scenario } from '../../../engine/scenario/index.ts';
import { tinyScenario } from '../document/run/tiny-scenario.ts';

/** Gauges at every second cell, (0, 0), (2, 0), …, on a flat bottom 1 m deep; three methods, four cycles. */
const tiny = (changes: object = {}): Scenario =>
  tinyScenario({
    grid: { nx: 12, ny: 10, dx: 2, dy: 2 },
    model: { scheme: 'central-upwind', bathymetry: { kind: 'flat', depth: 1 } },
    observations: [{ name: 'gauges', network: { kind: 'regular', stride: [2, 2] } }],
    ...changes,
  });
const withChanges = (...interventions: readonly object[]): Scenario => tiny({ interventions });

const GAUGES = { kind: 'gauges', cycle: 1 };
const DROP = { kind: 'drop', cycle: 1, x: 5, y: 4, radius: 4, height: 0.2 };
const ISLAND = { kind: 'island', cycle: 0, x: 5, y: 4, radius: 4, height: 2 };
const INFLATION = { kind: 'setting', cycle: 2, path: 'methods[2].inflation', value: 1.6 };

function refusal(changes: object): string {
  try {
    tiny(changes);
  } catch (error) {
    return String(error);
  }
  throw new Error('nothing was wrong with it');
}

describe('an intervention', () => {
  it.each([
    ['no place', { ...GAUGES }, /interventions\[0\]\.add: found no place to add or to remove, allowed: at least one/],
    [
      'a gauge outside the basin',
      {
        ...GAUGES,
        add: [
          [1, 1],
          [12, 3],
        ],
      },
      /interventions\[0\]\.add\[1\]: found \[12, 3\], .*outside the basin; allowed: x from 0 to 11 and y from 0 to 9 \(cells\)/,
    ],
    [
      'a gauge where one was painted',
      {
        ...GAUGES,
        add: [
          [1, 1],
          [1, 1],
        ],
      },
      /add\[1\]: found \[1, 1\], which has a painted gauge of h already/,
    ],
    [
      'a gauge that is not there to be removed',
      {
        ...GAUGES,
        remove: [
          [2, 2],
          [3, 2.2],
        ],
      },
      /remove\[1\]: found \[3, 2\.2\], which has no fixed gauge, allowed: the place of one; the nearest one is at \[4, 2\]/,
    ],
    [
      'too many gauges',
      { ...GAUGES, add: Array.from({ length: 4097 }, () => [1, 1]) },
      /add: found 4097 entries, allowed: a list of 0 to 4096/,
    ],
    [
      'no error',
      { ...GAUGES, add: [[1, 1]], errorStandardDeviation: 0 },
      /errorStandardDeviation: found 0, allowed: a number from/,
    ],
    [
      'a drop outside the basin',
      { ...DROP, y: 9.5 },
      /interventions\[0\]: found \[5, 9\.5\], which lies outside the basin/,
    ],
    [
      'a drop between the cells',
      { ...DROP, radius: 0.9 },
      /radius: found 0\.9 m, allowed: from half a cell, 1 m, to the basin's diagonal, 28\./,
    ],
    [
      'more water than there is',
      { ...DROP, height: -1 },
      /height: found -1 m, which leaves \[5, 4\] dry, 1 m deep at rest; allowed: above -1 m/,
    ],
    ['an island while it runs', { ...ISLAND, cycle: 1 }, /cycle: found 1, allowed: 0: an island is part of the bed/],
    ['a cycle after the end', { ...DROP, cycle: 9 }, /cycle: found 9, allowed: at most 4, where the run ends/],
    ['an unknown kind', { ...DROP, kind: 'dropp' }, /kind: found "dropp", allowed: .*; did you mean "drop"/],
  ])('with %s is refused with its place, what was found and what is allowed', (_, intervention, message) => {
    expect(refusal({ interventions: [intervention] })).toMatch(message);
  });

  it('is refused where the scheme, the bed or the names do not allow it', () => {
    const flat = tiny().model;
    expect(refusal({ model: { ...flat, scheme: 'richtmyer' }, interventions: [ISLAND] })).toMatch(
      /interventions\[0\]\.kind: found "island" with the scheme "richtmyer"/,
    );
    const wide = { ...ISLAND, radius: 25, height: 12_000 };
    expect(refusal({ interventions: [wide] })).toMatch(/height: found 12000 m, which leaves no water/);
    const onLand = [
      ISLAND,
      {
        ...GAUGES,
        add: [
          [9, 9],
          [5, 4],
        ],
      },
    ];
    expect(refusal({ interventions: onLand })).toMatch(
      /interventions\[1\]\.add\[1\]: found \[5, 4\], which is land, 1 m above/,
    );
    const named = [{ name: 'painted', network: { kind: 'regular', stride: [2, 2] } }];
    expect(refusal({ observations: named, interventions: [{ ...GAUGES, add: [[1, 1]] }] })).toMatch(
      /observations\[0\]\.name: found "painted"/,
    );
    expect(refusal({ interventions: [{ ...DROP, cycle: 2 }, DROP] })).toMatch(
      /interventions\[1\]\.cycle: found 1 after 2, allowed: cycles in ascending order/,
    );
  });

  it.each([
    [INFLATION, 'letkf: inflation 1.1 → 1.6'],
    [
      {
        ...GAUGES,
        add: [
          [1, 1],
          [3, 3.5],
          [7, 1],
        ],
      },
      '3 gauges added',
    ],
    [{ ...GAUGES, remove: [[2, 2]] }, '1 gauge removed'],
    [{ ...GAUGES, remove: [[2, 2]], add: [[2.5, 3]] }, 'gauge moved from (2, 2) to (2.5, 3)'],
    [
      {
        ...GAUGES,
        remove: [[2, 2]],
        add: [
          [1, 1],
          [3, 3],
        ],
      },
      '2 gauges added, 1 removed',
    ],
    [DROP, 'drop of 0.2 m at (5, 4)'],
    [{ ...DROP, height: -0.3, seenBy: 'each' }, '0.3 m of water taken at (5, 4), each its own'],
    [ISLAND, 'island of 2 m at (5, 4)'],
  ])('%j is reported in words', (intervention, words) => {
    const scenario = withChanges(intervention);
    expect(describeIntervention(scenario, scenario.interventions[0])).toBe(words);
  });
});

describe('the gauges of a cycle', () => {
  const scenario = withChanges(
    {
      ...GAUGES,
      add: [
        [1, 1],
        [3, 3],
      ],
    },
    {
      ...GAUGES,
      cycle: 2,
      remove: [
        [2, 2],
        [3, 3],
      ],
      add: [[3, 3]],
      variable: 'hu',
      errorStandardDeviation: 0.5,
    },
    { ...GAUGES, cycle: 3, remove: [[1, 1]] },
  );

  it('are those that were painted and not taken away, in their order, and those that networks have left', () => {
    const paintedAt = (cycle: number) => gaugesAt(scenario, cycle).painted;
    const [first, second] = [
      { x: 1, y: 1, variable: 'h', errorStandardDeviation: 0.02 },
      { x: 3, y: 3, variable: 'h', errorStandardDeviation: 0.02 },
    ];
    const moved = { x: 3, y: 3, variable: 'hu', errorStandardDeviation: 0.5 };
    expect([0, 1, 2, 3].map(paintedAt)).toEqual([[], [first, second], [first, moved], [moved]]);
    // (2, 2) is the second place of the second of rows of six.
    expect([...gaugesAt(scenario, 3).removed]).toEqual([[0, new Set([7])]]);
    expect(gaugesAt(scenario, 1).removed.size).toBe(0);
  });

  it('have room in steps that never become less', () => {
    const rooms = [0, 1, 2, 3].map((cycle) => gaugeRoomAt(scenario, cycle));
    expect(rooms).toEqual([
      { painted: 0, removed: 0 },
      { painted: 64, removed: 0 },
      { painted: 64, removed: 64 },
      { painted: 64, removed: 64 },
    ]);
    const many = Array.from({ length: 65 }, (_, i) => [(i % 11) + 0.5, Math.floor(i / 11) + 0.5]);
    expect(gaugeRoomAt(withChanges({ ...GAUGES, add: many }), 1).painted).toBe(128);
  });

  it('are at the same place a period further where the basin is periodic', () => {
    const model = { ...tiny().model, boundary: { x: 'periodic', y: 'wall' } };
    const change = { ...GAUGES, remove: [[12, 2]] };
    expect([...gaugesAt(tiny({ model, interventions: [change] }), 1).removed]).toEqual([[0, new Set([6])]]);
    expect(refusal({ interventions: [change] })).toMatch(/remove\[0\]: found \[12, 2\], which lies outside/);
  });
});

describe('a branch', () => {
  const scenario = tiny({
    interventions: [ISLAND, { ...GAUGES, add: [[1, 1]] }, INFLATION],
    branches: [
      { cycle: 2, interventions: [{ ...DROP, cycle: 3 }] },
      { cycle: 0, name: 'no change' },
      { cycle: 3, interventions: [{ ...INFLATION, cycle: 3, value: 2 }] },
    ],
    expected: { seeds: [1], results: {} },
  });

  it('is the main line up to its cycle with its own changes, and expects nothing', () => {
    const branch = branchScenario(scenario, 0);
    expect(branch.interventions.map(({ kind, cycle }) => [kind, cycle])).toEqual([
      ['island', 0],
      ['gauges', 1],
      ['drop', 3],
    ]);
    expect([branch.branches, branch.expected]).toEqual([[], undefined]);
    expect(validateScenario(branch, 'branch').scenario).toEqual(branch);
    expect(changesBetween(scenarioBefore(scenario, 2), scenarioBefore(branch, 2)).map(({ path }) => path)).toEqual([
      'title',
      'branches',
      'expected',
    ]);
    expect(() => branchScenario(scenario, 3)).toThrow(/branch 3 of 3/);
  });

  it('is called by its name, or by what differs', () => {
    expect([0, 1, 2].map((index) => branchTitle(scenario, index))).toEqual([
      'drop of 0.2 m at (5, 4), without the change after cycle 2',
      'no change',
      'letkf: inflation 1.6 → 2',
    ]);
  });

  it.each([
    ['after the end', [{ cycle: 5 }], /branches\[0\]\.cycle: found 5, allowed: at most 4/],
    [
      'twice by one name',
      [
        { cycle: 1, name: 'a' },
        { cycle: 1, name: 'a' },
      ],
      /branches\[1\]\.name: found "a", which is branches\[0\]\.name too/,
    ],
    [
      'with a change before it',
      [{ cycle: 2, interventions: [DROP] }],
      /branches\[0\]\.interventions\[0\]\.cycle: found 1, allowed: at least 2/,
    ],
    [
      'with an island',
      [{ cycle: 0, interventions: [ISLAND] }],
      /branches\[0\]\.interventions\[0\]\.kind: found "island", which is part of the bed/,
    ],
    [
      'that takes away what is not there',
      [{ cycle: 1, interventions: [DROP, { ...GAUGES, remove: [[1, 1]] }] }],
      /branches\[0\]\.interventions\[1\]\.remove\[0\]: found \[1, 1\], which has no fixed gauge/,
    ],
    [
      'too often',
      Array.from({ length: 4 }, () => ({ cycle: 1 })),
      /branches: found 4 entries, allowed: a list of 0 to 3/,
    ],
  ])('is refused %s', (_, branches, message) => {
    expect(refusal({ interventions: [], branches })).toMatch(message);
  });
});
