/**
 * The one table of a run: for each method the means over the cycles after the spin-up, and the skill against the free run.
 */
import type { ByVariable, CycleDiagnostics, MethodSummary } from '../experiment/index.ts';
import { methodDefinition } from '../methods/index.ts';
import { compareByCycles, createCycleSeries, geometricMean, createTracks } from './cycle-series.ts';
import type {
  Contender,
  CycleDifference,
  MethodComparisons,
  CycleSeries,
  CycleValues,
  GrowingTracks,
  MethodTracks,
} from './cycle-series.ts';
import { comparedVariables, headlineError, scenarioAt, type HeadlineError, type Scenario } from '../scenario/index.ts';

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
  /** Error of the basin's mean level: means over the cycles of |mean error|. Empty for a run of an earlier version. */
  readonly rmseLevel: Stages<ByVariable>;
  /** Error of the pattern, the rest: means over the cycles. Empty for a run of an earlier version. */
  readonly rmsePattern: Stages<ByVariable>;
  /** Empty for a method with one member. */
  readonly spread: Stages<ByVariable>;
  /**
   * Mean over the compared variables of 1 − RMSE / RMSE(free run), both of the analysis; null without a free run, or where it
   * has no error to compare with.
   */
  readonly skill: number | null;
  /** The same of every variable by itself; a variable that cannot be compared is omitted. */
  readonly skillByVariable: ByVariable;
  /** The same two of the pattern's error. */
  readonly skillPattern: number | null;
  readonly skillPatternByVariable: ByVariable;
  /** Wall clock of a cycle. */
  readonly milliseconds: Stages<number>;
}

type Means = Omit<MethodResult, 'method' | 'skill' | 'skillByVariable' | 'skillPattern' | 'skillPatternByVariable'>;

/** Sums over the rows that count, added in the order in which they come; a mean is the sum over `counted`. */
interface Sums {
  cycles: number;
  counted: number;
  /** Rows that have level and pattern. */
  split: number;
  readonly rmse: Stages<Map<string, number>>;
  readonly rmseLevel: Stages<Map<string, number>>;
  readonly rmsePattern: Stages<Map<string, number>>;
  readonly spread: Stages<Map<string, number>>;
  readonly milliseconds: { forecast: number; analysis: number };
  /** RMSE of the analysis of each compared variable, by cycles: of all of the error, and of its pattern. */
  readonly errors: Readonly<Record<HeadlineError, ReadonlyMap<string, CycleSeries>>>;
  /** Tracks of all variables. */
  readonly tracks: GrowingTracks;
}

const STAGES = ['forecast', 'analysis'] as const;

const NONE: ReadonlySet<string> = new Set();

function noStages(): Stages<Map<string, number>> {
  return { forecast: new Map(), analysis: new Map() };
}

function noSums(compared: readonly string[] = []): Sums {
  const series = () => new Map(compared.map((variable) => [variable, createCycleSeries()]));
  return {
    cycles: 0,
    counted: 0,
    split: 0,
    rmse: noStages(),
    rmseLevel: noStages(),
    rmsePattern: noStages(),
    spread: noStages(),
    milliseconds: { forecast: 0, analysis: 0 },
    errors: { total: series(), pattern: series() },
    tracks: createTracks(),
  };
}

function addValues(sums: Map<string, number>, values: ByVariable, of = (value: number): number => value): void {
  for (const [variable, value] of Object.entries(values)) sums.set(variable, (sums.get(variable) ?? 0) + of(value));
}

function addErrors(series: ReadonlyMap<string, CycleSeries>, cycle: number, errors: ByVariable): void {
  for (const [variable, each] of series) {
    const error = errors[variable];
    if (error !== undefined) each.add(cycle, error);
  }
}

function addRow(sums: Sums, row: CycleDiagnostics): void {
  const { cycle, rmse, meanError, rmsePattern, spread, milliseconds } = row;
  sums.counted += 1;
  sums.tracks.add(row);
  addErrors(sums.errors.total, cycle, rmse.analysis);
  for (const stage of STAGES) {
    addValues(sums.rmse[stage], rmse[stage]);
    addValues(sums.spread[stage], spread[stage]);
    sums.milliseconds[stage] += milliseconds[stage];
  }
  if (meanError === undefined || rmsePattern === undefined) return;
  sums.split += 1;
  addErrors(sums.errors.pattern, cycle, rmsePattern.analysis);
  for (const stage of STAGES) {
    addValues(sums.rmseLevel[stage], meanError[stage], Math.abs);
    addValues(sums.rmsePattern[stage], rmsePattern[stage]);
  }
}

