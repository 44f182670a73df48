/** What of two scenarios is alike, and what of their settings differs: the words about them and the seed left aside. */
import { changesBetween } from './change-effect.ts';
import type { ScenarioChange } from './change-effect.ts';
import { describeChange } from './describe-change.ts';
import { isSetting } from './interventions.ts';
import type { Scenario } from './schema.ts';

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
