/** What the scenario's tests share: a small valid scenario, and the problems that a changed one has. */
import { ScenarioError, describeProblem } from '../../../engine/errors.ts';
import { METHODS } from '../../../engine/methods/index.ts';
import { parseScenario, warningsOf } from '../../../engine/scenario/index.ts';
import type { Scenario, ScenarioInput } from '../../../engine/scenario/index.ts';

/** The kinds of methods, as a message lists them. */
export const METHOD_KINDS = METHODS.map(({ kind }) => `"${kind}"`)
  .join(', ')
  .replace(/, ([^,]*)$/, ' or $1');

/** The problems that a text has; empty when it is a scenario. Any error but a ScenarioError is thrown on. */
export function problemsOf(written: string | Uint8Array): readonly string[] {
  try {
    parseScenario(written, 'case.json');
    return [];
  } catch (error) {
    if (error instanceof ScenarioError) return error.problems.map(describeProblem);
    throw error;
  }
}

/** A scenario of 16 × 12 cells of 2 × 3 m, from the defaults and these changes. */
export function smallScenario(changes: Partial<ScenarioInput> = {}): ScenarioInput {
  return {
    version: 3,
    name: 'small',
    grid: { nx: 16, ny: 12, dx: 2, dy: 3 },
    ...changes,
  };
}

export function parsed(changes: Partial<ScenarioInput> = {}): Scenario {
  return parseScenario(JSON.stringify(smallScenario(changes)), 'small.json').scenario;
}

/** A scenario's warnings as they are printed. */
export function warningLines(scenario: Scenario): string[] {
  return warningsOf(scenario).map(describeProblem);
}

/** The problems of a small scenario with these changes, without the file's name and the position. */
export function problemsWith(changes: Partial<ScenarioInput>): string[] {
  return problemsOf(JSON.stringify(smallScenario(changes))).map((line) => line.replace(/^case\.json:\d+:\d+: /, ''));
}
