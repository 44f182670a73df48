/** What differs between two scenarios, and when each difference takes effect in a run that continues: the one definition of it. */
import { listWords, parsePath, type TakesEffect } from '../settings/index.ts';
import { isRecord, type Scenario } from './schema.ts';
import { scenarioJsonSchema, type JsonSchema } from './json-schema.ts';

export interface ScenarioChange {
  /** As in `methods[1].inflation`. */
  readonly path: string;
  readonly before: unknown;
  readonly after: unknown;
  readonly effect: TakesEffect;
}

/** A schema that a path may lead to, and what is stated on the way there. */
interface Place {
  readonly schema: JsonSchema;
  readonly effect: TakesEffect;
}

/** From the least work to the most. */
const EFFECTS: readonly TakesEffect[] = ['label', 'next-cycle', 'restart'];

/** The schemas of a key, of all kinds of a setting that has kinds: a path does not say which it is. */
function entriesOf(schema: JsonSchema, key: string | number): readonly JsonSchema[] {
  const { oneOf, items, prefixItems, properties, additionalProperties } = schema;
  if (oneOf) return oneOf.flatMap((variant) => entriesOf(variant, key));
  const found =
    typeof key === 'number'
      ? (prefixItems?.[key] ?? items)
      : properties && Object.hasOwn(properties, key)
        ? properties[key]
        : additionalProperties;
  return typeof found === 'object' ? [found] : [];
}

/** @returns when a change at a path takes effect: as the schema states it of the value, or of what it is inside of */
export function effectOf(path: string): TakesEffect {
  let places: readonly Place[] = [{ schema: scenarioJsonSchema(), effect: 'restart' }];
  for (const key of parsePath(path) ?? []) {
    const inside = places.flatMap((place) =>
      entriesOf(place.schema, key).map((schema) => ({ schema, effect: schema.takesEffect ?? place.effect })),
    );
    if (inside.length === 0) break;
    places = inside;
  }
  return EFFECTS.findLast((effect) => places.some((place) => place.effect === effect)) ?? 'restart';
}

/** @returns names of the settings in an object, or in the objects of a list, that the next cycle takes up */
function nextCycleKeys(schema: JsonSchema): readonly string[] {
  const items = typeof schema.items === 'object' ? schema.items : schema;
  const objects = items.oneOf ?? [items];
  const keys = objects.flatMap(({ properties = {} }) =>
    Object.entries(properties).flatMap(([key, { takesEffect }]) => (takesEffect === 'next-cycle' ? [key] : [])),
  );
  return [...new Set(keys)];
}

/** @returns in words, what can change while a run continues: for those who wrote another path */
export function nextCycleSettings(): string {
  const texts = Object.entries(scenarioJsonSchema().properties ?? {}).flatMap(([name, schema]) => {
    const keys = nextCycleKeys(schema);
    if (keys.length === 0) return [];
    return schema.items === undefined
      ? keys.map((key) => `${name}.${key}`)
      : [`${listWords(keys, 'and')} of ${name}[…]`];
  });
  return listWords(texts, 'and');
}

/** Whether values differ key by key: of two kinds, or with a key too few, one replaces the other as a whole. */
function haveSameForm(before: Readonly<Record<string, unknown>>, after: Readonly<Record<string, unknown>>): boolean {
  const isMissing = Object.keys(before).some((key) => before[key] !== undefined && after[key] === undefined);
  return before['kind'] === after['kind'] && !isMissing;
}

function walk(path: string, before: unknown, after: unknown, found: ScenarioChange[]): void {
  if (JSON.stringify(before) === JSON.stringify(after)) return;
  if (isRecord(before) && isRecord(after) && (path === '' || haveSameForm(before, after))) {
    for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
      walk(path === '' ? key : `${path}.${key}`, before[key], after[key], found);
    }
    return;
  }
  const lists = Array.isArray(before) && Array.isArray(after) && before.length === after.length;
  if (lists && before.some((entry) => isRecord(entry))) {
    before.forEach((entry, index) => walk(`${path}[${index}]`, entry, after[index], found));
    return;
  }
  found.push({ path, before, after, effect: effectOf(path) });
}

/** @returns the smallest values that differ, in the scenario's order */
export function changesBetween(before: Scenario, after: Scenario): readonly ScenarioChange[] {
  const found: ScenarioChange[] = [];
  walk('', before, after, found);
  return found;
}
