/** One value of a scenario changed by its path. */
import { expect, test } from 'vitest';
import { METHODS } from '../../../engine/methods/index.ts';
import { setPath, validateScenario } from '../../../engine/scenario/index.ts';
import { smallScenario } from './problems-of.ts';

const raw = smallScenario({
  methods: [{ kind: 'free-run' }, { kind: '3dvar' }, { kind: 'letkf', inflation: 1.05 }],
  expected: { seeds: [1], results: {} },
});

test.each<[string, unknown, unknown]>([
  ['grid.nx', '128', { grid: { ...raw.grid, nx: 128 } }],
  ['grid.nx', 128, { grid: { ...raw.grid, nx: 128 } }],
  ['title', '5', { title: '5' }],
  ['title', '"in quotes"', { title: 'in quotes' }],
  ['model.timeStep', 'auto', { model: { timeStep: 'auto' } }],
  ['model.timeStep', '0.05', { model: { timeStep: 0.05 } }],
  ['model.friction.manning', '0.03', { model: { friction: { manning: 0.03 } } }],
  ['truth.initial', '{"kind": "rest"}', { truth: { initial: { kind: 'rest' } } }],
  ['truth.forcing.kind', 'drops', { truth: { forcing: { kind: 'drops' } } }],
  ['truth.initial.count', '2', { truth: { initial: { kind: 'drops', count: 2 } } }],
  ['observations[0].variable', 'hu', { observations: [{ variable: 'hu' }] }],
  [
    'methods[2].inflation',
    '1.2',
    { methods: [{ kind: 'free-run' }, { kind: '3dvar' }, { kind: 'letkf', inflation: 1.2 }] },
  ],
  [
    'methods[1].covariance.length',
    '5',
    {
      methods: [
        { kind: 'free-run' },
        { kind: '3dvar', covariance: { kind: 'recursive-filter', length: 5 } },
        { kind: 'letkf', inflation: 1.05 },
      ],
    },
  ],
  [
    'methods[3]',
    '{"kind": "enkf"}',
    { methods: [{ kind: 'free-run' }, { kind: '3dvar' }, { kind: 'letkf', inflation: 1.05 }, { kind: 'enkf' }] },
  ],
  [
    'expected.results["letkf"]',
    '{"forecast": {}, "analysis": {}}',
    { expected: { seeds: [1], results: { letkf: { forecast: {}, analysis: {} } } } },
  ],
])('%s = %j', (path, value, changes) => {
  const before = structuredClone(raw);
  const after = setPath(raw, path, value);
  expect(after).toEqual({ ...raw, ...(changes as object) });
  expect(raw).toEqual(before);
  expect(() => validateScenario(after, 'changed')).not.toThrow();
});

test.each([
  ['grid.nx', 'abc', '--set: grid.nx: found "abc", allowed: a whole number from 4 to 8192 (cells)'],
  ['grid.nx', '1e999', '--set: grid.nx: found 1e999, allowed: finite numbers'],
  ['grid.nx', 'NaN', '--set: grid.nx: found "NaN", allowed: a whole number from 4 to 8192 (cells)'],
  ['grid.nz', '1', '--set: grid.nz: unknown key "nz"; did you mean "nx"?'],
  ['gird.nx', '1', '--set: gird: unknown key "gird"; did you mean "grid"?'],
  ['grid.nx.more', '1', '--set: grid.nx.more: grid.nx is a whole number from 4 to 8192 (cells), and has no more'],
  ['methods.inflation', '1', '--set: methods.inflation: methods is a list; write methods[0] for its first entry'],
  [
    'methods[9].inflation',
    '1',
    '--set: methods[9]: found 3 entries, allowed: an index from 0 to 3, the last one to append',
  ],
  ['methods[2].inflaton', '1', '--set: methods[2].inflaton: unknown key "inflaton"; did you mean "inflation"?'],
  ['methods[2].inflation', '0.5', '--set: methods[2].inflation: found 0.5, allowed: a number from 1 to 100'],
  [
    'methods[3].inflation',
    '1.1',
    `--set: methods[3].inflation: methods[3] has no kind yet; set methods[3].kind to one of ${METHODS.map(({ kind }) => kind).join(', ')} first`,
  ],
  ['truth.forcing.every', '2', '--set: truth.forcing.every: unknown key "every", allowed: kind'],
  [
    'methods[2].relaxation.kind',
    'spred',
    '--set: methods[2].relaxation.kind: found "spred", allowed: "none", "spread" or "perturbations"; did you mean "spread"?',
  ],
  ['__proto__.polluted', '1', '--set: __proto__.polluted: the key "__proto__" is not allowed in a scenario'],
  ['expected.constructor', '{}', '--set: expected.constructor: the key "constructor" is not allowed in a scenario'],
  ['grid', '{"__proto__": {"nx": 8}}', '--set: grid.__proto__: the key "__proto__" is not allowed in a scenario'],
  ['grid..nx', '1', '--set "grid..nx": not a path; write for example grid.nx or methods[2].inflation'],
  ['methods[-1]', '1', '--set "methods[-1]": not a path; write for example grid.nx or methods[2].inflation'],
  ['', '1', '--set: the path is empty; write for example grid.nx'],
])('%s = %s is refused', (path, value, message) => {
  expect(() => setPath(raw, path, value)).toThrow(message);
  expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
});

test('an error names where the change comes from', () => {
  expect(() => setPath(raw, 'grid.nz', 1, 'Settings')).toThrow('Settings: grid.nz: unknown key');
});
