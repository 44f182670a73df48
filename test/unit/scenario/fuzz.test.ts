/** Whatever a file holds, reading it gives a scenario or a ScenarioError of one-line problems. */
import { readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { ScenarioError, describeProblem } from '../../../engine/errors.ts';
import { parseScenario, setPath } from '../../../engine/scenario/index.ts';
import { isNightly } from '../../setup/nightly.ts';

const SEED = 20_240_601;
/** Scenarios that are changed somewhere. */
const CHANGED = isNightly ? 1500 : 250;
const read = (name: string): string =>
  readFileSync(new URL(`../../../scenarios/${name}.json`, import.meta.url), 'utf8');
const texts = ['seed-water-drops', 'double-jet', 'drifting-jets'].map(read);

/** A problem on one line, with no character that a terminal would not show. */
const READABLE = /^case\.json(:\d+:\d+)?: [^\p{Cc}]+$/u;

/** 'scenario' or 'refused'; otherwise what is wrong with the refusal. Any other error is thrown on. */
function outcome(written: string | Uint8Array): string {
  try {
    parseScenario(written, 'case.json');
    return 'scenario';
  } catch (error) {
    if (!(error instanceof ScenarioError)) throw error;
    const lines = error.problems.map(describeProblem);
    const unreadable = lines.length === 0 ? 'no problem' : lines.find((line) => !READABLE.test(line));
    return unreadable === undefined ? 'refused' : `unreadable: ${JSON.stringify(unreadable)}`;
  }
}

/** Outcomes of many texts, each with how often it came. */
function outcomes(texts: fc.Arbitrary<string | Uint8Array>, runs: number): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const text of fc.sample(texts, { seed: SEED, numRuns: runs })) {
    const result = outcome(text);
    counts[result] = (counts[result] ?? 0) + 1;
  }
  return counts;
}

test('any bytes', () => {
  expect(outcomes(fc.uint8Array({ maxLength: 300 }), 300)).toEqual({ refused: 300 });
});

test('any text', () => {
  expect(outcomes(fc.string({ unit: 'binary', maxLength: 200 }), 300)).toEqual({ refused: 300 });
});

test('text made of the pieces of JSON', () => {
  const words = ['"a"', '"version"', '1', '-', '1e999', 'NaN', 'true', 'null', '//', '/*', '\\u12', '__proto__'];
  const signs = ['{', '}', '[', ']', ',', ':', '"', '\\', '\n', ' ', '\u0000', '\u007F'];
  const pieces = fc.array(fc.constantFrom(...words, ...signs), { maxLength: 40 });
  const text = pieces.map((list) => list.join(''));
  expect(outcomes(text, 2000)).toEqual({ refused: 2000 });
});

test('any JSON value', () => {
  expect(outcomes(fc.json({ maxDepth: 6 }), 300)).toEqual({ refused: 300 });
});

test('a scenario with a piece of its text cut out or replaced', () => {
  const words = fc.constantFrom('', '1e999', 'null', '[]', '{}', '"x"', '-1');
  const change = fc.record({
    text: fc.constantFrom(...texts),
    from: fc.nat(3000),
    length: fc.nat(12),
    put: fc.oneof(words, fc.string({ maxLength: 4 })),
  });
  const text = change.map(({ text, from, length, put }) => {
    const at = from % text.length;
    return text.slice(0, at) + put + text.slice(at + length);
  });
  const { scenario, refused, ...others } = outcomes(text, CHANGED);
  expect(others).toEqual({});
  // Changes inside the description leave a scenario a scenario; most others do not.
  expect(scenario).toBeGreaterThan(0.05 * CHANGED);
  expect(refused).toBeGreaterThan(0.3 * CHANGED);
});

type Place = readonly (string | number)[];

/** The path of every value inside a value. */
function placesIn(value: unknown, path: Place = []): Place[] {
  if (typeof value !== 'object' || value === null) return [path];
  const inside = Object.entries(value).flatMap(([key, entry]) =>
    placesIn(entry, [...path, Array.isArray(value) ? Number(key) : key]),
  );
  return path.length === 0 ? inside : [path, ...inside];
}

test('a scenario with any value in any place', () => {
  const cases = texts.flatMap((text) => placesIn(JSON.parse(text)).map((path) => ({ text, path })));
  const words = fc.constantFrom('kind', 'letkf', 'file', 'auto', -0, 1e300, 5e-324);
  const keys = fc.constantFrom('kind', 'toString', 'valueOf', 'hasOwnProperty', 'length');
  const change = fc.record({
    place: fc.constantFrom(...cases),
    value: fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.double(), fc.integer(), words),
    key: fc.oneof(fc.string({ maxLength: 8 }), keys),
    added: fc.boolean(),
  });
  const text = change.map(({ place: { text, path }, value, key, added }) => {
    const root: unknown = JSON.parse(text);
    let parent = root as Record<string | number, unknown>;
    for (const step of path.slice(0, -1)) parent = parent[step] as Record<string | number, unknown>;
    parent[added && !Array.isArray(parent) ? key : path[path.length - 1]] = value;
    return JSON.stringify(root);
  });
  const { scenario = 0, refused = 0, ...others } = outcomes(text, CHANGED);
  expect(others).toEqual({});
  expect(scenario + refused).toBe(CHANGED);
});

test('any path and value to set', () => {
  const raw: unknown = JSON.parse(texts[0]);
  const names = [
    'grid',
    'nx',
    'methods',
    'kind',
    'covariance',
    'toString',
    '__proto__',
    'expected',
    'truth',
    'times',
    'x',
  ];
  const step = fc.oneof(
    fc.constantFrom(...names).map((name) => `.${name}`),
    fc.nat(5).map((index) => `[${index}]`),
    fc.string({ maxLength: 3 }),
  );
  const path = fc.array(step, { maxLength: 5 }).map((steps) => steps.join('').replace(/^\./, ''));
  const change = fc.tuple(path, fc.oneof(fc.string(), fc.json()));
  const errors = fc.sample(change, { seed: SEED, numRuns: 2000 }).flatMap(([path, value]) => {
    try {
      setPath(raw, path, value);
      return [];
    } catch (error) {
      return error instanceof ScenarioError ? [] : [{ path, value, error }];
    }
  });
  expect(errors).toEqual([]);
  expect(raw).toEqual(JSON.parse(texts[0]));
});

/** A quarter to one megabyte of one thing. */
const SIZE = 400_000;
const repeated = (entry: (index: number) => string, count: number): string =>
  Array.from({ length: count }, (_, index) => entry(index)).join(',');

test.each([
  ['open lists', '['.repeat(SIZE)],
  ['commas', ','.repeat(SIZE)],
  ['quotes', '"'.repeat(SIZE)],
  ['backslashes', '\\'.repeat(SIZE)],
  ['empty lines', `${'\n'.repeat(SIZE)}x`],
  ['a long title', `{"version":2,"name":"a","title":"${'x'.repeat(SIZE)}"}`],
  ['a long key', `{"version":2,"name":"a","${'x'.repeat(SIZE)}":1}`],
  ['unknown keys', `{"version":2,"name":"a",${repeated((i) => `"k${i}":1`, SIZE / 10)}}`],
  ['expected results', `{"version":2,"name":"a","expected":{${repeated((i) => `"k${i}":{}`, SIZE / 10)}}}`],
  ['methods', `{"version":2,"name":"a","methods":[${repeated(() => '[]', SIZE / 3)}]}`],
  ['digits', `{"version":2,"name":"a","seed":${'9'.repeat(SIZE)}}`],
])('a large file of %s', (_name, text) => {
  expect(outcome(text)).toBe('refused');
});
