/**
 * The impact of the observations of a cycle on a later forecast: the analysis of a method and its background are moved on beside
 * the run, as two free runs of an experiment of their own, which has the truth, the weather and the streams of the run. The run
 * does not notice.
 */
import type { Backend } from '../compute/backend.ts';
import { LimitError, QuestionError } from '../errors.ts';
import { createExperiment, fingerprintOf } from '../experiment/index.ts';
import type { Experiment, CycleDiagnostics, ImpactReport } from '../experiment/index.ts';
import {
  answersImpact,
  correlationIn,
  halfWidthOf,
  methodDefinition,
  MOST_LEAD,
  NO_LOCALISATION,
} from '../methods/index.ts';
import type { Model } from '../models/index.ts';
import { estimateMemory, isSetting, physicsOf, scenarioAt, networkNames, recordedImpact } from '../scenario/index.ts';
import type { Method as MethodSettings, Scenario, ViewedImpact } from '../scenario/index.ts';
import type { ScenarioFiles } from '../settings/index.ts';
import { impactsOf, memberMean, type Impacts } from './impacts.ts';

/** What is asked about the latest cycle of a run. */
export interface ImpactQuestion {
  /** By its label. */
  readonly method: string;
  /** Cycles from the analysis to the forecast that is judged, 0 to `MOST_LEAD`; with 0 the analysis itself is. */
  readonly lead: number;
  /** What forecasts are compared with: the truth, or the mean of the method's own analysis at that time. */
  readonly verification: ViewedImpact['verification'];
}

/** The answer. */
export interface ObservationImpact extends Impacts {
  /** Whose observations they are. */
  readonly cycle: number;
  readonly lead: number;
  readonly verification: ImpactQuestion['verification'];
  /**
   * Unit of impacts and squared errors: m³/s² of water, where they are the mean over the basin of ½ g η² + ½ (hu² + hv²)/H of the
   * error, H the mean depth; otherwise empty, and they are the mean square.
   */
  readonly unit: string;
  /** What the cycle observed. Arrays are [p]. */
  readonly observations: {
    /** In grid units. */
    readonly x: Float64Array;
    readonly y: Float64Array;
    readonly variable: readonly string[];
    /** Index of the network in the scenario; of gauges that were painted, one more than the last of them. */
    readonly network: Uint16Array;
    /** y − mean H(x) of the forecast, 0 of what was not used. */
    readonly innovation: Float64Array;
    readonly isUsed: readonly boolean[];
  };
}

export interface ImpactSituation {
  readonly backend: Backend;
  /** With the interventions that have been made. */
  readonly scenario: Scenario;
  readonly files: ScenarioFiles;
  /** For an experiment beside the run, bytes. */
  readonly memoryBytes: number;
  /** What a method's random streams are named by, by its label; the label itself if omitted. */
  readonly streamNameOf?: ((label: string) => string) | undefined;
}

/** Members of the forecasts from analysis and background, and what both are compared with, [variable][y][x]. */
interface Forecasts {
  readonly forecast: Float64Array;
  readonly background: Float64Array;
  readonly verification: Float64Array;
}

/** The run's scenario with two free runs beside its methods, up to a cycle, and what these are called. */
function besideScenario(scenario: Scenario, cycles: number) {
  const { experiment, interventions, methods } = scenario;
  // The numbers of a run do not depend on labels, but no two may be the same.
  const freeRun = (label: string): MethodSettings =>
    methods.some((each) => each.label === label) ? freeRun(`${label}.`) : { kind: 'free-run', label };
  const [fromAnalysis, fromBackground] = [freeRun('from analysis'), freeRun('from background')];
  const beside: Scenario = {
    ...scenario,
    experiment: { ...experiment, cycles, impact: { ...experiment.impact, lead: 'none' } },
    interventions: interventions.filter((each) => !isSetting(each) || each.path !== 'experiment.cycles'),
    methods: [...methods, fromAnalysis, fromBackground],
  };
  return { beside, fromAnalysis: fromAnalysis.label, fromBackground: fromBackground.label };
}

