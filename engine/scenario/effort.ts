/**
 * What a run will take, estimated before it starts: model steps, the cells that they advance, the operations of analyses and
 * of what is prepared for them, and from these the time. Good to a factor of about three: enough to distinguish minutes from months.
 */
import { LimitError } from '../errors.ts';
import { forcingDefinition } from '../forcing/index.ts';
import { initialStateDefinition } from '../initial-states/index.ts';
import { answersImpact, halfWidthOf, methodDefinition, NO_LOCALISATION } from '../methods/index.ts';
import { MOST_STEPS } from '../models/index.ts';
import { filterCost } from '../operators/recursive-filter/index.ts';
import { tidy, type Problem, type Situation } from '../settings/index.ts';
import { recordedImpact } from './schema-observations.ts';
import type { Method, Scenario } from './schema.ts';
import { situationOf, stepsIn, statesOf } from './situation.ts';
import { asTruth } from './truth-model.ts';

/** A run that is estimated to take longer is refused unless it is asked for, seconds: a day. */
const LONGEST_RUN = 86_400;
/** A run that is estimated to take longer on the reference backend gets the estimate as a warning, seconds. */
const LONG_RUN = 1800;

export interface Effort {
  /** Model steps of the whole run, of each of its states. */
  readonly steps: number;
  /** Steps of the longest forecast, a window or the spin-up. */
  readonly longestForecast: number;
  /** Cells · states · steps. */
  readonly cellSteps: number;
  /** Multiplications and additions of all analyses, and of drawing states and building filters. */
  readonly operations: number;
  /** The same of what the host computes, whatever the backend: impacts. */
  readonly hostOperations: number;
}

/** How fast a backend is, in round numbers. */
interface Speed {
  readonly cellStepsPerSecond: number;
  readonly operationsPerSecond: number;
  /** Seconds of one model step, however small the grid. */
  readonly secondsPerStep: number;
}

/** One core of 2020 on the reference backend, two of them on wasm; a GPU of the middle class. */
const SPEEDS = {
  reference: { cellStepsPerSecond: 8e6, operationsPerSecond: 4e8, secondsPerStep: 2e-6 },
  wasm: { cellStepsPerSecond: 1e8, operationsPerSecond: 4e9, secondsPerStep: 2e-6 },
  webgpu: { cellStepsPerSecond: 2e9, operationsPerSecond: 1e11, secondsPerStep: 2e-5 },
} as const satisfies Record<string, Speed>;

/** Operations to draw truth and members: drops cost a product a cell each, other states an exponential, perturbations a filter. */
function drawingOperations({ grid, truth, background }: Scenario): number {
  const cells = grid.nx * grid.ny;
  return [
    { ...truth, states: 1 },
    { ...background, states: background.members },
  ].reduce((sum, { initial, perturbation, states }) => {
    const features = initialStateDefinition(initial.kind).features?.(initial) ?? 1;
    const { plane, build } = filterCost(perturbation.length, 8, grid);
    const smooth = perturbation.standardDeviation > 0 ? build + states * (plane + 50 * cells) : 0;
    return sum + states * features * 40 * cells + smooth;
  }, 0);
}

/** Operations of what acts during the run; of drops that fall, an exponential a line that they reach, and a multiply-add a cell. */
function forcingOperations({ truth, grid, model, background, experiment }: Scenario): number {
  const { forcing } = truth;
  const { events, source } = forcingDefinition(forcing.kind);
  if (source) {
    const intervals = experiment.cycles + truth.spinup / experiment.window;
    const states = source.seenBy(forcing) === 'each' ? 1 + background.members : 2;
    return intervals * states * grid.nx * grid.ny * source.effort(forcing, { grid, model });
  }
  if (!events) return 0;
  const states = events.seenBy(forcing) === 'each' ? 1 + background.members : 1;
  const falls = Math.ceil(experiment.cycles / events.every(forcing));
  const drop = 40 * (grid.nx + grid.ny) + 2 * grid.nx * grid.ny;
  return falls * states * events.features(forcing) * drop;
}

/** Operations of a taper between two places. */
const TAPER_OPERATIONS = 20;

function total(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}

/** What the impacts of a cycle take: windows of forecasts, by state; analyses of the methods that they are compared with; sums over cells. */
function impactEffort({ grid, background, experiment }: Scenario, methods: readonly Method[], situation: Situation) {
  const asked = recordedImpact(experiment);
  const answering = asked ? methods.filter(answersImpact) : [];
  const { lead = 0, verification } = asked ?? {};
  const { members } = background;
  const cells = grid.nx * grid.ny;
  const ownStates = verification === 'analysis' ? members : 0;
  const analyses = answering.map((method) => methodDefinition(method.kind).effort?.(method, situation).each ?? 0);
  const sums = answering.map((method) => {
    const halfWidth = halfWidthOf(method) ?? NO_LOCALISATION;
    const projections = 2 * situation.variables.length * cells * members;
    if (halfWidth === NO_LOCALISATION) return projections;
    const inReach = Math.min(cells, (4 * halfWidth) ** 2 / (grid.dx * grid.dy));
    return projections + situation.observations * inReach * (TAPER_OPERATIONS + 2 * members);
  });
  return {
    windows: lead * answering.length,
    states: 2 * members + ownStates,
    analyses: verification === 'analysis' ? lead * total(analyses) : 0,
    sums: total(sums),
  };
}

