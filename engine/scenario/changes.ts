/**
 * Scenarios that change: what differs between two and when each difference takes effect in a run that continues, what the settings are at
 * a cycle, and changes in words. An intervention of cycle c takes effect before the forecast of cycle c; the run ends where the cycles
 * of that moment end.
 */
import { listWords, parsePath, tidy, type TakesEffect } from '../settings/index.ts';
import { ScenarioError } from '../errors.ts';
import { isRecord, parseSettings, type Scenario, type Intervention, type InterventionOf } from './schema.ts';
import { scenarioJsonSchema, type JsonSchema } from './json-schema.ts';
import { problemsOf } from './schema-problems.ts';
import { setPath } from './set-path.ts';

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

export function isSetting(intervention: Intervention): intervention is InterventionOf<'setting'> {
  return intervention.kind === 'setting';
}

/** @returns the scenario with another setting. @throws ScenarioError where the value is not allowed at the path */
export function withSetting(scenario: Scenario, { path, value }: InterventionOf<'setting'>): Scenario {
  const { data, error } = parseSettings(setPath(scenario, path, value, ''));
  if (data) return data;
  throw new ScenarioError(problemsOf(error.issues, scenario));
}

/** @returns the scenario as its settings are from the forecast of a cycle on; its interventions stay in it */
export function scenarioAt(scenario: Scenario, cycle: number): Scenario {
  return scenario.interventions
    .filter((each) => each.cycle <= cycle)
    .filter(isSetting)
    .reduce(withSetting, scenario);
}

/** @returns the interventions that have a part in the state before the forecast of a cycle: islands have it from the beginning */
export function interventionsBefore(list: readonly Intervention[], cycle: number): Intervention[] {
  return list.filter((each) => each.cycle < cycle || each.kind === 'island');
}

/** @returns the scenario with the interventions before a cycle alone: all that has a part in the state before its forecast */
export function scenarioBefore(scenario: Scenario, cycle: number): Scenario {
  return { ...scenario, interventions: interventionsBefore(scenario.interventions, cycle) };
}

/** @returns what settings are different from the forecast of a cycle on; nothing in nearly all cycles */
export function changesAt(scenario: Scenario, cycle: number): readonly ScenarioChange[] {
  if (!scenario.interventions.some((each) => isSetting(each) && each.cycle === cycle)) return [];
  return changesBetween(scenarioAt(scenario, cycle - 1), scenarioAt(scenario, cycle));
}

/** @returns cycles that the run has when its interventions have taken effect */
export function cyclesOf(scenario: Scenario): number {
  return scenarioAt(scenario, Infinity).experiment.cycles;
}

/** Longer values are shown cut off. */
const LONGEST_VALUE = 60;

function shown(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing');
  return text.length > LONGEST_VALUE ? `${text.slice(0, LONGEST_VALUE)}…` : text;
}

/** @returns `letkf: inflation`, for `methods[2].inflation` of a scenario whose third method has that label */
function settingName({ methods, observations }: Scenario, path: string): string {
  const [, list, index, rest] = /^(methods|observations)\[(\d+)\]\.(.*)$/s.exec(path) ?? [];
  if (list === undefined) return path;
  const owner = list === 'methods' ? methods[Number(index)]?.label : observations[Number(index)]?.name;
  return owner === undefined ? path : `${owner}: ${rest}`;
}

/** @returns as in `letkf: inflation 1.1 → 3` */
export function describeChange(scenario: Scenario, { path, before, after }: Omit<ScenarioChange, 'effect'>): string {
  return `${settingName(scenario, path)} ${shown(before)} → ${shown(after)}`;
}

function gaugesText(count: number): string {
  return `${count} ${count === 1 ? 'gauge' : 'gauges'}`;
}

function placeText([x, y]: readonly [number, number]): string {
  return `(${tidy(x)}, ${tidy(y)})`;
}

function describeGauges({ add, remove }: InterventionOf<'gauges'>): string {
  if (add.length === 1 && remove.length === 1)
    return `gauge moved from ${placeText(remove[0])} to ${placeText(add[0])}`;
  if (remove.length === 0) return `${gaugesText(add.length)} added`;
  if (add.length === 0) return `${gaugesText(remove.length)} removed`;
  return `${gaugesText(add.length)} added, ${remove.length} removed`;
}

const SEEN_BY = { truth: '', all: ', seen by all', each: ', each its own' } as const;

function describeDrop({ x, y, height, seenBy }: InterventionOf<'drop'>): string {
  const place = placeText([x, y]);
  const what = height < 0 ? `${tidy(-height)} m of water taken at ${place}` : `drop of ${tidy(height)} m at ${place}`;
  return what + SEEN_BY[seenBy];
}

