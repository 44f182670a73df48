/**
 * The one table of a run: for each method the means over the cycles after the spin-up, and the skill against the free run.
 */
import type { ByVariable, CycleDiagnostics, MethodSummary } from '../experiment/index.ts';
import { methodDefinition } from '../methods/index.ts';
import { compareByCycles } from './compare-methods.ts';
import type { Contender, CycleDifference, MethodComparisons } from './compare-methods.ts';
import { createCycleSeries, geometricMean } from './cycle-series.ts';
import type { CycleSeries, CycleValues } from './cycle-series.ts';
import { createTracks } from './method-tracks.ts';
import type { GrowingTracks, MethodTracks } from './method-tracks.ts';
import { comparedVariables, scenarioAt } from '../scenario/index.ts';
import type { Scenario } from '../scenario/index.ts';

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
  /**
   * Mean over the compared variables of 1 − RMSE / RMSE(free run), both of the analysis; null without a free run, or where it
   * has no error to compare with.
   */
  readonly skill: number | null;
  /** The same of every variable by itself; a variable that cannot be compared is left out. */
  readonly skillByVariable: ByVariable;
  /** Wall clock of a cycle. */
  readonly milliseconds: Stages<number>;
}

type Means = Omit<MethodResult, 'method' | 'skill' | 'skillByVariable'>;

/** Sums over the rows that count, added in the order in which they come; a mean is the sum over `counted`. */
interface Sums {
  cycles: number;
  counted: number;
  readonly rmse: Stages<Map<string, number>>;
  readonly spread: Stages<Map<string, number>>;
  readonly milliseconds: { forecast: number; analysis: number };
  /** RMSE of the analysis of each compared variable, by cycles. */
  readonly errors: ReadonlyMap<string, CycleSeries>;
  /** Of all variables. */
  readonly tracks: GrowingTracks;
}

const NONE: ReadonlySet<string> = new Set();

function noStages(): Stages<Map<string, number>> {
  return { forecast: new Map(), analysis: new Map() };
}

function noSums(compared: readonly string[] = []): Sums {
  return {
    cycles: 0,
    counted: 0,
    rmse: noStages(),
    spread: noStages(),
    milliseconds: { forecast: 0, analysis: 0 },
    errors: new Map(compared.map((variable) => [variable, createCycleSeries()])),
    tracks: createTracks(),
  };
}

function addValues(sums: Map<string, number>, values: ByVariable): void {
  for (const [variable, value] of Object.entries(values)) sums.set(variable, (sums.get(variable) ?? 0) + value);
}

function addRow(sums: Sums, row: CycleDiagnostics): void {
  const { cycle, rmse, spread, milliseconds } = row;
  sums.counted += 1;
  sums.tracks.add(row);
  for (const [variable, series] of sums.errors) {
    const error = rmse.analysis[variable];
    if (error !== undefined) series.add(cycle, error);
  }
  for (const stage of ['forecast', 'analysis'] as const) {
    addValues(sums.rmse[stage], rmse[stage]);
    addValues(sums.spread[stage], spread[stage]);
    sums.milliseconds[stage] += milliseconds[stage];
  }
}

function meansOf({ cycles, counted, rmse, spread, milliseconds }: Sums): Means {
  const mean = (sums: Map<string, number>): ByVariable =>
    Object.fromEntries([...sums].map(([variable, sum]) => [variable, sum / counted]));
  const means = ({ forecast, analysis }: Stages<Map<string, number>>): Stages<ByVariable> => ({
    forecast: mean(forecast),
    analysis: mean(analysis),
  });
  const timed = (sum: number): number => (counted === 0 ? 0 : sum / counted);
  return {
    cycles,
    rmse: means(rmse),
    spread: means(spread),
    milliseconds: { forecast: timed(milliseconds.forecast), analysis: timed(milliseconds.analysis) },
  };
}

