/** What a tuning will do, known before it begins: of which method, over which settings and seeds, by which measure, in how many runs. */
import type { BackendName } from '../compute/backend.ts';
import { ScenarioError } from '../errors.ts';
import { methodDefinition } from '../methods/index.ts';
import {
  STATE_VARIABLES,
  comparedVariables,
  estimateEffort,
  estimateSeconds,
  setPath,
  validateScenario,
} from '../scenario/index.ts';
import type { Scenario } from '../scenario/index.ts';
import { describeValue, formatPath, suggestion, type Problem } from '../settings/index.ts';
import { MEASURES, headlineSkill, isAgainstFreeRun, isTime, measureNamed, type SweepMeasure } from '../sweep/index.ts';
import type { Goal } from '../statistics/index.ts';
import { tuningParameters, type ParameterRequest, type TuningParameter } from './parameter.ts';
import { pointsOf, type Point } from './search.ts';

/** A measure that says what good looks like. */
export type TuningMeasure = Omit<SweepMeasure, 'best'> & { readonly best: Goal };

/** Plain data, so that it can be sent to a worker. */
export interface TuningPlan {
  /** As its file has it, in the present version. */
  readonly raw: unknown;
  /** Name of the scenario. */
  readonly name: string;
  /** Label. */
  readonly method: string;
  /** Label of the method that skill is measured against; undefined where the measure needs none. */
  readonly freeRun: string | undefined;
  readonly parameters: readonly TuningParameter[];
  readonly measure: TuningMeasure;
  readonly seeds: readonly number[];
  /** How often the steps around the best are halved. */
  readonly levels: number;
  /** How often the grid may grow beyond an edge. */
  readonly extensions: number;
  /** Cases, a point and a seed each, at least and at most. */
  readonly cases: { readonly least: number; readonly most: number };
}

export interface TuningRequest {
  /** Label. */
  readonly method: string;
  /** What the method's kind suggests if omitted or empty. */
  readonly parameters?: readonly ParameterRequest[];
  /** Name of the measure; skill if there is a free run, else the RMSE of the analysis. */
  readonly measure?: string;
  /** How many, or which. */
  readonly seeds?: number | readonly number[];
  readonly levels?: number;
  readonly extensions?: number;
}

/** With fewer, no two settings differ significantly at 95 %. */
export const USUAL_SEEDS = 6;
export const USUAL_LEVELS = 2;
const MOST_LEVELS = 6;
/** As many as a record has room for. */
const MOST_SEEDS = 100;
const USUAL_EXTENSIONS = 3;
/** As many as a record has room for. */
const MOST_POINTS = 1000;
/** The first seed of tunings. */
const FIRST_SEED = 101;

function fault(origin: string, message: string): ScenarioError {
  return new ScenarioError([{ file: origin, path: [], message }]);
}

/** @returns seeds that no result of the scenario is reported on, so that a setting is not fitted to what it is judged by */
export function tuningSeeds({ seed, expected }: Pick<Scenario, 'seed' | 'expected'>, count: number): readonly number[] {
  const reported = new Set([seed, ...(expected?.seeds ?? [])]);
  const seeds: number[] = [];
  for (let next = FIRST_SEED; seeds.length < count; next++) if (!reported.has(next)) seeds.push(next);
  return seeds;
}

function freeRunOf({ methods }: Scenario): string | undefined {
  return methods.find(({ kind }) => !methodDefinition(kind).assimilates)?.label;
}

/** @throws ScenarioError for a name that is no measure, and for one that cannot judge a setting of this scenario */
function measureOf(scenario: Scenario, freeRun: string | undefined, name: string | undefined): TuningMeasure {
  const [first] = comparedVariables(scenario);
  const wanted = name ?? (freeRun === undefined ? `rmse_analysis_${first}` : headlineSkill(scenario));
  const found = measureNamed(wanted);
  if (!found || !isJudging(found)) {
    const known = MEASURES.filter(isJudging).map((each) => each.name);
    const message = `found ${describeValue(wanted)}, allowed: ${known.join(', ')}${suggestion(wanted, known)}`;
    throw fault('measure', message);
  }
  if (isAgainstFreeRun(found) && freeRun === undefined)
    throw fault(
      'measure',
      `found ${describeValue(wanted)}, which needs a free run among the methods; allowed: for example rmse_analysis_${first}`,
    );
  return found;
}

