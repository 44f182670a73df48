/** Settings that are allowed and yet without effect, or outside what a method assumes. */
import { methodDefinition } from '../methods/index.ts';
import { formatPath, multipleOf, tidy } from '../settings/index.ts';
import type { Path } from '../settings/index.ts';
import { fastestWave } from './basin.ts';
import { noiseGrowth } from './diagonal-growth.ts';
import { effortWarning } from './effort.ts';
import { methodWarnings } from './methods.ts';
import { priorDifference } from './prior.ts';
import type { Initial, Scenario } from './schema.ts';

/** @returns one line for each such setting, with its path */
export function warningsOf(scenario: Scenario): string[] {
  return [
    ...timeWarnings(scenario),
    ...growthWarnings(scenario),
    ...methodWarnings(scenario).map(({ path, message }) => line(path, message)),
    ...ensembleWarnings(scenario),
    ...observationWarnings(scenario),
    ...effortWarnings(scenario),
  ];
}

function effortWarnings(scenario: Scenario): string[] {
  const message = effortWarning(scenario);
  return message === undefined ? [] : [line(['experiment', 'cycles'], message)];
}

function line(path: Path, message: string): string {
  return `${formatPath(path)}: ${message}`;
}

/** Steps that the run will shorten or cannot keep up with, and means that nothing is left for. */
function timeWarnings(scenario: Scenario): string[] {
  const { model, experiment, truth, grid } = scenario;
  const warnings: string[] = [];
  const { spinup, cycles, window } = experiment;
  if (spinup >= cycles) {
    const message = `${spinup} leaves none of the ${cycles} cycles for the means, which are then over all of them`;
    warnings.push(line(['experiment', 'spinup'], message));
  }
  const { timeStep } = model;
  if (timeStep === 'auto') return warnings;
  const path = ['model', 'timeStep'];
  const whole = Object.entries({ 'experiment.window': window, 'truth.spinup': truth.spinup });
  for (const [name, seconds] of whole) {
    if (multipleOf(seconds, timeStep)) continue;
    const taken = seconds / Math.ceil(seconds / timeStep);
    warnings.push(
      line(path, `${timeStep} s does not divide ${name}, ${seconds} s; steps of ${tidy(taken)} s are taken`),
    );
  }
  const wave = fastestWave(scenario);
  if (wave === undefined) return warnings;
  const longest = Math.min(grid.dx, grid.dy) / wave;
  if (timeStep > longest) {
    const message =
      `in ${timeStep} s a wave of ${tidy(wave)} m/s crosses ${tidy(timeStep / longest)} cells, and the run will diverge; ` +
      `no scheme is stable beyond ${tidy(longest)} s, safe is ${tidy(longest / 2)} s`;
    warnings.push(line(path, message));
  }
  return warnings;
}

/** How much Moler's scheme amplifies diagonal waves over the run, where that is e-fold or more. */
function growthWarnings(scenario: Scenario): string[] {
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
  return [line(['model', 'scheme'], message)];
}

/** Whether two draws from a range differ. */
function varies([low, high]: readonly [number, number]): boolean {
  return low !== high;
}

/** Whether two draws of an initial state differ. */
function isRandom(initial: Initial): boolean {
  switch (initial.kind) {
    case 'drops':
      return initial.amplitude.some((amplitude) => amplitude !== 0);
    case 'dam-break':
      return varies(initial.amplitude) || varies(initial.position);
    case 'jet':
      return varies(initial.speed) || varies(initial.shift);
    case 'vortex':
      return varies(initial.speed) || varies(initial.x) || varies(initial.y);
    case 'standing-wave':
      return varies(initial.amplitude);
    case 'rest':
    case 'truth':
      return false;
    case 'file':
      // The file may hold a state for each member.
      return true;
    default:
      return initial satisfies never;
  }
}

function ensembleWarnings(scenario: Scenario): string[] {
  const { background, truth, model, methods } = scenario;
  const warnings: string[] = [];
  const apart = isRandom(background.initial) || background.perturbation.standardDeviation > 0;
  const drops = truth.forcing.kind === 'drops' && truth.forcing.seenBy === 'each';
  if (background.members > 1 && !apart && !drops) {
    const remedy = 'give background.perturbation a standard deviation, or the initial state a range';
    warnings.push(
      line(
        ['background'],
        `all ${background.members} members are the same, so that the ensemble has no spread; ${remedy}`,
      ),
    );
  }
  if (
    background.initial.kind === 'truth' &&
    truth.perturbation.standardDeviation === 0 &&
    truth.forcing.kind === 'none'
  ) {
    const remedy = 'give truth.perturbation a standard deviation like that of background.perturbation';
    warnings.push(
      line(
        ['background', 'initial'],
        `the members lie around the truth, and their mean starts almost without an error; ${remedy}`,
      ),
    );
  }
  const difference = warnings.length === 0 && background.members > 1 ? priorDifference(scenario) : undefined;
  if (difference !== undefined) {
    const message =
      `the truth is not drawn from what the members are drawn from (${difference}), ` +
      'so that their spread will not be the size of their error, however a method is set; give both the same settings';
    warnings.push(line(['truth'], message));
  }
  if (truth.initial.kind === 'jet' && model.coriolis.f === 0) {
    warnings.push(
      line(['truth', 'initial'], 'without the Coriolis force (model.coriolis.f is 0) nothing keeps the jets in place'),
    );
  }
  if (methods.length > 1 && !methods.some(({ kind }) => methodDefinition(kind).assimilates)) {
    warnings.push(line(['methods'], 'every method is a free run, and they will all give the same'));
  }
  return warnings;
}

function observationWarnings(scenario: Scenario): string[] {
  const warnings: string[] = [];
  const { cycles } = scenario.experiment;
  const seen = new Map<string, number>();
  if (scenario.observations.length === 0 && scenario.methods.some(({ kind }) => methodDefinition(kind).assimilates)) {
    warnings.push(line(['observations'], 'there are none, so that every method is a free run'));
  }
  scenario.observations.forEach((observations, index) => {
    const path: Path = ['observations', index];
    const { name, every, dropout, qualityControl, outliers, ...rest } = observations;
    if (every > cycles) {
      warnings.push(
        line([...path, 'every'], `${every} cycles are more than the run's ${cycles}: ${name} never observes`),
      );
    }
    if (dropout === 1) warnings.push(line([...path, 'dropout'], `1: every observation of ${name} is missing`));
    if (qualityControl > 0 && qualityControl < 2) {
      warnings.push(
        line([...path, 'qualityControl'], `${qualityControl} standard deviations also reject many good observations`),
      );
    }
    if (outliers.share > 0 && outliers.factor === 1) {
      warnings.push(line([...path, 'outliers', 'factor'], '1: outliers are as good as the other observations'));
    }
    const settings = JSON.stringify(rest);
    const first = seen.get(settings);
    if (first === undefined) seen.set(settings, index);
    else if (rest.network.kind !== 'random') {
      warnings.push(
        line(
          path,
          `observes the same places and variable as observations[${first}]; together they count as one with a smaller error`,
        ),
      );
    }
  });
  return warnings;
}
