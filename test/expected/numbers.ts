/** Medians and ranges over seeds, and the skill of a method against the free run. */
import type { JobResult, MethodNumbers } from './job.ts';

export interface Range {
  readonly median: number;
  readonly low: number;
  readonly high: number;
}

/** Digits that are kept of a number in a scenario file. */
const DIGITS = 4;

export function rounded(value: number): number {
  return Number(value.toPrecision(DIGITS));
}

/** @throws RangeError where there is nothing to take the median of */
export function median(values: readonly number[]): number {
  if (values.length === 0) throw new RangeError('the median of no values');
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  return (sorted[Math.ceil(middle - 0.5)] + sorted[Math.floor(middle - 0.5)]) / 2;
}

export function rangeOf(values: readonly number[]): Range {
  return { median: rounded(median(values)), low: rounded(Math.min(...values)), high: rounded(Math.max(...values)) };
}

/** Mean over the compared variables of 1 − RMSE/RMSE(free run), of the analysis; −∞ for a run that diverged. */
export function skillOf(
  found: MethodNumbers | null,
  freeRun: MethodNumbers | null,
  compared: readonly string[],
): number {
  if (!found || !freeRun) return -Infinity;
  const ratios = compared.map((variable) => found.rmse.analysis[variable] / freeRun.rmse.analysis[variable]);
  return 1 - ratios.reduce((sum, ratio) => sum + ratio, 0) / ratios.length;
}

/** The range over seeds of each variable of a stage. */
export function rangesOf(
  runs: readonly MethodNumbers[],
  measure: 'rmse' | 'spread',
  stage: 'forecast' | 'analysis',
): Record<string, Range> {
  return Object.fromEntries(
    Object.keys(runs[0][measure][stage]).map((variable) => [
      variable,
      rangeOf(runs.map((run) => run[measure][stage][variable])),
    ]),
  );
}

export function present(results: readonly JobResult[], label: string): MethodNumbers[] {
  return results.flatMap((result) => result[label] ?? []);
}
