/**
 * What a run on another backend, adapter or version is held to, which rounds otherwise. A rounding is 2⁻²⁴ of a number, and grows
 * as the run makes errors grow. How far that is, is measured where the run is made again: a second one starts from states that are
 * wrong by one rounding, and the means of both are compared.
 *
 * - Of a method whose means stay within a tenth of a per cent then, as most that are observed well, the means of RMSE and spread
 *   after the spin-up are those of the bundle within 1 %: what minimisations that end at their tolerance leave, and ten times what
 *   rounding does.
 * - Where they do not, roundings have made another draw of the same statistics out of the run, as another seed of the
 *   observations' errors would. The means then agree within what such means differ by chance: √2 standard errors of the mean of the
 *   bundled run, by the stationary bootstrap [politis1994], times Student's t at 99.9 %; and within 1 % at least.
 * - In the first cycle nothing has grown: RMSE and spread agree within 1 % always. So truth, observations and ensemble are the
 *   same.
 */
import { studentHalfWidth, uncertaintyOfMean } from '../../statistics/index.ts';
import { seriesOf } from './rows.ts';
import type { Rows } from './rows.ts';

/** The mean of a column of a method over cycles. */
export interface ExpectedStatistic {
  readonly method: string;
  /** As `expected.csv` has it: `rmse_analysis_h`. */
  readonly column: string;
  /** The first cycle, and the one after the last. */
  readonly from: number;
  readonly to: number;
  readonly mean: number;
  /** By which another mean may differ, as a share of this one. */
  readonly tolerance: number;
  /** The same where roundings have made another draw of the run. */
  readonly toleranceOfDraws: number;
}

export interface StatisticComparison extends Omit<ExpectedStatistic, 'toleranceOfDraws'> {
  /** NaN where the run has no such numbers. */
  readonly found: number;
  readonly passed: boolean;
}

const TOLERANCE = 0.01;
/** By which means may move, as a share, of a run in which roundings do not grow. */
const QUIET = TOLERANCE / 10;
const LEVEL = 0.999;
/** An uncertainty needs as many. */
const FEWEST_CYCLES = 3;
const COLUMN = /^(?:rmse_forecast|rmse_analysis|spread_analysis)_/;

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** How much the mean of a series differs from that of another draw of it by chance, as a share of it. */
function toleranceOfDraws(series: readonly number[]): number {
  if (series.length < FEWEST_CYCLES) return TOLERANCE;
  const { standardError, degrees } = uncertaintyOfMean(series);
  return Math.max(TOLERANCE, (Math.SQRT2 * studentHalfWidth(LEVEL, degrees) * standardError) / meanOf(series));
}

/** @param spinup the first cycle that counts, where enough follow */
export function expectedStatistics(rows: Rows, cycles: number, spinup: number): ExpectedStatistic[] {
  const methods = [...new Set(rows.rows.map((row) => row['method'] ?? ''))];
  const first = cycles - spinup >= FEWEST_CYCLES ? spinup : 0;
  return methods.flatMap((method) =>
    rows.columns
      .filter((column) => COLUMN.test(column))
      .flatMap((column): ExpectedStatistic[] => {
        const over = (from: number, to: number): ExpectedStatistic[] => {
          const series = seriesOf(rows, method, column, from, to);
          const mean = series.length === 0 ? 0 : meanOf(series);
          // A single state has no spread.
          if (!(mean > 0)) return [];
          const common = { method, column, from, to, mean, tolerance: TOLERANCE };
          return [{ ...common, toleranceOfDraws: to === 1 ? TOLERANCE : toleranceOfDraws(series) }];
        };
        return [...over(0, 1), ...(cycles > 1 ? over(first, cycles) : [])];
      }),
  );
}

function statisticIn(rows: Rows, { method, column, from, to }: ExpectedStatistic): number {
  const series = seriesOf(rows, method, column, from, to);
  return series.length === 0 ? NaN : meanOf(series);
}

/** Labels of the methods whose means another start, wrong by one rounding, has moved. */
function methodsOfDraws(expected: readonly ExpectedStatistic[], rows: Rows, disturbed: Rows): ReadonlySet<string> {
  const moved = expected.filter((statistic) => {
    const found = statisticIn(rows, statistic);
    return Math.abs(statisticIn(disturbed, statistic) - found) > QUIET * found;
  });
  return new Set(moved.map(({ method }) => method));
}

/**
 * Holds the rows of another run against what is expected.
 *
 * @param disturbed rows of that run from states that were wrong by one rounding
 */
export function compareStatistics(
  expected: readonly ExpectedStatistic[],
  rows: Rows,
  disturbed: Rows,
): StatisticComparison[] {
  const draws = methodsOfDraws(expected, rows, disturbed);
  return expected.map(({ toleranceOfDraws: wide, ...statistic }) => {
    const { method, mean } = statistic;
    const tolerance = draws.has(method) ? wide : statistic.tolerance;
    const found = statisticIn(rows, { ...statistic, toleranceOfDraws: wide });
    return { ...statistic, tolerance, found, passed: Math.abs(found - mean) <= tolerance * mean };
  });
}
