/**
 * A sweep of one point: a scenario with several seeds and nothing varied. It says what a single run cannot: which of the methods
 * is better, since the difference between two methods persists for a whole run, whatever its number of cycles.
 */
import { compareBySeeds, type Contender, type MethodComparisons } from '../output/cycle-series.ts';
import { methodDefinition } from '../methods/index.ts';
import { modelKindDefinition } from '../model-kinds/index.ts';
import { comparedVariables, headlineError, validateScenario } from '../scenario/index.ts';
import type { HeadlineError, Scenario } from '../scenario/index.ts';
import { compareFamily, medianInterval, type Interval, type PairedComparison } from '../statistics/index.ts';
import { headlineSkill, usualMeasures } from './measures.ts';
import { validateSweepDefinition, type ReadSweep } from './read-definition.ts';
import type { SweepCase, SweepMeasure, SweepResults } from './results.ts';

/** What is known of one measure of one method. */
export interface SeedsMeasure {
  readonly measure: SweepMeasure;
  /** The median over the seeds with which it did not diverge, and where the median of all seeds is; undefined if there is none. */
  readonly median: Interval | undefined;
  /** In the order of `OverSeeds.complete`; null where the method diverged, or where the measure does not apply. */
  readonly bySeed: readonly (number | null)[];
}

/** One method over the seeds. */
export interface SeedsRow {
  readonly method: string;
  /** By the names of the measures. */
  readonly measures: ReadonlyMap<string, SeedsMeasure>;
  readonly diverged: readonly { readonly seed: number; readonly cycle: number }[];
}

/** A variable whose analysis is worse than the free run's over the seeds, observed or not. */
interface WorseOverSeeds {
  readonly method: string;
  readonly variable: string;
  readonly comparison: PairedComparison;
}

/** Why the methods are compared by another error than the whole one; empty if they are not. */
export const HEADLINE_REMARKS: Readonly<Record<HeadlineError, string>> = {
  total: '',
  pattern:
    'The volume of the truth changes without the methods’ knowledge: they are compared by the pattern of the error, without the mean level of the basin.',
};

/** What the seeds that are complete say. */
export interface OverSeeds {
  /** All that are asked for. */
  readonly seeds: readonly number[];
  readonly complete: readonly number[];
  /** Seeds that could not be run, and why. */
  readonly failures: readonly { readonly seed: number; readonly reason: string }[];
  /** Names of the variables by which the methods are compared. */
  readonly compared: readonly string[];
  /** The error by which they are compared: the whole one, or its pattern if the volume changes without the methods' knowing. */
  readonly headline: HeadlineError;
  /** Measures of the table for people, in its order. */
  readonly shown: readonly SweepMeasure[];
  /** By method, in the scenario's order. */
  readonly rows: readonly SeedsRow[];
  /** By the headline's RMSE of the analysis; of several compared variables by their geometric mean. */
  readonly comparisons: MethodComparisons<PairedComparison>;
  readonly worse: readonly WorseOverSeeds[];
}

/** The error of every variable is measured, since a method may lose in one that is not observed. */
function measuresOf(scenario: Scenario): string[] {
  const { variables } = modelKindDefinition(scenario.model);
  const ofEach = variables.map(({ name }) => errorName('analysis', name));
  return [...new Set([...usualMeasures(scenario), ...shownNames(scenario), ...ofEach])];
}

function errorName(stage: 'forecast' | 'analysis', variable: string, headline: HeadlineError = 'total'): string {
  return `rmse_${headline === 'pattern' ? 'pattern_' : ''}${stage}_${variable}`;
}

/** Measures of the table: the headline's errors and skill, and the skill of the whole error if that is another. */
function shownNames(scenario: Scenario): readonly string[] {
  const headline = headlineError(scenario);
  const errors = comparedVariables(scenario).flatMap((variable) =>
    (['forecast', 'analysis'] as const).map((stage) => errorName(stage, variable, headline)),
  );
  return [...errors, ...new Set([headlineSkill(scenario), 'skill'])];
}

/**
 * @param methods labels of those that run; all if omitted
 * @returns the sweep that runs a scenario with each seed
 */
