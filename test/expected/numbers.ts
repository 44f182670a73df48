/** Medians and ranges over seeds, from what came of a sweep's cases. */
import { median, rounded, STATE_VARIABLES } from '../../engine/index.ts';
import type { CaseSummary, ExpectedResults } from '../../engine/index.ts';

type ExpectedResult = ExpectedResults['results'][string];
type Range = NonNullable<ExpectedResult['skill']>;

/** @throws RangeError where there is nothing to take the median of */
export function rangeOf(values: readonly number[]): Range {
  return { median: rounded(median(values)), low: rounded(Math.min(...values)), high: rounded(Math.max(...values)) };
}

/** What a measure gave with each seed; undefined where it does not apply. */
function valuesOf(cases: readonly CaseSummary[], label: string, measure: string): number[] | undefined {
  const values = cases.map(({ methods }) => methods.find(({ method }) => method === label)?.measures[measure] ?? null);
  return values.every((value) => value !== null) ? values : undefined;
}

/** The range over seeds of each variable that has one. */
function byVariable(cases: readonly CaseSummary[], label: string, measure: string): Record<string, Range> {
  return Object.fromEntries(
    STATE_VARIABLES.flatMap((variable) => {
      const values = valuesOf(cases, label, `${measure}_${variable}`);
      return values ? [[variable, rangeOf(values)]] : [];
    }),
  );
}

/**
 * @param cases one a seed
 * @returns what a scenario file expects of a method
 * @throws Error where a case failed, or the method diverged in one
 */
export function expectedResult(cases: readonly CaseSummary[], label: string): ExpectedResult {
  const failed = cases.find(({ state }) => state === 'failed');
  if (failed) throw new Error(`${label}: ${failed.reason}`);
  const diverged = cases.filter(({ methods }) => methods.find(({ method }) => method === label)?.state !== 'complete');
  if (diverged.length > 0) throw new Error(`${label}: ${diverged.length} of ${cases.length} runs diverged`);
  const spread = byVariable(cases, label, 'spread_analysis');
  const skill = valuesOf(cases, label, 'skill');
  return {
    forecast: byVariable(cases, label, 'rmse_forecast'),
    analysis: byVariable(cases, label, 'rmse_analysis'),
    ...(Object.keys(spread).length > 0 && { spread }),
    ...(skill && { skill: rangeOf(skill) }),
  };
}
