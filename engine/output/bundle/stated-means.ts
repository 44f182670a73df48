/**
 * The means that `bundle.json` states, for people who read it. They follow from `expected.csv`, and a bundle that states others is
 * refused; a run is held to the rows themselves (statistics.ts).
 */
import { describeValue } from '../../settings/index.ts';
import type { Problem } from '../../settings/index.ts';
import { methodsIn, valuesOf } from './rows.ts';
import type { Rows } from './rows.ts';
import { firstCycle, meanOf } from './statistics.ts';
import type { Cycles } from './statistics.ts';

/** The mean of a column of a method over cycles. */
export interface StatedMean {
  readonly method: string;
  /** As `expected.csv` has it: `rmse_analysis_h`. */
  readonly column: string;
  /** The first cycle, and the one after the last. */
  readonly from: number;
  readonly to: number;
  readonly mean: number;
}

const STATED = /^(?:rmse_forecast|rmse_analysis|spread_analysis)_/;
/** What summing in another order may change. */
const ROUNDING = 1e-12;

/** @returns of each method and column the means of the first cycle and of those after the spin-up, if they are above 0 */
export function statedMeans(rows: Rows, terms: Cycles): StatedMean[] {
  const { cycles } = terms;
  const stretches = [[0, 1], ...(cycles > 1 ? [[firstCycle(terms), cycles]] : [])];
  return methodsIn(rows).flatMap((method) =>
    rows.columns
      .filter((column) => STATED.test(column))
      .flatMap((column) =>
        stretches.flatMap(([from, to]): StatedMean[] => {
          const series = valuesOf(rows, method, column, from, to).filter(Number.isFinite);
          const mean = series.length === 0 ? 0 : meanOf(series);
          // A single state has no spread.
          return mean > 0 ? [{ method, column, from, to, mean }] : [];
        }),
      ),
  );
}

/** @returns what is wrong with means that a bundle states beside those rows */
export function statedMeansProblems(stated: readonly StatedMean[], rows: Rows, terms: Cycles): Problem[] {
  const computed = statedMeans(rows, terms);
  if (stated.length !== computed.length) {
    const message = `found ${stated.length} means, expected.csv has ${computed.length}`;
    return [{ path: ['statistics'], message }];
  }
  return computed.flatMap(({ mean, ...of }, index): Problem[] => {
    const path = ['statistics', index];
    const other = Object.entries(of).find(([key, value]) => stated[index][key as keyof StatedMean] !== value);
    if (other) {
      const [key, value] = other;
      const found = describeValue(stated[index][key as keyof StatedMean]);
      return [{ path: [...path, key], message: `found ${found}, by expected.csv it is ${describeValue(value)}` }];
    }
    if (Math.abs(stated[index].mean - mean) <= ROUNDING * mean) return [];
    return [{ path: [...path, 'mean'], message: `found ${stated[index].mean}, the mean in expected.csv is ${mean}` }];
  });
}
