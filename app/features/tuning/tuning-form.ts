/** What the user asks of a tuning, as typed: which settings over which range, how many seeds, by which measure. */
import {
  judgingMeasures,
  planTuning,
  problemsIn,
  suggestedParameters,
  USUAL_LEVELS,
  USUAL_SEEDS,
} from '../../../engine/index.ts';
import type { ParameterRequest, Scenario, TuningMeasure, TuningPlan } from '../../../engine/index.ts';
import { parseNumber, writeNumber } from '../../form/number-field.tsx';

/** A setting that can be tuned; numbers as they are typed. */
export interface TuningChoice {
  /** Inside the method. */
  readonly name: string;
  /** In a sentence: `half-width`. */
  readonly title: string;
  readonly unit: string;
  readonly chosen: boolean;
  readonly from: string;
  readonly to: string;
  readonly count: string;
}

export interface TuningForm {
  /** Label. */
  readonly method: string;
  readonly choices: readonly TuningChoice[];
  readonly measure: string;
  readonly seeds: string;
  readonly levels: string;
}

/** How many settings are tuned where nobody asks for others. */
const USUAL_CHOICES = 2;

/** @returns the form as it is before anything is typed; undefined for a method that has nothing to tune */
export function usualForm(
  scenario: Scenario,
  method: string,
  titleOf: (parameter: { title: string; name: string }) => string,
): TuningForm | undefined {
  const parameters = suggestedParameters(scenario, method);
  if (parameters.length === 0) return undefined;
  return {
    method,
    choices: parameters.map(({ name, title, unit, values }, index) => ({
      name,
      title: titleOf({ title, name }),
      unit,
      chosen: index < USUAL_CHOICES,
      from: writeNumber(values[0]),
      to: writeNumber(values.at(-1)),
      count: writeNumber(values.length),
    })),
    measure: judgingMeasures(scenario)[0].name,
    seeds: writeNumber(USUAL_SEEDS),
    levels: writeNumber(USUAL_LEVELS),
  };
}

/** A plan, or why there is none. */
export type Planned = { readonly plan: TuningPlan } | { readonly problem: string };

function requestOf({ name, title, from, to, count }: TuningChoice): ParameterRequest | string {
  const [first, last, number] = [from, to, count].map(parseNumber);
  if (first === undefined || last === undefined)
    return `${title}: found ${JSON.stringify(first === undefined ? from : to)}, allowed: a number`;
  if (number === undefined || !Number.isInteger(number) || number < 1 || number > 100)
    return `${title}: found ${JSON.stringify(count)} values, allowed: a whole number from 1 to 100`;
  if (number === 1 || first === last) return { name, values: [first] };
  if (first > last) return `${title}: the range is from ${from} to ${to}, allowed: from the smaller to the larger`;
  return { name, range: { from: first, to: last, count: number } };
}

/** @param raw the scenario as its file has it */
export function planOf(raw: unknown, { method, choices, measure, seeds, levels }: TuningForm): Planned {
  const requests = choices.filter(({ chosen }) => chosen).map(requestOf);
  const wrong = requests.find((each) => typeof each === 'string');
  if (typeof wrong === 'string') return { problem: wrong };
  if (requests.length === 0) return { problem: 'Choose a setting to tune.' };
  const [seedCount, levelCount] = [seeds, levels].map(parseNumber);
  if (seedCount === undefined || !Number.isInteger(seedCount))
    return { problem: `seeds: found ${JSON.stringify(seeds)}, allowed: a whole number` };
  if (levelCount === undefined)
    return { problem: `halvings: found ${JSON.stringify(levels)}, allowed: a whole number` };
  try {
    const parameters = requests.filter((each): each is ParameterRequest => typeof each !== 'string');
    return { plan: planTuning(raw, { method, parameters, measure, seeds: seedCount, levels: levelCount }) };
  } catch (error) {
    return { problem: problemsIn(error)[0].message };
  }
}

/** @returns what can be chosen to judge by */
export function measuresOf(scenario: Scenario): readonly TuningMeasure[] {
  return judgingMeasures(scenario);
}
