/**
 * A scenario whose settings change while it runs: what they are at a cycle, and what its interventions have against the rest.
 * An intervention of cycle c takes hold before the forecast of cycle c; the run ends where the cycles of that moment end.
 */
import { ScenarioError } from '../errors.ts';
import { describeProblem, quote } from '../settings/index.ts';
import type { Problem } from '../settings/index.ts';
import { changesBetween, effectOf, nextCycleSettings } from './change-effect.ts';
import type { ScenarioChange } from './change-effect.ts';
import { problemsOf } from './schema-problems.ts';
import { scenarioSchema } from './schema.ts';
import type { Intervention, Scenario } from './schema.ts';
import { setPath } from './set-path.ts';

/** @throws ScenarioError where the value is not allowed at the path */
function changed(scenario: Scenario, { path, value }: Intervention): Scenario {
  const { data, error } = scenarioSchema.safeParse(setPath(scenario, path, value, ''));
  if (data) return data;
  throw new ScenarioError(problemsOf(error.issues, scenario));
}

function applied(scenario: Scenario, interventions: readonly Intervention[]): Scenario {
  return interventions.reduce(changed, scenario);
}

/** @returns the scenario as its settings are from the forecast of a cycle on; its interventions stay in it */
export function scenarioAt(scenario: Scenario, cycle: number): Scenario {
  return applied(
    scenario,
    scenario.interventions.filter((each) => each.cycle <= cycle),
  );
}

/** @returns the scenario with the interventions before a cycle alone: all that has a part in the state before its forecast */
export function scenarioBefore(scenario: Scenario, cycle: number): Scenario {
  return { ...scenario, interventions: scenario.interventions.filter((each) => each.cycle < cycle) };
}

/** @returns what is different from the forecast of a cycle on; nothing in nearly all cycles */
export function changesAt(scenario: Scenario, cycle: number): readonly ScenarioChange[] {
  if (!scenario.interventions.some((each) => each.cycle === cycle)) return [];
  return changesBetween(scenarioAt(scenario, cycle - 1), scenarioAt(scenario, cycle));
}

/** @returns cycles that the run has when its interventions have taken hold */
export function cyclesOf(scenario: Scenario): number {
  return scenarioAt(scenario, Infinity).experiment.cycles;
}

/**
 * @param scenario without problems of its own
 * @param problemsOfSettings what settings have against each other
 * @returns what is wrong with the interventions, the first of each
 */
export function interventionProblems(
  scenario: Scenario,
  problemsOfSettings: (scenario: Scenario) => readonly Problem[],
): Problem[] {
  const problems: Problem[] = [];
  let now = scenario;
  let latest = 0;
  scenario.interventions.forEach((intervention, index) => {
    const { cycle, path } = intervention;
    const { cycles } = now.experiment;
    const tell = (key: keyof Intervention, message: string): void =>
      void problems.push({ path: ['interventions', index, key], message });
    if (cycle < latest) tell('cycle', `found ${cycle} after ${latest}, allowed are cycles in ascending order`);
    else if (cycle > cycles) tell('cycle', `found ${cycle}, allowed is at most ${cycles}, where the run ends`);
    else if (effectOf(path) !== 'next-cycle')
      tell('path', `found ${quote(path)}, allowed are settings that can change while it runs: ${nextCycleSettings()}`);
    else {
      const [next, message] = tried(now, intervention);
      const inconsistent = next ? problemsOfSettings(next)[0]?.message : message;
      if (next && next.experiment.cycles < cycle)
        tell('value', `found ${next.experiment.cycles}, allowed is at least ${cycle}, the cycle of the change`);
      else if (inconsistent !== undefined) tell('value', inconsistent);
      else now = next ?? now;
    }
    latest = Math.max(latest, cycle);
  });
  return problems;
}

function tried(scenario: Scenario, intervention: Intervention): [Scenario | undefined, string | undefined] {
  try {
    return [changed(scenario, intervention), undefined];
  } catch (error) {
    if (!(error instanceof ScenarioError)) throw error;
    const [{ path, message }] = error.problems;
    return [undefined, describeProblem({ path, message })];
  }
}
