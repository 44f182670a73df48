/** Medians and ranges over seeds, from what came of the cases of a scenario or a variant. */
import { median, rounded, STATE_VARIABLES } from '../../engine/index.ts';
import type { ExpectedResults } from '../../engine/index.ts';
import type { MeasuredCase, MeasuredMethod } from './measured.ts';

type ExpectedResult = ExpectedResults['results'][string];
type Range = NonNullable<ExpectedResult['skill']>;
type Own = NonNullable<ExpectedResults['own']>;

/** Measures that a run with the scenario's own seed is held to. */
const OWN_MEASURE = /^(rmse|spread)_(forecast|analysis)_|^skill$|^skill_pattern$/;

/** @throws RangeError if there is nothing to take the median of */
export function rangeOf(values: readonly number[]): Range {
  return { median: rounded(median(values)), low: rounded(Math.min(...values)), high: rounded(Math.max(...values)) };
}

/** What a measure gave with each seed; undefined if it does not apply. */
function valuesOf(methods: readonly MeasuredMethod[], measure: string): number[] | undefined {
  const values = methods.map(({ measures }) => measures[measure] ?? null);
  return values.every((value) => value !== null) ? values : undefined;
}

function byVariable(methods: readonly MeasuredMethod[], measure: string): Record<string, Range> {
  return Object.fromEntries(
    STATE_VARIABLES.flatMap((variable) => {
      const values = valuesOf(methods, `${measure}_${variable}`);
      return values ? [[variable, rangeOf(values)]] : [];
    }),
  );
}

function methodIn({ methods, reason }: MeasuredCase, label: string): MeasuredMethod {
  const found = methods.find(({ method }) => method === label);
  if (!found) throw new Error(`${label}: ${reason ?? 'it did not run'}`);
  return found;
}

/**
 * @param cases one a seed
 * @returns what a scenario file expects of a method, over the seeds with which it did not diverge
 * @throws Error if a case failed, or the method diverged in all
 */
export function expectedResult(cases: readonly MeasuredCase[], label: string, hasPattern: boolean): ExpectedResult {
  const all = cases.map((each) => methodIn(each, label));
  const complete = all.filter(({ state }) => state === 'complete');
  const diverged = all.length - complete.length;
  if (complete.length === 0) throw new Error(`${label}: all ${all.length} runs diverged`);
  const spread = byVariable(complete, 'spread_analysis');
  const skill = valuesOf(complete, 'skill');
  const skillPattern = hasPattern ? valuesOf(complete, 'skill_pattern') : undefined;
  return {
    forecast: byVariable(complete, 'rmse_forecast'),
    analysis: byVariable(complete, 'rmse_analysis'),
    ...(Object.keys(spread).length > 0 && { spread }),
    ...(hasPattern && { pattern: byVariable(complete, 'rmse_pattern_analysis') }),
    ...(skill && { skill: rangeOf(skill) }),
    ...(skillPattern && { skillPattern: rangeOf(skillPattern) }),
    ...(diverged > 0 && { diverged }),
  };
}

/** @returns the numbers of the run with the scenario's own seed */
export function ownResults(seed: number, { methods }: MeasuredCase): Own {
  const results = methods.map(({ method, measures }) => [
    method,
    Object.fromEntries(
      Object.entries(measures).flatMap(([name, value]) =>
        OWN_MEASURE.test(name) && value !== null ? [[name, rounded(value)]] : [],
      ),
    ),
  ]);
  return { seed, results: Object.fromEntries(results) as Own['results'] };
}