/** @returns the measures by which a scenario's methods can be tuned, the usual one first */
export function judgingMeasures(scenario: Scenario): readonly TuningMeasure[] {
  const compared = new Set(comparedVariables(scenario));
  const hasFreeRun = freeRunOf(scenario) !== undefined;
  const applies = ({ name }: SweepMeasure): boolean => {
    const variable = STATE_VARIABLES.find((each) => name.endsWith(`_${each}`));
    return (variable === undefined || compared.has(variable)) && (hasFreeRun || !isAgainstFreeRun({ name }));
  };
  const found = MEASURES.flatMap(({ name }) => {
    const measure = measureNamed(name);
    return measure && isJudging(measure) && applies(measure) ? [measure] : [];
  });
  const usual = measureOf(scenario, freeRunOf(scenario), undefined).name;
  return [...found.filter(({ name }) => name === usual), ...found.filter(({ name }) => name !== usual)];
}

/** Times differ from run to run, and of a spread by itself nobody knows what is good. */
function isJudging(measure: SweepMeasure): measure is TuningMeasure {
  return measure.best !== 'none' && !isTime(measure);
}

function seedsOf(scenario: Scenario, asked: number | readonly number[]): readonly number[] {
  const given = typeof asked === 'number' ? undefined : [...new Set(asked)];
  const count = given?.length ?? Number(asked);
  if (!(count >= 1 && count <= MOST_SEEDS)) throw fault('seeds', `found ${count}, allowed: 1 to ${MOST_SEEDS}`);
  return given ?? tuningSeeds(scenario, count);
}

/**
 * @param raw the scenario as its file has it
 * @throws ScenarioError for what cannot be tuned so, naming what was found and what is allowed
 */
export function planTuning(raw: unknown, options: TuningRequest): TuningPlan {
  const { scenario, raw: present } = validateScenario(raw, 'scenario');
  const { method, levels = USUAL_LEVELS, extensions = USUAL_EXTENSIONS } = options;
  if (!Number.isInteger(levels) || levels < 0 || levels > MOST_LEVELS)
    throw fault('levels', `found ${levels}, allowed: a whole number from 0 to ${MOST_LEVELS}`);
  const parameters = tuningParameters(scenario, method, options.parameters);
  const freeRun = freeRunOf(scenario);
  const measure = measureOf(scenario, freeRun, options.measure);
  const seeds = seedsOf(scenario, options.seeds ?? USUAL_SEEDS);
  const points = pointsOf(parameters, { levels, extensions });
  if (points.most > MOST_POINTS)
    throw fault(
      'parameters',
      `found up to ${points.most} combinations, allowed: ${MOST_POINTS}; try fewer values, settings or levels`,
    );
  return {
    raw: present,
    name: scenario.name,
    method,
    freeRun: isAgainstFreeRun(measure) ? freeRun : undefined,
    parameters,
    measure,
    seeds,
    levels,
    extensions,
    cases: { least: points.least * seeds.length, most: points.most * seeds.length },
  };
}

/** @returns the scenario with the values set. @throws ScenarioError where one is not allowed */
export function withPoint(raw: unknown, parameters: readonly Pick<TuningParameter, 'path'>[], values: Point): unknown {
  return parameters.reduce((changed, { path }, axis) => setPath(changed, path, values[axis], 'tuning'), raw);
}

function warnedPaths(warnings: readonly Problem[]): readonly string[] {
  return warnings.map(({ path }) => formatPath(path));
}

/** @returns whether values earn a warning at a setting that earns none in the scenario as it is */
export function warnsOf({ raw, parameters }: Pick<TuningPlan, 'raw' | 'parameters'>): (values: Point) => boolean {
  const known = new Set(warnedPaths(validateScenario(raw, 'scenario').warnings));
  return (values) => {
    try {
      const { warnings } = validateScenario(withPoint(raw, parameters, values), 'tuning');
      return warnedPaths(warnings).some((path) => !known.has(path));
    } catch (error) {
      // Such a case fails by itself, with its reason.
      if (error instanceof ScenarioError) return false;
      throw error;
    }
  };
}

/** @returns seconds that the cases take one after the other, to a factor of about three; what they share is omitted */
export function estimateTuning(
  { raw, method, cases: { least, most } }: TuningPlan,
  backend: BackendName,
): { readonly least: number; readonly most: number } {
  const { scenario } = validateScenario(raw, 'scenario');
  const each = estimateSeconds(estimateEffort(scenario, [method]), backend);
  return { least: least * each, most: most * each };
}
