/** Tuning: a method's best setting on a scenario, how sure it is, and what it leaves in the scenario. */
import type { Backend } from '../compute/backend.ts';
import { AllDivergedError, DivergenceError, ScenarioError, describeProblem } from '../errors.ts';
import { createExperiment, type CycleDiagnostics } from '../experiment/index.ts';
import { methodDefinition } from '../methods/index.ts';
import { comparedVariables, readScenarioFiles, validateScenario } from '../scenario/index.ts';
import { fileReader } from '../run/index.ts';
import { median } from '../statistics/index.ts';
import { summaryTerms } from '../output/summary.ts';
import type {
  RunCasesOptions,
  CaseSummary,
  GroupLimits,
  NumbersOrigin,
  SweepDefinition,
  SweepPlan,
  SweepScenario,
} from '../sweep/index.ts';
import { consistencyOverSeeds, judge, type Consistency, type TuningResult } from './consistency.ts';
import { warnsOf, withPoint, type TuningPlan } from './plan.ts';
import { search, type Evaluate, type Point, type TriedPoint, type SeedOutcome } from './search.ts';
import { groupCases, planSweep, runCases, validateSweepDefinition } from '../sweep/index.ts';

export type { TuningResult } from './consistency.ts';
export {
  consistencyFindings,
  describeTuning,
  findingText,
  measureText,
  parameterTitle,
  pointText,
} from './describe.ts';
export { suggestedParameters, type ParameterRequest, type TuningParameter } from './parameter.ts';
export {
  estimateTuning,
  judgingMeasures,
  planTuning,
  tuningSeeds,
  USUAL_LEVELS,
  USUAL_SEEDS,
  withPoint,
} from './plan.ts';
export type { TuningMeasure, TuningPlan, TuningRequest } from './plan.ts';
export { rounded, scanRecord, tunedScenario, withScanRecord, type ScanRecord } from './describe.ts';
export { firstPoints, type Point, type SeedOutcome, type TriedPoint } from './search.ts';

/** Runs what of the cases is not known yet. @returns what came of each, by its hash; none of one that was lost */
export type RunBatch = (batch: SweepPlan) => Promise<ReadonlyMap<string, CaseSummary>>;

/** @returns the sweep that has these points as its cases, over the plan's seeds */
export function sweepOf(
  { name, method, freeRun, parameters, measure, seeds }: TuningPlan,
  points: readonly Point[],
): SweepDefinition {
  return {
    version: 1,
    name: `${name}, ${method}`.slice(0, 64),
    scenario: name,
    cases: points.map((values) => Object.fromEntries(parameters.map(({ path }, axis) => [path, values[axis]]))),
    seeds: [...seeds],
    methods: freeRun === undefined || freeRun === method ? [method] : [freeRun, method],
    measures: [measure.name],
  };
}

/** @returns why a point cannot be run, on one line; undefined where it can */
function refusalOf({ raw, parameters }: TuningPlan, values: Point): string | undefined {
  try {
    validateScenario(withPoint(raw, parameters, values), 'tuning');
    return undefined;
  } catch (error) {
    if (!(error instanceof ScenarioError)) throw error;
    const [{ path, message }] = error.problems;
    return describeProblem({ path, message });
  }
}

/** @param result undefined of a case that was lost. @returns what one seed gave of what is measured */
export function caseOutcomeOf(result: CaseSummary | undefined, { method, measure }: TuningPlan): SeedOutcome {
  if (!result) return { value: null, reason: 'it was lost with the process that ran it' };
  if (result.state === 'failed') return { value: null, reason: result.reason ?? 'for no reason that is known' };
  const found = result.methods.find((each) => each.method === method);
  if (!found || found.state === 'diverged') return { value: null };
  const value = found.measures[measure.name] ?? null;
  return value === null ? { value, reason: `${measure.name} does not apply to it` } : { value };
}