/** The scenario as it is just before one of its interventions, or before one that would come last in its cycle. */
function justBefore(scenario: Scenario, intervention: Intervention): Scenario {
  const index = scenario.interventions.indexOf(intervention);
  if (index === -1) return scenarioAt(scenario, intervention.cycle);
  return scenarioAt({ ...scenario, interventions: scenario.interventions.slice(0, index) }, Infinity);
}

/**
 * @param scenario that has the intervention, or would have it
 * @returns as in `letkf: inflation 1.1 → 3`, `3 gauges added`, `drop of 0.2 m at (12, 30)`, places in cells
 */
export function describeIntervention(scenario: Scenario, intervention: Intervention): string {
  switch (intervention.kind) {
    case 'setting': {
      const before = justBefore(scenario, intervention);
      const changes = changesBetween(before, withSetting(before, intervention));
      return changes.map((change) => describeChange(before, change)).join(', ') || `${intervention.path} as it was`;
    }
    case 'gauges':
      return describeGauges(intervention);
    case 'drop':
      return describeDrop(intervention);
    case 'island':
      return `island of ${tidy(intervention.height)} m at ${placeText([intervention.x, intervention.y])}`;
    default:
      return intervention satisfies never;
  }
}

/** @returns what the scenario changes with a cycle, one line each; settings first */
export function describeInterventions(scenario: Scenario, cycle: number): readonly string[] {
  const others = scenario.interventions.filter((each) => each.cycle === cycle && !isSetting(each));
  return [
    ...changesAt(scenario, cycle).map((change) => describeChange(scenario, change)),
    ...others.map((each) => describeIntervention(scenario, each)),
  ];
}

/** What of a scenario its numbers do not depend on, or what ranges are over. */
const BESIDE_THE_SETTINGS = new Set([
  '$schema',
  'version',
  'name',
  'title',
  'description',
  'seed',
  'branches',
  'lesson',
  'expected',
]);

/** @returns the settings, whatever the words and the seed, as a text that can be compared */
export function settingsText(scenario: Scenario): string {
  return JSON.stringify(Object.entries(scenario).filter(([key]) => !BESIDE_THE_SETTINGS.has(key)));
}

/** Settings of these paths leave truth and observations as they are. */
const OF_METHODS_OR_LENGTH = /^(methods\b|experiment\.(cycles|spinup)$)/;

/** @returns what truth and observations follow from beside the seed, as a text that can be compared */
export function worldText({ grid, model, truth, observations, experiment, interventions }: Scenario): string {
  const changes = interventions.filter((each) => !isSetting(each) || !OF_METHODS_OR_LENGTH.test(each.path));
  return JSON.stringify([grid, model, truth, observations, experiment.window, changes]);
}

/** A setting that two scenarios do not have in common. */
export interface SettingDifference extends Omit<ScenarioChange, 'effect'> {
  /** As in `letkf: inflation 1.1 → 3`. */
  readonly words: string;
}

/** @returns the scenario with those of its methods that another has, too, by label and in the order of `labels` */
function withMethods(scenario: Scenario, labels: readonly string[]): Scenario {
  return { ...scenario, methods: labels.flatMap((label) => scenario.methods.filter((each) => each.label === label)) };
}

function lacking(before: Scenario, after: Scenario, labels: readonly string[]): readonly SettingDifference[] {
  return [before, after].flatMap((scenario) =>
    scenario.methods
      .filter(({ label }) => !labels.includes(label))
      .map((method) => {
        const isOld = scenario === before;
        return {
          path: `methods[${method.label}]`,
          before: isOld ? method : undefined,
          after: isOld ? undefined : method,
          words: `${method.label}: ${isOld ? 'there' : 'not there'} → ${isOld ? 'not there' : 'there'}`,
        };
      }),
  );
}

/** @returns the settings that differ, by path, methods by their labels; words, seeds and expected results left aside */
export function settingsDifferences(before: Scenario, after: Scenario): readonly SettingDifference[] {
  const labels = before.methods
    .map(({ label }) => label)
    .filter((label) => after.methods.some((method) => method.label === label));
  const [a, b] = [withMethods(before, labels), withMethods(after, labels)];
  const changes = changesBetween(a, b)
    .filter(({ path }) => !BESIDE_THE_SETTINGS.has(/^[^.[]*/.exec(path)?.[0] ?? ''))
    .map(({ effect: _effect, ...change }) => ({
      ...change,
      path: change.path.replace(/^methods\[(\d+)\]/, (_, index) => `methods[${labels[Number(index)]}]`),
      words: describeChange(a, change),
    }));
  return [...changes, ...lacking(before, after, labels)];
}