/** The table of a run that grows row by row, in memory that does not grow with it. */
export interface RunSummary {
  /** Takes in a row; those of one method in the order of their cycles. */
  add(row: CycleDiagnostics): void;
  /** @returns the table of the rows so far, a row a method */
  results(methods: readonly MethodSummary[]): MethodResult[];
  /**
   * @param variables of those that are compared; all of them where left out
   * @returns the error of a method's analysis by cycles after the spin-up, of several variables the geometric mean
   */
  errors(method: string, variables?: readonly string[]): CycleValues | undefined;
  /** @returns errors and spread of a method by cycles after the spin-up, of all variables; undefined of one without rows */
  tracks(method: string): MethodTracks | undefined;
  /** @returns how methods differ over the cycles so far, without a winner. @param diverged methods to omit */
  comparisons(
    methods: readonly MethodSummary[],
    diverged?: Pick<ReadonlySet<string>, 'has'>,
    variables?: readonly string[],
  ): MethodComparisons<CycleDifference>;
}

/** What the table depends on beside the rows. */
export interface SummaryTerms {
  /** Names of the variables by which the methods are compared, as `comparedVariables` gives them. */
  readonly compared: readonly string[];
  /** First cycle, counted from 0, that enters the means; all do where it leaves none of the run's `cycles`. */
  readonly spinup: number;
  readonly cycles?: number;
}

/** @returns what the table of a scenario's run depends on */
export function summaryTerms(scenario: Scenario): SummaryTerms {
  const { spinup, cycles } = scenarioAt(scenario, Infinity).experiment;
  return { compared: comparedVariables(scenario), spinup, cycles };
}

export function createSummary({ compared, spinup, cycles = Infinity }: SummaryTerms): RunSummary {
  const first = spinup < cycles ? spinup : 0;
  const byMethod = new Map<string, Sums>();
  const errors = (method: string, variables = compared): CycleValues | undefined => {
    const known = variables.flatMap((variable) => byMethod.get(method)?.errors.get(variable)?.kept ?? []);
    return geometricMean(known.filter(({ values }) => values.length > 0));
  };
  return {
    errors,
    tracks: (method) => byMethod.get(method)?.tracks.tracks(),
    comparisons(methods, diverged = NONE, variables = compared) {
      const present = methods.filter(({ label }) => !diverged.has(label));
      const freeRun = present.find(({ kind }) => !methodDefinition(kind).assimilates)?.label;
      const contenders = present.flatMap(({ label }): Contender<CycleValues>[] => {
        const values = errors(label, variables);
        return values ? [{ name: label, freeRun, values }] : [];
      });
      return compareByCycles(contenders);
    },
    add(row) {
      const sums = byMethod.get(row.method) ?? noSums(compared);
      byMethod.set(row.method, sums);
      sums.cycles += 1;
      if (row.cycle >= first) addRow(sums, row);
    },
    results(methods) {
      const means = methods.map(({ label }) => meansOf(byMethod.get(label) ?? noSums()));
      const freeRun = methods.findIndex(({ kind }) => !methodDefinition(kind).assimilates);
      const reference = freeRun < 0 ? {} : means[freeRun].rmse.analysis;
      return methods.map(({ label }, index) => {
        const skillByVariable = skillsOf(means[index].rmse.analysis, reference);
        return { method: label, ...means[index], skill: meanOf(skillByVariable, compared), skillByVariable };
      });
    },
  };
}

/** @param rows of all methods, those of one method in the order of their cycles */
export function gatherSummary(rows: Iterable<CycleDiagnostics>, terms: SummaryTerms): RunSummary {
  const summary = createSummary(terms);
  for (const row of rows) summary.add(row);
  return summary;
}

/** @returns the table of rows, as for `gatherSummary` */
export function summariseRun(
  methods: readonly MethodSummary[],
  rows: Iterable<CycleDiagnostics>,
  terms: SummaryTerms,
): MethodResult[] {
  return gatherSummary(rows, terms).results(methods);
}

/** 1 − error / reference of each variable that has both, the reference above 0. */
function skillsOf(errors: ByVariable, references: ByVariable): ByVariable {
  return Object.fromEntries(
    Object.entries(errors)
      .filter(([variable]) => references[variable] > 0)
      .map(([variable, error]) => [variable, 1 - error / references[variable]]),
  );
}

/** Null where one of the variables has no value. */
function meanOf(values: ByVariable, variables: readonly string[]): number | null {
  const found = variables.map((variable) => values[variable]);
  if (found.length === 0 || found.includes(undefined as never)) return null;
  return found.reduce((sum, value) => sum + value, 0) / found.length;
}
