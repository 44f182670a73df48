/**
 * What a file of an earlier version becomes. Of version 1: lengths of covariances themselves, no expected results. Of version 2:
 * keys of methods as they are spelled now. And a word about it.
 */
import { describe, expect, test } from 'vitest';
import { parseScenario, restateScenario } from '../../../engine/scenario/index.ts';

const FORMER = { version: 1, name: 'former', grid: { nx: 16, ny: 12 } };
const read = (raw: object) => parseScenario(JSON.stringify(raw), 'former.json');

/** Lengths of the covariances of all 3D-Vars. */
function lengths(raw: object): number[] {
  return read(raw).scenario.methods.flatMap((method) => (method.kind === '3dvar' ? [method.covariance.length] : []));
}

function variational(length: number): object {
  return { kind: '3dvar', label: `${length} m`, covariance: { kind: 'gaussian', length } };
}

describe('a file of version 1', () => {
  test('has √2 times the length, the L of exp(−r²/2L²) of the filter that it names', () => {
    expect(lengths({ ...FORMER, methods: [variational(3), variational(25_000)] })).toEqual([4.24264, 35_355.3]);
  });

  test.each([
    ['without methods', {}],
    ['without a covariance', { methods: [{ kind: '3dvar' }] }],
    ['without a length', { methods: [{ kind: '3dvar', covariance: { kind: 'recursive-filter' } }] }],
  ])('%s has the former length of 3 m', (_, changes) => {
    expect(lengths({ ...FORMER, ...changes })).toEqual([4.24264]);
  });

  test('says in one line what was done, and is of the present version then', () => {
    const { raw, notes } = read({ ...FORMER, expected: { letkf: { forecast: 0.1 } } });
    expect(raw).toMatchObject({ version: 3, name: 'former', grid: FORMER.grid });
    expect(raw).not.toHaveProperty('expected');
    expect(notes).toEqual([
      expect.stringMatching(
        /^version: 1 was read as version 3: each covariance.length is √2 times .*; its expected results/,
      ),
    ]);
    expect(parseScenario(JSON.stringify(raw), 'present.json').notes).toEqual([]);
  });

  test('without 3D-Var changes in its version alone', () => {
    const methods = [{ kind: 'letkf', inflation: 1.1 }];
    const { raw, notes } = read({ ...FORMER, methods });
    expect(raw).toEqual({ ...FORMER, version: 3, methods });
    expect(notes).toEqual(['version: 1 was read as version 3: nothing else changes']);
  });

  test('has its keys renamed, too', () => {
    const { raw, notes } = read({ ...FORMER, methods: [variational(3), { kind: 'letkf', localization: {} }] });
    expect(raw).toMatchObject({ methods: [{ kind: '3dvar' }, { kind: 'letkf', localisation: {} }] });
    expect(notes).toEqual([
      expect.stringMatching(/each covariance.length .*; of its methods’ keys "localization" is /),
    ]);
  });

  test('has no interventions, whose lengths would have no one meaning', () => {
    const interventions = [{ cycle: 2, kind: 'setting', path: 'methods[0].covariance.length', value: 4 }];
    const raw = { ...FORMER, methods: [variational(3)], interventions };
    expect(() => read(raw)).toThrow(/interventions: found in a file of version 1, allowed since version 2/);
    expect(read({ ...raw, version: 2 }).scenario.interventions).toHaveLength(1);
    expect(read({ ...raw, version: 3 }).scenario.interventions).toHaveLength(1);
  });

  test('keeps the places of what is wrong with it, and the numbers as they were written', () => {
    const text =
      '{"version": 1, "name": "a",\n "methods": [{"kind": "3dvar", "covariance": {"kind": "gaussian", "length": -3}}]}';
    expect(() => parseScenario(text, 'former.json')).toThrow(
      'former.json:2:77: methods[0].covariance.length: found -3, allowed: a number above 0',
    );
  });
});

