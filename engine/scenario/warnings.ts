/** Settings that are allowed and yet without effect, or outside what a method assumes; and steps of the lesson that do not fit. */
import { greatestDepth } from '../bathymetry/index.ts';
import { forcingDefinition, forcingSeenBy } from '../forcing/index.ts';
import { initialStateDefinition } from '../initial-states/index.ts';
import { answersImpact, assumptionsOf, methodDefinition } from '../methods/index.ts';
import { waterOf } from '../model-kinds/index.ts';
import { networkDefinition } from '../networks/index.ts';
import { listWords, multipleOf, tidy, within, describeValue, describeProblem } from '../settings/index.ts';
import type { Path, Problem, ScenarioFiles } from '../settings/index.ts';
import { deepestWater, fastestWave } from './bed.ts';
import { noiseGrowth } from './diagonal-growth.ts';
import { effortWarning } from './effort.ts';
import { lessonProblems } from './lesson.ts';
import { recordedImpact } from './schema-observations.ts';
import type { Scenario, Method, Initial, Perturbation } from './schema.ts';
import { situationOf, methodWarnings } from './situation.ts';
import { asTruth, hasOwnModel } from './truth-model.ts';

/** @returns each warning once, in order; those about the lesson, which one change can bring about in many steps, as one line */
export function warningTexts(warnings: readonly Problem[]): readonly string[] {
  const ofLesson = warnings.filter(({ path }) => path[0] === 'lesson');
  const [first] = ofLesson;
  const texts = warnings.flatMap((warning): string[] => {
    if (warning.path[0] !== 'lesson' || ofLesson.length === 1) return [describeProblem(warning)];
    if (warning !== first) return [];
    return [
      `lesson: ${ofLesson.length} settings of its steps do not fit this run; the first: ${describeProblem(first)}`,
    ];
  });
  return [...new Set(texts)];
}

/**
 * Whether the truth is a draw from what the members are drawn from, their prior. Only then can the ensemble's spread be the
 * size of its error, and can a method be judged by whether it is.
 *
 * @returns how the truth's prior differs from the members', in a few words, or undefined where it does not or is not known
 */
function priorDifference({ truth, background }: Pick<Scenario, 'truth' | 'background'>): string | undefined {
  const perturbations = perturbationDifference(truth.perturbation, background.perturbation);
  // The members start from the truth before its perturbation: beside it they have theirs alone.
  if (initialStateDefinition(background.initial.kind).isOfTruth) return perturbations;
  // What is in a file is not known here, and it may hold a state for each member.
  const isRead = [truth, background].some(({ initial }) => initialStateDefinition(initial.kind).reads);
  if (isRead) return undefined;
  return initialDifference(truth.initial, background.initial) ?? perturbations;
}

function initialDifference(truth: Initial, members: Initial): string | undefined {
  if (truth.kind !== members.kind) return `it starts from "${truth.kind}", they from "${members.kind}"`;
  const other = new Map<string, unknown>(Object.entries(members));
  const differing = Object.entries(truth).find(
    ([key, value]) => JSON.stringify(value) !== JSON.stringify(other.get(key)),
  );
  if (differing === undefined) return undefined;
  const [key, value] = differing;
  return `initial.${key} is ${describeValue(value)} for it and ${describeValue(other.get(key))} for them`;
}

function perturbationDifference(truth: Perturbation, members: Perturbation): string | undefined {
  if (truth.standardDeviation === 0 && members.standardDeviation === 0) return undefined;
  for (const key of ['standardDeviation', 'length', 'balance'] as const) {
    if (truth[key] === members[key]) continue;
    return `perturbation.${key} is ${describeValue(truth[key])} for it and ${describeValue(members[key])} for them`;
  }
  return undefined;
}

/** Growth of the spread from which on a run is warned. */
const LARGE_GROWTH = 10;

/** The inflation of a filter that multiplies all of its spread; 1 of others. */
function inflationOf(method: Method): number {
  const filter = 'ensemble' in method ? method.ensemble : method;
  if (!('inflation' in filter)) return 1;
  const isOther = 'relaxation' in filter && (filter.relaxation.kind !== 'none' || filter.adaptation.kind !== 'none');
  return isOther ? 1 : filter.inflation;
}

/**
 * A trap of long runs. Without rotation a steady current without divergence has no effect on the depth: gauges of the depth do not see
 * it, and the model does not damp it. Inflation by a factor ρ multiplies its spread by √ρ in every cycle, until increments by chance
 * correlations make currents of it that the truth does not have.
 *
 * @returns for each such method, that its inflation meets currents that neither observations nor the model damp
 */