export function sweepOverSeeds(scenario: Scenario, seeds: readonly number[], methods?: readonly string[]): ReadSweep {
  const { name } = scenario;
  const definition = {
    version: 1,
    name,
    scenario: name,
    seeds: [...seeds],
    ...(methods && { methods: [...methods] }),
    measures: measuresOf(scenario),
  };
  return validateSweepDefinition(definition, name);
}

/** @returns the value of a measure with each seed */
function valuesOf(cases: readonly SweepCase[], measures: readonly SweepMeasure[], method: string, name: string) {
  const index = measures.findIndex((measure) => measure.name === name);
  return cases.map(({ methods }) => methods.find((outcome) => outcome.method === method)?.values[index] ?? null);
}

function rowOf(method: string, cases: readonly SweepCase[], measures: readonly SweepMeasure[]): SeedsRow {
  const known = measures.map((measure): [string, SeedsMeasure] => {
    const bySeed = valuesOf(cases, measures, method, measure.name);
    const found = bySeed.filter((value) => value !== null);
    return [measure.name, { measure, bySeed, median: found.length === 0 ? undefined : medianInterval(found) }];
  });
  const diverged = cases.flatMap(({ seed, methods }) => {
    const cycle = methods.find((outcome) => outcome.method === method)?.divergedAt ?? null;
    return cycle === null ? [] : [{ seed, cycle }];
  });
  return { method, measures: new Map(known), diverged };
}

/** @returns the geometric mean of the values of several measures, by seed; null where one is absent */
function geometricMeans({ measures }: SeedsRow, names: readonly string[]): readonly (number | null)[] {
  const lists = names.map((name) => measures.get(name)?.bySeed ?? []);
  return (lists[0] ?? []).map((_, seed) => {
    const values = lists.map((list) => list[seed] ?? null);
    if (values.includes(null)) return null;
    return values.reduce<number>((product, value) => product * (value ?? 1), 1) ** (1 / values.length);
  });
}

/** @returns each method and variable whose error is larger than the free run's by more than chance */
function worseThan(freeRun: SeedsRow, rows: readonly SeedsRow[], variables: readonly string[]): WorseOverSeeds[] {
  const families = variables.map((variable) => {
    const name = errorName('analysis', variable);
    return { variable, family: compareFamily(rows.map(({ measures }) => measures.get(name)?.bySeed ?? [])) };
  });
  const free = rows.indexOf(freeRun);
  return rows.flatMap(({ method }, row) =>
    families.flatMap(({ variable, family }) => {
      const comparison = row === free ? undefined : family.between(row, free);
      return comparison?.verdict === 'b' ? [{ method, variable, comparison }] : [];
    }),
  );
}

/** @returns what the results of a sweep over seeds say. @throws ScenarioError if its scenario is not valid */
export function summariseSeeds({ name, scenario: raw, seeds, methods, measures, cases }: SweepResults): OverSeeds {
  const { scenario } = validateScenario(raw, name);
  const compared = comparedVariables(scenario);
  const complete = cases.filter(({ state }) => state === 'complete');
  const rows = methods.map((method) => rowOf(method, complete, measures));
  const free = scenario.methods.find(
    ({ label, kind }) => !methodDefinition(kind).assimilates && methods.includes(label),
  );
  const freeRun = rows.find(({ method }) => method === free?.label);
  const headline = headlineError(scenario);
  const errors = compared.map((variable) => errorName('analysis', variable, headline));
  const contenders = rows.map((row): Contender<readonly (number | null)[]> => ({
    name: row.method,
    freeRun: freeRun?.method,
    values: geometricMeans(row, errors),
  }));
  const { variables } = modelKindDefinition(scenario.model);
  return {
    seeds,
    complete: complete.map(({ seed }) => seed),
    failures: cases.flatMap(({ seed, state, reason }) => (state === 'failed' ? [{ seed, reason: reason ?? '' }] : [])),
    compared,
    headline,
    shown: shownNames(scenario).flatMap((shown) => measures.filter((measure) => measure.name === shown)),
    rows,
    comparisons: complete.length === 0 ? { least: undefined, pairs: [] } : compareBySeeds(contenders),
    worse: freeRun
      ? worseThan(
          freeRun,
          rows,
          variables.map((variable) => variable.name),
        )
      : [],
  };
}
