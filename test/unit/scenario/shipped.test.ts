/** The scenarios that ship, and the JSON Schema that editors and the settings panel read. */
import { readFileSync, readdirSync } from 'node:fs';
import { expect, test, describe } from 'vitest';
import { describeProblem } from '../../../engine/errors.ts';
import { formatScenario, newScenarioText, parseScenario, scenarioJsonSchema } from '../../../engine/scenario/index.ts';
import type { JsonSchema } from '../../../engine/scenario/index.ts';

const folder = new URL('../../../scenarios/', import.meta.url);
const names = readdirSync(folder).filter((name) => name.endsWith('.json') && !name.endsWith('.schema.json'));
const read = (name: string): string => readFileSync(new URL(name, folder), 'utf8');

describe.each(names)('%s', (name) => {
  const { scenario, raw, warnings } = parseScenario(read(name), name);

  test('is named as its file, and says what to look for', () => {
    expect(`${scenario.name}.json`).toBe(name);
    expect(scenario.title).not.toBe('');
    expect(scenario.description.length).toBeGreaterThan(200);
  });

  test('has no setting without effect, but where that is the subject', () => {
    const subjects: Readonly<Record<string, readonly string[]>> = {
      'sampling-error.json': [expect.stringContaining('reaches everything') as string],
      'large.json': [expect.stringContaining('on the reference backend') as string],
    };
    expect(warnings.map(describeProblem)).toEqual(subjects[name] ?? []);
  });

  test('gives the same scenario when it is laid out again, or with its defaults written out', () => {
    expect(parseScenario(formatScenario(raw as object), name).scenario).toEqual(scenario);
    expect(parseScenario(JSON.stringify(scenario), name).scenario).toEqual(scenario);
  });

  test('is a start for a new one', () => {
    const text = newScenarioText(raw as object, 'another');
    expect(text.startsWith('{\n  "$schema": "./scenario.schema.json",\n  "version": 3,\n  "name": "another",')).toBe(
      true,
    );
    expect(parseScenario(text, 'another.json').scenario).toEqual({
      ...scenario,
      $schema: './scenario.schema.json',
      name: 'another',
      expected: undefined,
    });
  });
});

test('the scenarios of the design ship', () => {
  expect(names.map((name) => name.replace('.json', ''))).toEqual([
    'altimeter-tracks',
    'bad-observations',
    'chaotic-sea',
    'coarse-weights',
    'dam-break',
    'double-jet',
    'drifting-jets',
    'first-light',
    'large',
    'letkf-paper',
    'lorenz-96',
    'model-error',
    'one-stone',
    'orbit-error',
    'readings-in-time',
    'sampling-error',
    'seams',
    'seed-water-drops',
    'speed-not-direction',
    'tsunami-harbour',
    'unforecast-rain',
    'what-is-an-analysis',
    'when-3dvar-wins',
    'when-4dvar-wins',
    'when-hybrid-wins',
    'when-letkf-wins',
    'which-gauge',
    'why-localise',
  ]);
});

test('the schema beside the scenarios is the present one', () => {
  expect(JSON.parse(read('scenario.schema.json'))).toEqual(JSON.parse(JSON.stringify(scenarioJsonSchema())));
});

/** Every property with its path, through variants and lists. */
function* properties(schema: JsonSchema, path = ''): Generator<readonly [string, JsonSchema]> {
  for (const [key, property] of Object.entries(schema.properties ?? {})) {
    yield [`${path}.${key}`, property];
    yield* properties(property, `${path}.${key}`);
  }
  for (const variant of schema.oneOf ?? []) yield* properties(variant, path);
  if (typeof schema.items === 'object') yield* properties(schema.items, `${path}[]`);
  if (typeof schema.additionalProperties === 'object') yield* properties(schema.additionalProperties, `${path}.*`);
}

/** Records whose keys are labels, names, fields or paths of the file. */
const LABELLED = new Set([
  '.expected.results',
  '.expected.own.results',
  '.expected.own.results.*',
  '.expected.variants',
  '.expected.variants.*.results',
  '.expected.texts',
  '.expected.scans[].parameters',
  '.lesson[].show.views.lockedRanges',
]);

/** Every key of a value with its path, labels of expected results and paths of scans as `*`; the values of settings are their own. */
function* keysIn(value: unknown, path = ''): Generator<string> {
  if (path.endsWith('.settings[].value')) return;
  if (Array.isArray(value)) {
    for (const entry of value) yield* keysIn(entry, `${path}[]`);
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, entry] of Object.entries(value)) {
      const labelled = LABELLED.has(path);
      const inside = `${path}.${labelled ? '*' : key}`;
      if (!labelled) yield inside;
      yield* keysIn(entry, inside);
    }
  }
}

describe('the JSON Schema', () => {
  const all = [...properties(scenarioJsonSchema())];

  /** Paths of the properties that lack something. */
  const without = (has: (schema: JsonSchema) => boolean, among: typeof all): string[] =>
    among.filter(([, schema]) => !has(schema)).map(([path]) => path);

  test('has a title and one line of help for every property', () => {
    expect(all.length).toBeGreaterThan(120);
    expect(without(({ title }) => /^\S.*$/.test(title ?? ''), all)).toEqual([]);
    expect(without(({ description }) => /^\S.*[.]$/.test(description ?? ''), all)).toEqual([]);
  });

  const numbers = all.filter(([, { type, const: fixed }]) => /number|integer/.test(type ?? '') && fixed === undefined);

  test('has a range for every number', () => {
    const settings = numbers.filter(([path]) => !path.startsWith('.expected'));
    expect(settings.length).toBeGreaterThan(60);
    expect(without((schema) => (schema.minimum ?? schema.exclusiveMinimum) !== undefined, settings)).toEqual([]);
    expect(without((schema) => (schema.maximum ?? schema.exclusiveMaximum) !== undefined, settings)).toEqual([]);
  });

  test('has metres for every length, and seconds for every time', () => {
    const lengths = numbers.filter(([path]) => /(dx|dy|width|length|depth|radius|spacing|height)$/i.test(path));
    const times = numbers.filter(([path]) => /(window|truth\.spinup)$/.test(path));
    expect(times).toHaveLength(2);
    expect(lengths.length).toBeGreaterThan(15);
    expect(without(({ unit }) => unit === 'm', lengths)).toEqual([]);
    expect(without(({ unit }) => unit === 's', times)).toEqual([]);
  });

  test('knows every key of the scenarios that ship', () => {
    const known = new Set(all.map(([path]) => path));
    const used: string[] = [];
    for (const name of names) used.push(...keysIn(JSON.parse(read(name))));
    expect(used.length).toBeGreaterThan(200);
    expect(used.filter((path) => !known.has(path))).toEqual([]);
  });
});
