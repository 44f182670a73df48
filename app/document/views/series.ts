/** What the charts draw, drawn out of a run's diagnostics. */
import type { CycleDiagnostics } from '../../../engine/index.ts';

export type Stage = 'forecast' | 'analysis';

/** A number of a cycle; cycles that have none are omitted, or NaN where the line must break. */
export interface CyclePoint {
  readonly x: number;
  readonly y: number;
}

/** Diagnostics of one method, by ascending cycle. */
export type MethodDiagnostics = readonly CycleDiagnostics[];

/** Names of the state variables, from the first diagnostics there are. */
export function variablesOf(byMethod: Iterable<MethodDiagnostics>): string[] {
  for (const [first] of byMethod) {
    if (first !== undefined) return Object.keys(first.rmse.analysis);
  }
  return [];
}

/** Units of what is measured, by the variable's name. */
export function unitOf(variable: string): string {
  if (variable === 'hu' || variable === 'hv') return 'm²/s';
  if (variable === 'u' || variable === 'v' || variable === 'speed') return 'm/s';
  return variable === 'h' || variable === 'eta' ? 'm' : '';
}

/** RMSE by cycle. With both stages a saw's teeth: the forecast a little before the analysis of its cycle. */
export function rmseSeries(rows: MethodDiagnostics, variable: string, stage: Stage | 'both'): CyclePoint[] {
  return stages(rows, stage, (row, when) => row.rmse[when][variable]);
}

/** The mean error over the basin by cycle, signed, or the RMSE about it; empty for rows of an earlier version. */
export function errorPartSeries(
  rows: MethodDiagnostics,
  variable: string,
  stage: Stage | 'both',
  part: 'meanError' | 'rmsePattern',
): CyclePoint[] {
  return stages(rows, stage, (row, when) => row[part]?.[when][variable]).filter(({ y }) => Number.isFinite(y));
}

/** Ensemble spread by cycle; empty for a method with one member, whose spread is 0 throughout. */
export function spreadSeries(rows: MethodDiagnostics, variable: string, stage: Stage | 'both'): CyclePoint[] {
  const points = stages(rows, stage, (row, when) => row.spread[when][variable]);
  return points.some(({ y }) => y > 0) ? points : [];
}

/** Where a forecast is on an axis of cycles when forecast and analysis of a cycle are both drawn. */
const FORECAST_OFFSET = -0.25;

function stages(
  rows: MethodDiagnostics,
  stage: Stage | 'both',
  read: (row: CycleDiagnostics, when: Stage) => number | undefined,
): CyclePoint[] {
  const value = (row: CycleDiagnostics, when: Stage): number => read(row, when) ?? Number.NaN;
  if (stage !== 'both') return rows.map((row) => ({ x: row.cycle, y: value(row, stage) }));
  return rows.flatMap((row) => [
    { x: row.cycle + FORECAST_OFFSET, y: value(row, 'forecast') },
    { x: row.cycle, y: value(row, 'analysis') },
  ]);
}

export type InnovationMeasure = 'mean' | 'standardDeviation' | 'normalisedSquares' | 'chiSquare';

/** A statistic of the innovations by cycle; cycles without observations, or without the statistic, are omitted. */
export function innovationSeries(rows: MethodDiagnostics, measure: InnovationMeasure): CyclePoint[] {
  return rows.flatMap(({ cycle, innovation }) => {
    const y = innovation?.[measure];
    return y === undefined || innovation?.count === 0 ? [] : [{ x: cycle, y }];
  });
}

/** Inflation by cycle, of a method whose inflation adapts itself; empty of the others. */
export function inflationSeries(rows: MethodDiagnostics): CyclePoint[] {
  return rows.flatMap(({ cycle, inflation }) => (inflation === undefined ? [] : [{ x: cycle, y: inflation }]));
}

/** Counts of a variable by rank summed over the cycles from `from` to `to`; empty if there are none. */
export function ranksOf(
  rows: MethodDiagnostics,
  variable: string,
  from: number,
  to: number,
): readonly (readonly number[])[] {
  return rows.flatMap(({ cycle, rankHistogram }) => {
    const counts = rankHistogram[variable];
    return cycle < from || cycle > to || counts === undefined ? [] : [counts];
  });
}

/**
 * The cycles that sums up to the present run over: after the spin-up where it is past, and within the part that is looked at
 * where the present lies in it.
 */
export function countedCycles(
  cycle: number,
  spinup: number,
  domain: readonly [number, number] | undefined,
): { readonly from: number; readonly to: number } {
  const after = spinup <= cycle ? spinup : 0;
  if (domain === undefined || Math.ceil(domain[0]) > cycle) return { from: after, to: cycle };
  const [first, last] = [Math.ceil(domain[0]), Math.min(cycle, Math.floor(domain[1]))];
  return { from: after <= last ? Math.max(first, after) : first, to: last };
}

/** A part of the cycles, from one to another, both counted. */
interface CycleSpan {
  readonly from: number;
  readonly to: number;
}

/** @returns the rows that means are over */
export function counted(rows: MethodDiagnostics, { from, to }: CycleSpan): MethodDiagnostics {
  return rows.filter(({ cycle }) => cycle >= from && cycle <= to);
}

/** The diagnostics of a cycle, or of the last one before it that `has` what is asked for. */
export function latestWith(
  rows: MethodDiagnostics,
  cycle: number,
  has: (row: CycleDiagnostics) => boolean,
): CycleDiagnostics | undefined {
  return rows.findLast((row) => row.cycle <= cycle && has(row));
}