/** @returns each point by its outcomes, which are those of a sweep's cases */
export function evaluateAsSweep(
  plan: TuningPlan,
  base: Omit<SweepScenario, 'raw'>,
  origin: NumbersOrigin,
  run: RunBatch,
): Evaluate {
  const { raw, seeds } = plan;
  return async (points) => {
    const refusals = points.map((values) => refusalOf(plan, values));
    const runnable = points.filter((_, index) => refusals[index] === undefined);
    const found: SeedOutcome[][] = [];
    if (runnable.length > 0) {
      const sweep = validateSweepDefinition(sweepOf(plan, runnable), 'tuning');
      const batch = await planSweep(sweep, { ...base, raw }, origin);
      const results = await run(batch);
      runnable.forEach((_, point) => {
        const own = batch.hashes.slice(point * seeds.length, (point + 1) * seeds.length);
        found.push(own.map((hash) => caseOutcomeOf(results.get(hash), plan)));
      });
    }
    return refusals.map((reason) =>
      reason === undefined ? (found.shift() ?? []) : seeds.map(() => ({ value: null, reason })),
    );
  };
}

export interface BatchOptions extends RunCasesOptions {
  /** Limits of the cases that run as one experiment. */
  readonly limits?: GroupLimits;
  /** Called for each case that is done. */
  readonly onCase?: (batch: SweepPlan, index: number, result: CaseSummary) => void;
}

/** @returns runs the cases here, group by group; those of one search that come again are not run again */
export function runBatchHere(backend: Backend, { onCase, limits, ...options }: BatchOptions = {}): RunBatch {
  const known = new Map<string, CaseSummary>();
  return async (batch) => {
    const wanted = batch.hashes.flatMap((hash, index) => (known.has(hash) ? [] : [index]));
    for (const group of groupCases(batch, wanted, limits)) {
      const outcomes = await runCases(
        backend,
        group.map((index) => batch.caseAt(index)),
        options,
      );
      outcomes.forEach(({ rows: _rows, variables: _variables, ...result }, position) => {
        known.set(result.hash, result);
        onCase?.(batch, group[position], result);
      });
    }
    return known;
  };
}

interface TuningWork {
  readonly evaluate: Evaluate;
  /** Runs a point once more, over all seeds, for its consistency; omitted where nobody asks for it. */
  readonly look?: (values: Point) => Promise<Consistency>;
  /** Called with each batch of points that is done. */
  readonly onPoints?: (points: readonly TriedPoint[]) => void;
}

export async function tuneMethod(plan: TuningPlan, { evaluate, look, onPoints }: TuningWork): Promise<TuningResult> {
  const { name, method, parameters, measure, seeds, levels, extensions } = plan;
  const terms = { parameters, goal: measure.best, levels, extensions, isWarned: warnsOf(plan), median };
  const points = await search(terms, evaluate, onPoints);
  const found = judge(parameters, measure, points);
  const consistency = found && (await look?.(found.best.values));
  return { name, method, parameters, measure, seeds, points, found, consistency };
}

/** Looks at a point: runs it over the plan's seeds on a backend. */
export async function lookAt(
  backend: Backend,
  { raw, parameters, method, seeds }: TuningPlan,
  values: Point,
  {
    files = {},
    openHdf5,
    yieldToEventLoop,
    signal,
  }: Pick<RunCasesOptions, 'files' | 'openHdf5' | 'yieldToEventLoop' | 'signal'> = {},
): Promise<Consistency> {
  const changed = withPoint(raw, parameters, values);
  const rows: CycleDiagnostics[] = [];
  const { scenario } = validateScenario(changed, 'tuning');
  const contents = await readScenarioFiles(scenario, fileReader(files), scenario.name, openHdf5);
  const { spinup, cycles } = summaryTerms(scenario);
  const first = spinup < cycles ? spinup : 0;
  for (const seed of seeds) {
    try {
      const experiment = await createExperiment(
        backend,
        { ...scenario, seed },
        {
          files: contents,
          methods: [method],
          listener: (event) => {
            if (event.type === 'diagnostics' && event.diagnostics.cycle >= first) rows.push(event.diagnostics);
          },
          signal,
        },
      );
      try {
        while (experiment.nextCycle < experiment.cycles) {
          await yieldToEventLoop?.();
          signal?.throwIfAborted();
          await experiment.step();
        }
      } finally {
        experiment.dispose();
      }
    } catch (error) {
      if (!(error instanceof DivergenceError || error instanceof AllDivergedError)) throw error;
    }
  }
  const kind = scenario.methods.find(({ label }) => label === method)?.kind ?? '';
  return consistencyOverSeeds(rows, comparedVariables(scenario), methodDefinition(kind).carries === 'ensemble');
}
