/**
 * A scenario whose settings change while it runs: what they are at a cycle, and what is different from there on. An intervention
 * of cycle c takes effect before the forecast of cycle c; the run ends where the cycles of that moment end.
 */
import { ScenarioError } from '../errors.ts';
import { changesBetween, type ScenarioChange } from './change-effect.ts';
import { problemsOf } from './schema-problems.ts';
import { parseSettings, type Intervention, type InterventionOf, type Scenario } from './schema.ts';
import { setPath } from './set-path.ts';

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
