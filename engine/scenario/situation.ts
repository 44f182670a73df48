/** From a scenario to what its kinds are judged in, and what the definitions of its methods say of them. */
import { bathymetryDefinition } from '../bathymetry/index.ts';
import { modelKindDefinition, waterOf, unitOf } from '../model-kinds/index.ts';
import { describeValue, listWords, within } from '../settings/index.ts';
import type { ObservingNetwork, Situation, Path, Problem } from '../settings/index.ts';
import { methodDefinition, assumptionsOf, limitProblem, membersOf, METHODS } from '../methods/index.ts';
import type { LocalVolumes, MethodTuning } from '../methods/index.ts';
import { forcingDefinition, forcingSeenBy } from '../forcing/index.ts';
import { fastestWave, modelGrid } from './bed.ts';
import { gaugeRoomAt, paintings } from './gauges.ts';
import { innerMomentCount, networkCapacity, observationCapacity } from './networks.ts';
import { nameKey, type Method, type Scenario } from './schema.ts';

/**
 * Which error of a scenario comes first: all of it, or that of the pattern. Water that falls into the truth alone raises its mean
 * level; a method that finds the level alone would be credited with most of the error, and with nothing of the waves.
 *
 * The whole RMSE, or its part about the basin's mean error.
 */
export type HeadlineError = 'total' | 'pattern';

/** @returns `pattern` if forcing or interventions change the volume of the truth's water without that of the members */
export function headlineError({ truth: { forcing }, interventions }: Scenario): HeadlineError {
  const { events, source } = forcingDefinition(forcing.kind);
  const adds = events ? events.addsVolume(forcing) : source?.addsVolume === true;
  const falls = adds && forcingSeenBy(forcing) !== 'all';
  const isDropped = interventions.some(
    (each) => each.kind === 'drop' && each.seenBy !== 'all' && each.volume === 'added',
  );
  return falls || isDropped ? 'pattern' : 'total';
}

/**
 * The variables by which methods are compared: those that the networks observe, as state variables, because a table of h
 * alone says nothing of a scenario that observes currents.
 *
 * @returns a state variable's name with its unit, as heads and captions write it: `hu (m²/s)`
 */
export function nameWithUnit(variable: string): string {
  const unit = unitOf(variable);
  return unit === '' ? variable : `${variable} (${unit})`;
}

/** @returns the observed ones of the model's variables, in the order of the state; the first if nothing is observed */
export function comparedVariables({
  model,
  observations,
}: Pick<Scenario, 'model' | 'observations'>): readonly string[] {
  const { variables, observed } = modelKindDefinition(model);
  const judged = new Set(
    observations.flatMap(({ variable }) => observed.find(({ name }) => name === variable)?.judges ?? []),
  );
  const names = variables.map(({ name }) => name);
  const compared = names.filter((name) => judged.has(name));
  return compared.length > 0 ? compared : names.slice(0, 1);
}

/** @returns where the method of a label analyses places one by one; undefined if it does not, or if there is none of that label */
export function localVolumesOf(scenario: Scenario, label: string): LocalVolumes | undefined {
  const settings = scenario.methods.find((method) => method.label === label);
  const analyses = settings && methodDefinition(settings.kind).localAnalyses?.(settings);
  if (!analyses) return undefined;
  const { nx, ny, dx, dy, periodicX, periodicY } = modelGrid(scenario);
  const { halfWidth, every } = analyses;
  return { nx, ny, periodicX, periodicY, aspect: dy / dx, halfWidthCells: halfWidth / dx, every };
}

/** @returns whether the method inflates its members' covariance, by one factor or by one of every place */
export function inflates(settings: Method): boolean {
  return 'inflation' in settings || methodDefinition(settings.kind).localAnalyses?.(settings)?.findsInflation === true;
}

/** The gauges that are painted while a scenario runs, as networks: what each intervention adds, none of it taken away. */
function paintedNetworks(scenario: Scenario): ObservingNetwork[] {
  return paintings(scenario).map(({ variable, errorStandardDeviation, add }) => ({
    variable,
    errorStandardDeviation,
    qualityControl: 0,
    capacity: add.length,
  }));
}

/** @returns model steps that fill `seconds`; not yet a whole number of them */
export function stepsIn(seconds: number, scenario: Scenario): number {
  const { grid } = scenario;
  const model = waterOf(scenario.model);
  const { timeStep } = scenario.model;
  if (model === undefined || timeStep !== 'auto') return seconds / Number(timeStep);
  // Without the depth, which a file gives, the wave is not known, and a metre of water is taken.
  const wave = fastestWave(scenario) ?? Math.sqrt(model.gravity);
  return (seconds * wave) / (model.courant * Math.min(grid.dx, grid.dy));
}