/** @throws LimitError without room for them, QuestionError when one of them diverges */
async function forecastBoth(
  experiment: Experiment,
  { method, lead, verification }: ImpactQuestion,
  { backend, scenario, files, memoryBytes, streamNameOf }: ImpactSituation,
  { analysis, forecast: background }: { readonly analysis: Float64Array; readonly forecast: Float64Array },
): Promise<Forecasts> {
  const { cycle, arrays } = await experiment.checkpoint();
  const { beside, fromAnalysis, fromBackground } = besideScenario(scenario, cycle + lead);
  const methods = [...(verification === 'analysis' ? [method] : []), fromAnalysis, fromBackground];
  const needed = estimateMemory(
    { ...beside, methods: beside.methods.filter(({ label }) => methods.includes(label)) },
    backend.elementBytes,
  );
  if (needed > memoryBytes) {
    const [needs, left] = [needed, memoryBytes].map((bytes) => Math.ceil(bytes / 2 ** 20));
    throw new LimitError(`the forecasts of an impact need ${needs} MiB beside the run, allowed: ${left} MiB`);
  }
  const checkpoint = {
    cycle,
    arrays: { ...arrays, [`method.${fromAnalysis}`]: analysis, [`method.${fromBackground}`]: background },
    fingerprint: fingerprintOf(beside, backend, cycle),
  };
  const other = await createExperiment(backend, beside, {
    files,
    methods,
    checkpoint,
    ...(streamNameOf && { streamNameOf }),
    listener: () => undefined,
  });
  try {
    for (let step = 0; step < lead; step++) await other.step();
    const stateOf = async (label: string): Promise<Float64Array> => {
      const found = other.methods.find((each) => each.label === label);
      if (found && !other.diverged.has(label)) return backend.read(found.state);
      throw new QuestionError(`${method}: a forecast of ${lead} cycles diverges; ask with fewer`);
    };
    const [forecast, before] = [await stateOf(fromAnalysis), await stateOf(fromBackground)];
    const { length } = other.truth;
    const verified = verification === 'truth' ? await backend.read(other.truth) : await stateOf(method);
    return { forecast, background: before, verification: memberMean(verified, verified.length / length) };
  } finally {
    other.dispose();
  }
}

/** C, the weight of a squared error by variable, and the unit that it makes. */
function normOf(model: Model, gravity: number, verification: Float64Array) {
  const cells = model.grid.nx * model.grid.ny;
  if (model.surface === undefined) return { norm: model.variables.map(() => 1 / cells), unit: '' };
  // At rest where the ground is known, so that the norm is the same in all cycles.
  const depths = model.bed?.map((elevation) => Math.max(0, -elevation)) ?? model.fromState(verification);
  const depth = depths.subarray(0, cells).reduce((sum, h) => sum + h, 0) / cells;
  const [potential, kinetic] = [gravity / (2 * cells), depth > 0 ? 1 / (2 * depth * cells) : 0];
  return { norm: model.variables.map((_, variable) => (variable === 0 ? potential : kinetic)), unit: 'm³/s²' };
}

/**
 * The impact of each observation of the latest cycle on the squared error of a forecast from its analysis, between two cycles. What
 * was observed before the end of the window counts at its end, where the members of the analysis are.
 *
 * @returns undefined if the method has no such gain
 * @throws QuestionError for a method or a lead that there is not, a method or forecast that diverges, NotKeptError if the forecast
 *   was not kept, LimitError without room for another experiment
 */