function inflationWarnings({ model, observations, experiment, methods }: Scenario): Problem[] {
  const water = waterOf(model);
  if (water === undefined || water.coriolis.f !== 0 || water.coriolis.beta !== 0) return [];
  const seesDepthAlone =
    observations.length > 0 && observations.every(({ variable }) => ['h', 'eta'].includes(variable));
  if (!seesDepthAlone || water.friction.manning > 0) return [];
  return methods.flatMap((method, index) => {
    const rate = Math.log(inflationOf(method)) / 2 - water.friction.linear * experiment.window;
    const growth = Math.exp(experiment.cycles * rate);
    if (!(growth > LARGE_GROWTH)) return [];
    const message =
      `inflation ${tidy(inflationOf(method))} multiplies the spread of steady currents, which gauges of the depth do not see and the model does not damp, ` +
      `by ${growth < 1e6 ? tidy(Number(growth.toPrecision(2))) : 'more than a million'} in ${experiment.cycles} cycles; ` +
      'use relaxation "spread" in its place, which gives back only what an analysis takes, or model.friction.linear';
    return [{ path: ['methods', index], message }];
  });
}

/** @returns one for each such setting */
export function warningsOf(scenario: Scenario): Problem[] {
  return [
    ...timeWarnings(scenario),
    ...growthWarnings(scenario),
    ...methodWarnings(scenario),
    ...inflationWarnings(scenario),
    ...ensembleWarnings(scenario),
    ...observationWarnings(scenario),
    ...effortWarnings(scenario),
    ...lessonProblems(scenario),
  ];
}

/**
 * What is known once the files that a scenario names are read.
 *
 * @returns the warnings about a bed that a file gives; those of other beds are among `warningsOf`
 */
export function fileWarningsOf(scenario: Scenario, files: ScenarioFiles): Problem[] {
  const water = waterOf(scenario.model);
  if (water === undefined || greatestDepth(water.bathymetry) !== undefined) return [];
  const deepest = deepestWater(scenario, files);
  return [
    ...waveWarnings(scenario, ['model', 'timeStep'], deepest),
    ...(hasOwnModel(scenario) ? waveWarnings(asTruth(scenario), ['truth', 'model'], deepest) : []),
  ];
}

function effortWarnings(scenario: Scenario): Problem[] {
  const message = effortWarning(scenario);
  return message === undefined ? [] : [warning(['experiment', 'cycles'], message)];
}

function warning(path: Path, message: string): Problem {
  return { path, message };
}

/** Steps that the run will shorten or cannot keep up with, and means that nothing is left for. */
function timeWarnings(scenario: Scenario): Problem[] {
  const { model, experiment, truth } = scenario;
  const warnings: Problem[] = [];
  const { spinup, cycles, window } = experiment;
  if (spinup >= cycles) {
    const message = `${spinup} leaves none of the ${cycles} cycles for the means, which are then over all of them`;
    warnings.push(warning(['experiment', 'spinup'], message));
  }
  const { timeStep } = model;
  if (timeStep === 'auto') return warnings;
  const path = ['model', 'timeStep'];
  const whole = Object.entries({ 'experiment.window': window, 'truth.spinup': truth.spinup });
  for (const [name, seconds] of whole) {
    if (multipleOf(seconds, timeStep)) continue;
    const taken = seconds / Math.ceil(seconds / timeStep);
    warnings.push(
      warning(path, `${timeStep} s does not divide ${name}, ${seconds} s; steps of ${tidy(taken)} s are taken`),
    );
  }
  warnings.push(...waveWarnings(scenario, path));
  if (hasOwnModel(scenario)) warnings.push(...waveWarnings(asTruth(scenario), ['truth', 'model']));
  return warnings;
}

/** A fixed step in which waves cross more than a cell. */
function waveWarnings(scenario: Scenario, path: Path, deepest?: number): Problem[] {
  const { model, grid } = scenario;
  const { timeStep } = model;
  const wave = fastestWave(scenario, deepest);
  if (wave === undefined || timeStep === 'auto') return [];
  const longest = Math.min(grid.dx, grid.dy) / wave;
  if (timeStep <= longest) return [];
  const message =
    `in ${tidy(timeStep)} s a wave of ${tidy(wave)} m/s crosses ${tidy(timeStep / longest)} cells, and the run will diverge; ` +
    `no scheme is stable beyond ${tidy(longest)} s, safe is ${tidy(longest / 2)} s`;
  return [warning(path, message)];
}

/** How much Moler's scheme amplifies diagonal waves over the run, where that is e-fold or more. */
function growthWarnings(scenario: Scenario): Problem[] {
  const growth = noiseGrowth(scenario);
  if (!growth) return [];
  const { timeStep, foldingSeconds } = growth;
  const { experiment, truth } = scenario;
  const seconds = truth.spinup + experiment.cycles * experiment.window;
  const foldings = seconds / foldingSeconds;
  if (!(foldings > 1)) return [];
  const message =
    `"lax-wendroff" amplifies diagonal waves at every time step: with ${tidy(timeStep)} s e-fold in ${foldingSeconds.toPrecision(3)} s, ` +
    `so that they grow by a factor of exp(${foldings.toPrecision(2)}) in the ${tidy(seconds)} s of the run; ` +
    'use "richtmyer", which is stable, or shorter steps';
  return [warning(['model', 'scheme'], message)];
}

