/** What the definitions of a scenario's methods say of them. */
import { assumptionsOf, limitProblem, membersOf, methodDefinition, METHODS } from '../methods/index.ts';
import { describeValue, listWords, within, type Path, type Problem } from '../settings/index.ts';
import type { MethodTuning } from '../methods/index.ts';
import { nameKey, type Method, type Scenario } from './schema.ts';
import { innerMomentCount } from './networks.ts';
import { situationOf } from './situation.ts';

/** @returns states that the methods of a scenario carry together */
export function statesOf({ methods, background }: Pick<Scenario, 'methods' | 'background'>): number {
  return methods.reduce((sum, { kind }) => sum + membersOf(kind, background.members), 0);
}

/** @returns members that the background must have at least for each method to work */
export function leastMembers({ methods }: Pick<Scenario, 'methods'>): number {
  return methods.some(({ kind }) => methodDefinition(kind).trustsSpread) ? 2 : 1;
}

/** @returns what is wrong with the methods */
export function methodProblems(scenario: Scenario): Problem[] {
  const { methods, background } = scenario;
  const situation = situationOf(scenario);
  const labels = new Map<string, number>();
  const problems = methods.flatMap((method, index): Problem[] => {
    const path: Path = ['methods', index];
    const name = nameKey(method.label);
    const first = labels.get(name);
    const own = within(path, methodDefinition(method.kind).problems?.(method, situation) ?? []);
    if (first === undefined) {
      labels.set(name, index);
      return own;
    }
    const message = `found the label ${describeValue(method.label)}, which is the label of methods[${first}] too; give each method a label of its own`;
    return [{ path: [...path, 'label'], message }, ...own];
  });
  return [...problems, ...memberProblems(background.members, leastMembers(scenario)), ...limitProblems(scenario)];
}

function memberProblems(found: number, least: number): Problem[] {
  if (found >= least) return [];
  const filters = METHODS.filter(({ trustsSpread }) => trustsSpread).map(({ kind }) => describeValue(kind));
  const message = `found ${found}, allowed: at least ${least} with the methods ${listWords(filters, 'and')}`;
  return [{ path: ['background', 'members'], message }];
}

/** More observations in one analysis than a method can take. */
function limitProblems(scenario: Scenario): Problem[] {
  const { observations } = situationOf(scenario);
  return [...new Set(scenario.methods.map(({ kind }) => kind))].flatMap((kind): Problem[] => {
    const message = limitProblem(kind, observations);
    return message === undefined ? [] : [{ path: ['observations'], message }];
  });
}

/** @returns settings of the methods that are allowed and yet without effect, or outside what a method assumes */
export function methodWarnings(scenario: Scenario): Problem[] {
  const situation = situationOf(scenario);
  return scenario.methods.flatMap((method, index) => {
    const own = methodDefinition(method.kind).warnings?.(method, situation) ?? [];
    return within(['methods', index], [...own, ...assumptionWarnings(method, scenario)]);
  });
}

/** Another time for what is only observed at one. */
function assumptionWarnings(method: Method, { observations }: Scenario): Problem[] {
  if (assumptionsOf(method).isInTime === undefined || innerMomentCount(observations) > 0) return [];
  const message = 'set, and no network observes inside the window, which its timing.moments say: it is without effect';
  return [{ path: ['assumed', 'firstGuess'], message }];
}

/**
 * What a method that is added starts with: settings that suit the scenario, in place of the schema's defaults, which know neither
 * its basin nor its network. They are a start for tuning and not the best ones.
 *
 * @param scenario as it runs, with every default; undefined while there is none that is valid
 * @returns a method as the file writes it, without a label
 */
export function proposedMethod(kind: string, scenario: Scenario | undefined): Readonly<Record<string, unknown>> {
  if (scenario === undefined) return { kind };
  return { kind, ...methodDefinition(kind).proposal?.(situationOf(scenario), scenario.methods) };
}

/** @returns what is worth tuning in a method of the scenario; paths begin inside the method. @throws RangeError for a label that it does not have */
export function methodTuning(scenario: Scenario, label: string): MethodTuning {
  const method = scenario.methods.find((each) => each.label === label);
  if (!method) throw new RangeError(`the scenario has no method ${label}`);
  return methodDefinition(method.kind).tuning?.(method, situationOf(scenario)) ?? { settings: [] };
}
