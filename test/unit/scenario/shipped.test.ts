/** The scenarios that ship, and the JSON Schema that editors and the settings panel read. */
import { readFileSync, readdirSync } from 'node:fs';
import { expect, test, describe } from 'vitest';
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
    const reachesEverything = expect.stringContaining('reaches everything');
    expect(warnings).toEqual(name === 'sampling-error.json' ? [reachesEverything] : []);
  });

  test('gives the same scenario when it is laid out again, or with its defaults written out', () => {
    expect(parseScenario(formatScenario(raw as object), name).scenario).toEqual(scenario);
    expect(parseScenario(JSON.stringify(scenario), name).scenario).toEqual(scenario);
  });

  test('is a start for a new one', () => {
    const text = newScenarioText(raw as object, 'another');
    expect(text.startsWith('{\n  "$schema": "./scenario.schema.json",\n  "version": 1,\n  "name": "another",')).toBe(
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
  expect(names).toEqual(
    expect.arrayContaining(
      ['first-light', 'seed-water-drops', 'dam-break', 'double-jet', 'sparse-drifters', 'sampling-error'].map(
        (name) => `${name}.json`,
      ),
    ),
  );
});

test('the schema beside the scenarios is the present one', () => {
  expect(JSON.parse(read('scenario.schema.json'))).toEqual(JSON.parse(JSON.stringify(scenarioJsonSchema())));
});

describe('the JSON Schema', () => {
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
  const all = [...properties(scenarioJsonSchema())];

  test('has a title and one line of help for every property', () => {
    expect(all.length).toBeGreaterThan(120);
    for (const [path, { title, description }] of all) {
      expect(title, path).toMatch(/^\S.*$/);
      expect(description, path).toMatch(/^\S.*[.]$/);
    }
  });

  test('has a range for every number, and a unit for every length and time', () => {
    const numbers = all.filter(([, { type }]) => type === 'number' || type === 'integer');
    for (const [path, schema] of numbers) {
      const { minimum, exclusiveMinimum, maximum, exclusiveMaximum } = schema;
      if (schema.const !== undefined) continue;
      expect(minimum ?? exclusiveMinimum, path).toBeTypeOf('number');
      if (!path.startsWith('.expected')) expect(maximum ?? exclusiveMaximum, path).toBeTypeOf('number');
    }
    const withLength = numbers.filter(([path]) =>
      /(dx|dy|[wW]idth|length|depth|Depth|radius|spacing|height)$/.test(path),
    );
    expect(withLength.length).toBeGreaterThan(15);
    for (const [path, { unit }] of withLength) expect(unit, path).toBe('m');
    for (const [path, { unit }] of numbers.filter(([path]) => /(window|truth\.spinup)$/.test(path))) {
      expect(unit, path).toBe('s');
    }
  });

  test('knows every key of the scenarios that ship', () => {
    const known = new Set(all.map(([path]) => path));
    const keys = (value: unknown, path: string): string[] => {
      if (Array.isArray(value)) return value.flatMap((entry) => keys(entry, `${path}[]`));
      if (typeof value !== 'object' || value === null) return [];
      return Object.entries(value).flatMap(([key, entry]) => {
        const inside = path === '.expected' ? `${path}.*` : `${path}.${key}`;
        return path === '.expected' ? keys(entry, inside) : [inside, ...keys(entry, inside)];
      });
    };
    for (const name of names) {
      expect(keys(JSON.parse(read(name)), '').filter((path) => !known.has(path))).toEqual([]);
    }
  });
});