/** Everything that names a renamed key, in a scenario with every default written out. */
const SPELLED = {
  version: 3,
  name: 'former',
  grid: { nx: 16, ny: 12 },
  methods: [
    { kind: '3dvar', covariance: { kind: 'gaussian', length: 3, normalised: false } },
    { kind: 'letkf', label: 'localization', localisation: { halfWidth: 2 } },
  ],
  interventions: [
    { cycle: 2, kind: 'setting', path: 'methods[1].localisation.halfWidth', value: 3 },
    { cycle: 3, kind: 'setting', path: 'methods[1].localisation', value: { halfWidth: 4 } },
    { cycle: 3, kind: 'setting', path: 'methods[0].covariance.normalised', value: true },
    { cycle: 4, kind: 'setting', path: 'methods[0].covariance', value: { kind: 'gaussian', normalised: false } },
    { cycle: 5, kind: 'setting', path: 'experiment.spinup', value: 1 },
  ],
  expected: {
    seeds: [1],
    results: {},
    scans: [
      {
        method: 'localization',
        seeds: [1],
        measure: 'analysis',
        parameters: { inflation: [1], 'localisation.halfWidth': [2] },
        best: [1, 2],
        table: [{ values: [1, 2], median: 0.1 }],
      },
    ],
  },
} as const;
/** The same as version 2 had it: the method's label and its name in the scan stay what the person wrote. */
const SPELLED_BEFORE = JSON.parse(
  JSON.stringify(SPELLED)
    .replace('"version":3', '"version":2')
    .replaceAll('localisation', 'localization')
    .replaceAll('normalised', 'normalized'),
) as object;

describe('a file of version 2', () => {
  test('has its keys renamed wherever they are named, and what a user named left', () => {
    const { raw, scenario, notes } = read(SPELLED_BEFORE);
    expect(raw).toEqual(SPELLED);
    expect(scenario).toEqual(read(SPELLED).scenario);
    expect(notes).toEqual([
      'version: 2 was read as version 3: of its methods’ keys "localization" is "localisation" and "normalized" is "normalised"',
    ]);
  });

  test('keeps its lengths, and changes in its version alone without such keys', () => {
    const methods = [{ kind: '3dvar', covariance: { kind: 'gaussian', length: 3 } }];
    expect(lengths({ ...FORMER, version: 2, methods })).toEqual([3]);
    expect(read({ ...FORMER, version: 2, methods }).notes).toEqual([
      'version: 2 was read as version 3: nothing else changes',
    ]);
  });

  test('keeps the places of what is wrong with it, and the numbers as they were written', () => {
    const text = '{"version": 2, "name": "a",\n "methods": [{"kind": "letkf", "localization": {"halfWidth": -1.50}}]}';
    expect(() => parseScenario(text, 'former.json')).toThrow(
      'former.json:2:62: methods[0].localisation.halfWidth: found -1.50, allowed: a number above 0 and at most 1000000000 (m)',
    );
  });

  test('does not hide a key that it has twice, in either spelling', () => {
    const methods = [{ kind: 'letkf', localization: { halfWidth: 2 }, localisation: { halfWidth: 3 } }];
    expect(() => read({ ...FORMER, version: 2, methods })).toThrow(
      'methods[0].localization: unknown key "localization"; did you mean "localisation"?',
    );
  });
});

test('a file of the present version is left as it is, and nothing is said', () => {
  const { raw, notes } = read(SPELLED);
  expect(raw).toEqual(SPELLED);
  expect(notes).toEqual([]);
  const methods = [{ kind: 'letkf', localization: {} }];
  expect(() => read({ ...FORMER, version: 3, methods })).toThrow('did you mean "localisation"?');
});

test('a version that was never written is refused', () => {
  expect(() => read({ ...FORMER, version: 4 })).toThrow('version: found 4, allowed: 3, or 1 or 2, which are converted');
});

describe('what a run was begun with', () => {
  test('of version 2 is restated, in the same order of keys', () => {
    const { scenario } = read(SPELLED);
    const stored: unknown = JSON.parse(
      JSON.stringify(scenario)
        .replace('"version":3', '"version":2')
        .replaceAll('localisation', 'localization')
        .replaceAll('normalised', 'normalized'),
    );
    expect(JSON.stringify(restateScenario(stored))).toBe(JSON.stringify(scenario));
  });

  test.each([[undefined], ['text'], [{ version: 1, methods: [{ localization: 1 }] }], [{ version: 3 }]])(
    '%j is left as it is',
    (stored) => {
      expect(restateScenario(stored)).toBe(stored);
    },
  );
});
