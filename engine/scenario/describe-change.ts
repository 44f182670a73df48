/** A changed setting in words: whose it is, what it is called, what it was and what it is. */
import type { Scenario, Intervention, InterventionOf } from './schema.ts';
import { tidy } from '../settings/index.ts';
import { changesBetween, type ScenarioChange } from './change-effect.ts';
import { changesAt, isSetting, scenarioAt, withSetting } from './interventions.ts';

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