function ensembleWarnings(scenario: Scenario): Problem[] {
  const { background, truth, methods, experiment } = scenario;
  const beginning = initialStateDefinition(background.initial.kind);
  const { events } = forcingDefinition(truth.forcing.kind);
  const warnings: Problem[] = [];
  const apart = beginning.varies(background.initial) || background.perturbation.standardDeviation > 0;
  const seenBy = forcingSeenBy(truth.forcing);
  const comeApart = seenBy === 'each';
  const isDisturbed = events !== undefined || (seenBy !== undefined && seenBy !== 'all');
  if (background.members > 1 && !apart && !comeApart) {
    const remedy = 'give background.perturbation a standard deviation, or the initial state a range';
    warnings.push(
      warning(
        ['background'],
        `all ${background.members} members are the same, so that the ensemble has no spread; ${remedy}`,
      ),
    );
  }
  if (beginning.isOfTruth && truth.perturbation.standardDeviation === 0 && !isDisturbed) {
    const remedy = 'give truth.perturbation a standard deviation like that of background.perturbation';
    warnings.push(
      warning(
        ['background', 'initial'],
        `the members are centred on the truth, and their mean starts almost without an error; ${remedy}`,
      ),
    );
  }
  const difference = warnings.length === 0 && background.members > 1 ? priorDifference(scenario) : undefined;
  if (difference !== undefined) {
    const message =
      `the truth is not drawn from what the members are drawn from (${difference}), ` +
      'so that their spread will not be the size of their error, however a method is set; give both the same settings';
    warnings.push(warning(['truth'], message));
  }
  const ofTruth = initialStateDefinition(truth.initial.kind).warnings?.(truth.initial, situationOf(scenario)) ?? [];
  warnings.push(...within(['truth', 'initial'], ofTruth));
  if (methods.length > 1 && !methods.some(({ kind }) => methodDefinition(kind).assimilates)) {
    warnings.push(warning(['methods'], 'every method is a free run, and they will all give the same'));
  }
  if (recordedImpact(experiment) && !methods.some(answersImpact)) {
    warnings.push(
      warning(['experiment', 'impact'], 'no method is an ensemble filter, such as the LETKF: there is none'),
    );
  }
  return warnings;
}

/** The warning for correlated errors that are treated as independent, without a remedy. */
function ignoredCorrelation({ observations, methods }: Scenario, index: number): string | undefined {
  const { name, errorCorrelation, assumed } = observations[index];
  if (!errorCorrelation || errorCorrelation.share === 0) return undefined;
  if (assumed && (assumed.errorFactor > 1 || assumed.thinning > 1)) return undefined;
  const labels = methods
    .filter((method) => methodDefinition(method.kind).takesErrors?.(method) === 'independent')
    .filter((method) => !(assumptionsOf(method).errorFactor > 1))
    .map(({ label }) => label);
  if (labels.length === 0) return undefined;
  const treat = labels.length === 1 ? 'treats' : 'treat';
  return (
    `the errors of ${name} are correlated over ${errorCorrelation.length} m, and ${listWords(labels, 'and')} ${treat} them as independent: ` +
    'common errors of neighbouring places get too much weight, and the analysis is worse than it could be and underdispersive; ' +
    'raise assumed.errorFactor or assumed.thinning, assumed.errorFactor of the method, or give a method that has it errorCorrelation "full"'
  );
}

function observationWarnings(scenario: Scenario): Problem[] {
  const warnings: Problem[] = [];
  const { cycles } = scenario.experiment;
  const seen = new Map<string, number>();
  if (scenario.observations.length === 0 && scenario.methods.some(({ kind }) => methodDefinition(kind).assimilates)) {
    warnings.push(warning(['observations'], 'there are none, so that every method is a free run'));
  }
  scenario.observations.forEach((observations, index) => {
    const path: Path = ['observations', index];
    const { name, every, dropout, qualityControl, outliers, ...rest } = observations;
    if (every > cycles) {
      warnings.push(
        warning([...path, 'every'], `${every} cycles are more than the run's ${cycles}: ${name} never observes`),
      );
    }
    if (dropout === 1) warnings.push(warning([...path, 'dropout'], `1: every observation of ${name} is missing`));
    if (qualityControl > 0 && qualityControl < 2) {
      warnings.push(
        warning(
          [...path, 'qualityControl'],
          `${qualityControl} standard deviations also reject many good observations`,
        ),
      );
    }
    if (outliers.share > 0 && outliers.factor === 1) {
      warnings.push(warning([...path, 'outliers', 'factor'], '1: outliers are as good as the other observations'));
    }
    const ignored = ignoredCorrelation(scenario, index);
    if (ignored !== undefined) warnings.push(warning([...path, 'errorCorrelation'], ignored));
    const settings = JSON.stringify(rest);
    const first = seen.get(settings);
    if (first === undefined) seen.set(settings, index);
    else if (!networkDefinition(rest.network.kind).drawsItsOwn) {
      warnings.push(
        warning(
          path,
          `observes the same places and variable as observations[${first}]; together they count as one with a smaller error`,
        ),
      );
    }
  });
  return warnings;
}