function meansOf({ cycles, counted, split, milliseconds, ...sums }: Sums): Means {
  const mean = (values: Map<string, number>): ByVariable =>
    Object.fromEntries([...values].map(([variable, sum]) => [variable, sum / counted]));
  const means = (of: Stages<Map<string, number>>): Stages<ByVariable> => ({
    forecast: mean(of.forecast),
    analysis: mean(of.analysis),
  });
  // Means over other cycles than those of the whole error would not belong to it.
  const ofSplit = (of: Stages<Map<string, number>>) => means(split === counted ? of : noStages());
  const timed = (sum: number): number => (counted === 0 ? 0 : sum / counted);
  return {
    cycles,
    rmse: means(sums.rmse),
    rmseLevel: ofSplit(sums.rmseLevel),
    rmsePattern: ofSplit(sums.rmsePattern),
    spread: means(sums.spread),
    milliseconds: { forecast: timed(milliseconds.forecast), analysis: timed(milliseconds.analysis) },
  };
}

/** The table of a run that grows row by row, in memory that does not grow with it. */
export interface RunSummary {
  /** The error that comes first: `total` of a run of an earlier version, which has no pattern. */
  readonly headline: HeadlineError;
  /** Takes in a row; those of one method in the order of their cycles. */
  add(row: CycleDiagnostics): void;
  /** @returns the table of the rows so far, a row a method */
  results(methods: readonly MethodSummary[]): MethodResult[];
  /**
   * @param variables of those that are compared; all of them if omitted
   * @param of which error. Default: all of it
   * @returns the error of a method's analysis by cycles after the spin-up, of several variables the geometric mean
   */
  errors(method: string, variables?: readonly string[], of?: HeadlineError): CycleValues | undefined;
  /** @returns errors and spread of a method by cycles after the spin-up, of all variables; undefined of one without rows */
  tracks(method: string): MethodTracks | undefined;
  /**
   * @param diverged methods to omit
   * @returns how methods differ over the cycles so far, without a winner
   */
  comparisons(
    methods: readonly MethodSummary[],
    diverged?: Pick<ReadonlySet<string>, 'has'>,
    variables?: readonly string[],
    of?: HeadlineError,
  ): MethodComparisons<CycleDifference>;
}

/** What the table depends on beside the rows. */
export interface SummaryTerms {
  /** Names of the variables by which the methods are compared, as `comparedVariables` gives them. */
  readonly compared: readonly string[];
  /** First cycle, counted from 0, that enters the means; all do where it leaves none of the run's `cycles`. */
  readonly spinup: number;
  readonly cycles?: number;
  /** The error that comes first and is compared. Default `total`. */
  readonly headline?: HeadlineError;
}

/** @returns what the table of a scenario's run depends on */
export function summaryTerms(scenario: Scenario): Required<SummaryTerms> {
  const { spinup, cycles } = scenarioAt(scenario, Infinity).experiment;
  return { compared: comparedVariables(scenario), spinup, cycles, headline: headlineError(scenario) };
}

export function createSummary({ compared, spinup, cycles = Infinity, headline = 'total' }: SummaryTerms): RunSummary {
  const first = spinup < cycles ? spinup : 0;
  const byMethod = new Map<string, Sums>();
  const hasPattern = (): boolean => [...byMethod.values()].every(({ counted, split }) => split === counted);
  const usual = (): HeadlineError => (headline === 'pattern' && hasPattern() ? 'pattern' : 'total');
  const errors = (method: string, variables = compared, of: HeadlineError = 'total'): CycleValues | undefined => {
    const known = variables.flatMap((variable) => byMethod.get(method)?.errors[of].get(variable)?.kept ?? []);
    return geometricMean(known.filter(({ values }) => values.length > 0));
  };
  return {
    get headline() {
      return usual();
    },
    errors,
    tracks: (method) => byMethod.get(method)?.tracks.tracks(),
    comparisons(methods, diverged = NONE, variables = compared, of: HeadlineError = 'total') {
      const present = methods.filter(({ label }) => !diverged.has(label));
      const freeRun = present.find(({ kind }) => !methodDefinition(kind).assimilates)?.label;
      const contenders = present.flatMap(({ label }): Contender<CycleValues>[] => {
        const values = errors(label, variables, of);
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
      return methods.map(({ label }, index) => {
        const skillsIn = (quantity: 'rmse' | 'rmsePattern'): ByVariable =>
          skillsOf(means[index][quantity].analysis, freeRun < 0 ? {} : means[freeRun][quantity].analysis);
        const [skillByVariable, skillPatternByVariable] = [skillsIn('rmse'), skillsIn('rmsePattern')];
        return {
          method: label,
          ...means[index],
          skill: meanOf(skillByVariable, compared),
          skillByVariable,
          skillPattern: meanOf(skillPatternByVariable, compared),
          skillPatternByVariable,
        };
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
