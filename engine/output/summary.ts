/**
 * The one table of a run: for each method the means over the cycles after the spin-up, and the skill against the free run.
 */
import type { ByVariable, CycleDiagnostics, MethodSummary } from '../experiment/index.ts';

interface Stages<Value> {
  readonly forecast: Value;
  readonly analysis: Value;
}

export interface MethodResult {
  readonly method: string;
  /** Cycles that were completed, with those of the spin-up. */
  readonly cycles: number;
  /** Units of the variables. Empty while no cycle after the spin-up is complete. */
  readonly rmse: Stages<ByVariable>;
  readonly spread: Stages<ByVariable>;
  /** 1 − RMSE / RMSE(free run), both of the analysis of surface height; null without a free run. */
  readonly skill: number | null;
  /** Wall clock of a cycle. */
  readonly milliseconds: Stages<number>;
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function meanByVariable(rows: readonly ByVariable[]): ByVariable {
  const variables = Object.keys(rows[0] ?? {});
  return Object.fromEntries(variables.map((variable) => [variable, mean(rows.map((row) => row[variable]))]));
}

function meanStages(rows: readonly Stages<ByVariable>[]): Stages<ByVariable> {
  return {
    forecast: meanByVariable(rows.map((row) => row.forecast)),
    analysis: meanByVariable(rows.map((row) => row.analysis)),
  };
}

type Means = Omit<MethodResult, 'method' | 'skill'>;

function meansOf(rows: readonly CycleDiagnostics[], spinup: number): Means {
  const counted = rows.filter((row) => row.cycle >= spinup);
  const timed = (stage: 'forecast' | 'analysis') =>
    counted.length === 0 ? 0 : mean(counted.map((row) => row.milliseconds[stage]));
  return {
    cycles: rows.length,
    rmse: meanStages(counted.map((row) => row.rmse)),
    spread: meanStages(counted.map((row) => row.spread)),
    milliseconds: { forecast: timed('forecast'), analysis: timed('analysis') },
  };
}

/** The variable that is shown and compared: surface height, or the first one of a model that has none. */
export function leadingVariable(values: ByVariable): string | undefined {
  return 'h' in values ? 'h' : Object.keys(values)[0];
}

/**
 * @param rows of all methods, in any order
 * @param spinup first cycle, counted from 0, that enters the means; all do where it leaves none of the run's `cycles`
 */
export function summariseRun(
  methods: readonly MethodSummary[],
  rows: readonly CycleDiagnostics[],
  spinup: number,
  cycles = Infinity,
): MethodResult[] {
  const first = spinup < cycles ? spinup : 0;
  const means = methods.map(({ label }) =>
    meansOf(
      rows.filter((row) => row.method === label),
      first,
    ),
  );
  const freeRun = methods.findIndex(({ kind }) => kind === 'free-run');
  const reference = freeRun < 0 ? undefined : heightError(means[freeRun]);
  return methods.map(({ label }, index) =>
    Object.assign({ method: label }, means[index], { skill: skillOf(heightError(means[index]), reference) }),
  );
}

function heightError({ rmse }: Means): number | undefined {
  const variable = leadingVariable(rmse.analysis);
  return variable === undefined ? undefined : rmse.analysis[variable];
}

function skillOf(error: number | undefined, reference: number | undefined): number | null {
  return error === undefined || reference === undefined || reference === 0 ? null : 1 - error / reference;
}
