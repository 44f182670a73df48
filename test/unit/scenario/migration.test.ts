/** What a file of version 1 becomes: lengths of covariances itself, no expected results, and a word about it. */
import { describe, expect, test } from 'vitest';
import { parseScenario } from '../../../engine/scenario/index.ts';

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
    expect(raw).toMatchObject({ version: 2, name: 'former', grid: FORMER.grid });
    expect(raw).not.toHaveProperty('expected');
    expect(notes).toEqual([
      expect.stringMatching(
        /^version: 1 was read as version 2: each covariance.length is √2 times .*; its expected results/,
      ),
    ]);
    expect(parseScenario(JSON.stringify(raw), 'present.json').notes).toEqual([]);
  });

  test('without 3D-Var changes in its version alone', () => {
    const methods = [{ kind: 'letkf', localization: { halfWidth: 4 } }];
    const { raw, notes } = read({ ...FORMER, methods });
    expect(raw).toEqual({ ...FORMER, version: 2, methods });
    expect(notes).toEqual(['version: 1 was read as version 2: nothing else changes']);
  });

  test('has no interventions, whose lengths would have no one meaning', () => {
    const interventions = [{ cycle: 2, kind: 'setting', path: 'methods[0].covariance.length', value: 4 }];
    const raw = { ...FORMER, methods: [variational(3)], interventions };
    expect(() => read(raw)).toThrow(/interventions: found in a file of version 1, allowed since version 2/);
    expect(read({ ...raw, version: 2 }).scenario.interventions).toHaveLength(1);
  });

  test('keeps the places of what is wrong with it, and the numbers as they were written', () => {
    const text =
      '{"version": 1, "name": "a",\n "methods": [{"kind": "3dvar", "covariance": {"kind": "gaussian", "length": -3}}]}';
    expect(() => parseScenario(text, 'former.json')).toThrow(
      'former.json:2:77: methods[0].covariance.length: found -3, allowed is a number above 0',
    );
  });
});

test('a file of version 2 keeps its lengths, and nothing is said', () => {
  const methods = [{ kind: '3dvar', covariance: { kind: 'gaussian', length: 3 } }];
  expect(lengths({ ...FORMER, version: 2, methods })).toEqual([3]);
  expect(read({ ...FORMER, version: 2 }).notes).toEqual([]);
});