export async function observationImpact(
  experiment: Experiment,
  question: ImpactQuestion,
  situation: ImpactSituation,
  cycle = experiment.nextCycle - 1,
): Promise<ObservationImpact | undefined> {
  const { method: label, lead, verification } = question;
  if (!(Number.isInteger(lead) && lead >= 0 && lead <= MOST_LEAD)) {
    throw new QuestionError(`found a lead of ${lead} cycles, allowed: 0 to ${MOST_LEAD}`);
  }
  if (lead === 0 && verification === 'analysis') {
    throw new QuestionError('found a lead of 0 cycles, allowed: 1 or more where an analysis is compared with');
  }
  const settings = scenarioAt(situation.scenario, cycle).methods.find((each) => each.label === label);
  if (settings && !answersImpact(settings)) return undefined;
  const analysed = await experiment.analysed(label, cycle);
  const { model, truth } = experiment;
  const { members, positions, innovation, inverseErrorStd, observed } = analysed;
  const {
    forecast,
    background,
    verification: compared,
  } = lead === 0
    ? { forecast: analysed.analysis, background: analysed.forecast, verification: await situation.backend.read(truth) }
    : await forecastBoth(experiment, question, situation, analysed);
  const { nx, ny, dx, dy, periodicX, periodicY } = model.grid;
  const halfWidth = (settings && halfWidthOf(settings)) ?? NO_LOCALISATION;
  const { norm, unit } = normOf(model, physicsOf(situation.scenario.model).gravity, compared);
  const isWhole = settings && methodDefinition(settings.kind).takesErrors?.(settings) === 'whole';
  const impacts = impactsOf({
    forecast,
    members,
    before: memberMean(background, members),
    verification: compared,
    norm,
    geometry: {
      nx,
      ny,
      periodicX,
      periodicY,
      aspect: dy / dx,
      halfWidthCells: halfWidth === NO_LOCALISATION ? Infinity : halfWidth / dx,
    },
    observations: {
      x: positions.x,
      y: positions.y,
      innovation,
      inverseErrorStd,
      analysed: observed,
      correlation: isWhole ? (a, b) => correlationIn(positions.correlated ?? [], a, b) : undefined,
    },
  });
  const { x, y, variable } = positions;
  const isUsed = Array.from(inverseErrorStd, (inverse) => inverse > 0);
  // Copies: answers may be transferred, and places and networks are the run's.
  const observations = {
    x: x.slice(),
    y: y.slice(),
    variable,
    network: experiment.observations?.network.slice() ?? new Uint16Array(0),
    innovation,
    isUsed,
  };
  return { ...impacts, cycle, lead, verification, unit, observations };
}

/**
 * Between two cycles.
 *
 * @returns the impacts of the latest cycle, by the labels of the methods that have them; without those of which a forecast diverges
 * @throws as `observationImpact` does for room and forecasts that were not kept
 */
export async function recordedImpacts(
  experiment: Experiment,
  situation: ImpactSituation,
): Promise<ReadonlyMap<string, ObservationImpact>> {
  const found = new Map<string, ObservationImpact>();
  const asked = recordedImpact(situation.scenario.experiment);
  const settings = scenarioAt(situation.scenario, experiment.nextCycle - 1).methods.filter(answersImpact);
  const answering = experiment.methods.filter(({ label }) => settings.some((each) => each.label === label));
  for (const { label } of asked ? answering : []) {
    if (!asked || experiment.diverged.has(label)) continue;
    try {
      const impact = await observationImpact(experiment, { method: label, ...asked }, situation);
      if (impact) found.set(label, impact);
    } catch (error) {
      if (!(error instanceof QuestionError)) throw error;
    }
  }
  return found;
}

/** @returns what diagnostics have of it, summed by the networks of a scenario */
function impactReport(
  { impacts, observations, error, errorBefore }: ObservationImpact,
  scenario: Scenario,
): ImpactReport {
  const count = networkNames(scenario).length;
  const [used, helped, impact] = Array.from({ length: 3 }, () => Array.from({ length: count }, () => 0));
  impacts.forEach((value, j) => {
    if (!observations.isUsed[j]) return;
    const network = observations.network[j];
    used[network] += 1;
    helped[network] += Number(value < 0);
    impact[network] += value;
  });
  return { error, errorBefore, networks: { used, helped, impact } };
}

/** @param found impacts of the row's cycle, by the labels of methods. @returns the row, with the impacts of its method if there are any */
export function withImpact(
  row: CycleDiagnostics,
  found: ReadonlyMap<string, ObservationImpact>,
  scenario: Scenario,
): CycleDiagnostics {
  const impact = found.get(row.method);
  return impact ? { ...row, impact: impactReport(impact, scenario) } : row;
}