/** @param methods labels of those that run; all if omitted */
export function estimateEffort(scenario: Scenario, methods?: readonly string[]): Effort {
  const { grid, background, experiment, truth } = scenario;
  const chosen = scenario.methods.filter(({ label }) => methods === undefined || methods.includes(label));
  const [window, spinup] = [experiment.window, truth.spinup].map((seconds) => stepsIn(seconds, scenario));
  const cells = grid.nx * grid.ny;
  const states = statesOf({ methods: chosen, background });
  const forecasts = experiment.cycles * window;
  const own = asTruth(scenario);
  const ownCells = own.grid.nx * own.grid.ny;
  const [ownWindow, ownSpinup] = [experiment.window, truth.spinup].map((seconds) => stepsIn(seconds, own));
  const often = Math.min(1, ...scenario.observations.map(({ every }) => 1 / every));
  const situation = situationOf(scenario);
  const assimilation = chosen.reduce((sum, method) => {
    const { each = 0, once = 0 } = methodDefinition(method.kind).effort?.(method, situation) ?? {};
    return sum + once + experiment.cycles * often * each;
  }, 0);
  const { cycles } = experiment;
  const impacts = impactEffort(scenario, chosen, situation);
  const impactCellSteps = cycles * impacts.windows * (cells * impacts.states * window + ownCells * ownWindow);
  return {
    steps: cycles * (1 + impacts.windows) * Math.max(window, ownWindow) + Math.max(spinup, ownSpinup),
    longestForecast: Math.max(window, spinup, ownWindow, ownSpinup),
    cellSteps:
      cells * (states * forecasts + background.members * spinup) +
      ownCells * (cycles * ownWindow + ownSpinup) +
      impactCellSteps,
    operations:
      assimilation + cycles * often * impacts.analyses + drawingOperations(scenario) + forcingOperations(scenario),
    hostOperations: cycles * often * impacts.sums,
  };
}

/** @returns seconds that a run takes on a backend, to a factor of about three */
export function estimateSeconds(effort: Effort, backend: keyof typeof SPEEDS): number {
  const { steps, cellSteps, operations, hostOperations } = effort;
  const { cellStepsPerSecond, operationsPerSecond, secondsPerStep } = SPEEDS[backend];
  const onHost = hostOperations / SPEEDS.reference.operationsPerSecond;
  return steps * secondsPerStep + cellSteps / cellStepsPerSecond + operations / operationsPerSecond + onHost;
}

const UNITS = [
  ['s', 1, 90],
  ['min', 60, 90],
  ['h', 3600, 48],
  ['days', 86_400, 1000],
  ['years', 365.25 * 86_400, Infinity],
] as const;

/** @returns a duration in everyday words: `about 3.5 h` */
export function durationText(seconds: number): string {
  if (seconds < 1) return 'less than a second';
  const [unit, size] = UNITS.find(([, size, most]) => seconds / size < most) ?? UNITS[UNITS.length - 1];
  return `about ${Number((seconds / size).toPrecision(2))} ${unit}`;
}

/** @returns `4.8e+7 model steps, about 3.5 h` */
export function describeEffort(effort: Effort, backend: keyof typeof SPEEDS): string {
  const { steps } = effort;
  const count = steps < 1e6 ? String(Math.ceil(steps)) : steps.toPrecision(2);
  return `${count} model steps, ${durationText(estimateSeconds(effort, backend))}`;
}

/** @returns that one forecast would take more steps than are taken, with what would do */
export function stepProblems(scenario: Scenario): Problem[] {
  const { model, grid, experiment, truth } = asTruth(scenario);
  const problems: Problem[] = [];
  for (const [path, seconds] of [
    [['experiment', 'window'], experiment.window],
    [['truth', 'spinup'], truth.spinup],
  ] as const) {
    const steps = Math.max(stepsIn(seconds, scenario), stepsIn(seconds, asTruth(scenario)));
    if (steps <= MOST_STEPS) continue;
    const cell = Math.min(grid.dx, grid.dy);
    const why =
      model.timeStep === 'auto'
        ? `with "auto" on cells of ${tidy(cell)} m, allowed: at most ${MOST_STEPS}: up to ${tidy((seconds * MOST_STEPS) / steps)} s, or larger cells`
        : `of model.timeStep, ${tidy(model.timeStep)} s, allowed: at most ${MOST_STEPS}: up to ${tidy(model.timeStep * MOST_STEPS)} s, or longer steps`;
    problems.push({ path, message: `found ${seconds} s, which takes ${steps.toPrecision(2)} steps ${why}` });
  }
  return problems;
}

/** @returns that the run takes long, as a warning, or undefined */
export function effortWarning(scenario: Scenario): string | undefined {
  const effort = estimateEffort(scenario);
  if (estimateSeconds(effort, 'reference') <= LONG_RUN) return undefined;
  const lasting = (backend: keyof typeof SPEEDS): string => durationText(estimateSeconds(effort, backend));
  return (
    `the run has ${describeEffort(effort, 'reference')} on the reference backend, ` +
    `${lasting('wasm')} on two cores with SIMD, ${lasting('webgpu')} on a GPU`
  );
}

/** @throws LimitError where the run is estimated to take more than LONGEST_RUN */
export function checkEffort(effort: Effort, backend: keyof typeof SPEEDS, remedy: string): void {
  const seconds = estimateSeconds(effort, backend);
  if (seconds <= LONGEST_RUN) return;
  throw new LimitError(
    `the run has ${describeEffort(effort, backend)} on this backend (${backend}), allowed: a day; ` +
      `use fewer cycles, members or cells, longer steps, or ${remedy}`,
  );
}