/** What a scenario's kinds are judged in: with all gauges that are painted while it runs. */
export function situationOf(scenario: Scenario): Situation {
  const { grid, model, background, observations, experiment } = scenario;
  const own = observations.map((each) => ({
    variable: each.variable,
    errorStandardDeviation: each.errorStandardDeviation,
    qualityControl: each.qualityControl,
    capacity: observationCapacity(each, grid),
    together: each.errorCorrelation && networkCapacity(each.network, grid),
  }));
  const water = waterOf(model);
  const kind = modelKindDefinition(model);
  return {
    grid,
    model,
    variables: kind.variables.map(({ name }) => name),
    background,
    networks: [...own, ...paintedNetworks(scenario)],
    observations: own.reduce((sum, { capacity = 0 }) => sum + capacity, 0) + gaugeRoomAt(scenario, Infinity).painted,
    steps: stepsIn(experiment.window, scenario),
    linearKept: kind.linearKept?.(model, grid) ?? 0,
    moments: innerMomentCount(observations),
    depth: water && bathymetryDefinition(water.bathymetry.kind).depth(water.bathymetry),
  };
}

/** @returns states that the methods of a scenario carry together */
export function statesOf({ methods, background }: Pick<Scenario, 'methods' | 'background'>): number {
  return methods.reduce((sum, { kind }) => sum + membersOf(kind, background.members), 0);
}

/** @returns members that the background must have at least for each method to work */
export function leastMembers({ methods }: Pick<Scenario, 'methods'>): number {
  return methods.some(({ kind }) => methodDefinition(kind).trustsSpread) ? 2 : 1;
}

/** @returns what is wrong with the methods */
export function methodProblems(scenario: Scenario): Problem[] {
  const { methods, background } = scenario;
  const situation = situationOf(scenario);
  const labels = new Map<string, number>();
  const problems = methods.flatMap((method, index): Problem[] => {
    const path: Path = ['methods', index];
    const name = nameKey(method.label);
    const first = labels.get(name);
    const own = within(path, methodDefinition(method.kind).problems?.(method, situation) ?? []);
    if (first === undefined) {
      labels.set(name, index);
      return own;
    }
    const message = `found the label ${describeValue(method.label)}, which is the label of methods[${first}] too; give each method a label of its own`;
    return [{ path: [...path, 'label'], message }, ...own];
  });
  return [...problems, ...memberProblems(background.members, leastMembers(scenario)), ...limitProblems(scenario)];
}

function memberProblems(found: number, least: number): Problem[] {
  if (found >= least) return [];
  const filters = METHODS.filter(({ trustsSpread }) => trustsSpread).map(({ kind }) => describeValue(kind));
  const message = `found ${found}, allowed: at least ${least} with the methods ${listWords(filters, 'and')}`;
  return [{ path: ['background', 'members'], message }];
}

/** More observations in one analysis than a method can take. */
function limitProblems(scenario: Scenario): Problem[] {
  const { observations } = situationOf(scenario);
  return [...new Set(scenario.methods.map(({ kind }) => kind))].flatMap((kind): Problem[] => {
    const message = limitProblem(kind, observations);
    return message === undefined ? [] : [{ path: ['observations'], message }];
  });
}

/** @returns settings of the methods that are allowed and yet without effect, or outside what a method assumes */
export function methodWarnings(scenario: Scenario): Problem[] {
  const situation = situationOf(scenario);
  return scenario.methods.flatMap((method, index) => {
    const own = methodDefinition(method.kind).warnings?.(method, situation) ?? [];
    return within(['methods', index], [...own, ...assumptionWarnings(method, scenario)]);
  });
}

/** Another time for what is only observed at one. */
function assumptionWarnings(method: Method, { observations }: Scenario): Problem[] {
  if (assumptionsOf(method).isInTime === undefined || innerMomentCount(observations) > 0) return [];
  const message = 'set, and no network observes inside the window, which its timing.moments say: it is without effect';
  return [{ path: ['assumed', 'firstGuess'], message }];
}

/**
 * What a method that is added starts with: settings that suit the scenario, in place of the schema's defaults, which know neither
 * its basin nor its network. They are a start for tuning and not the best ones.
 *
 * @param scenario as it runs, with every default; undefined while there is none that is valid
 * @returns a method as the file writes it, without a label
 */
export function proposedMethod(kind: string, scenario: Scenario | undefined): Readonly<Record<string, unknown>> {
  if (scenario === undefined) return { kind };
  return { kind, ...methodDefinition(kind).proposal?.(situationOf(scenario), scenario.methods) };
}

/** @returns what is worth tuning in a method of the scenario; paths begin inside the method. @throws RangeError for a label that it does not have */
export function methodTuning(scenario: Scenario, label: string): MethodTuning {
  const method = scenario.methods.find((each) => each.label === label);
  if (!method) throw new RangeError(`the scenario has no method ${label}`);
  return methodDefinition(method.kind).tuning?.(method, situationOf(scenario)) ?? { settings: [] };
}
