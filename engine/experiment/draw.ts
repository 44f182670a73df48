/** Draws the truth and the members as they are before the spin-up, on the host in float64, the same for every backend. */
import type { Backend, RealField } from '../compute/backend.ts';
import { bedElevation } from '../bathymetry/index.ts';
import { forcingDefinition } from '../forcing/index.ts';
import { drawInitialState, initialStateDefinition } from '../initial-states/index.ts';
import type { Basin } from '../initial-states/index.ts';
import { createShallowWater } from '../models/index.ts';
import type { Model } from '../models/index.ts';
import { balanceCoefficient, geostrophicBalance } from '../operators/geostrophic-balance/index.ts';
import { filterDeviation, recursiveFilter, recursiveFilterVariance } from '../operators/recursive-filter/index.ts';
import { randomStream } from '../random/stream.ts';
import type { RandomStream } from '../random/stream.ts';
import type { Perturbation, Scenario } from '../scenario/index.ts';
import type { ScenarioFiles } from '../settings/index.ts';

/** Filter passes of a perturbation: enough for a round, Gaussian correlation. */
const PERTURBATION_ITERATIONS = 8;

/** @returns the scenario's forecast model. @throws ScenarioError when the scheme cannot honour the settings */
export function createModel(scenario: Scenario, files: ScenarioFiles): Model {
  const { nx, ny, dx, dy } = scenario.grid;
  const { scheme, timeStep, courant, gravity, coriolis, friction, boundary, bathymetry } = scenario.model;
  const periodicX = boundary.x === 'periodic';
  const periodicY = boundary.y === 'periodic';
  const grid = { nx, ny, dx, dy, periodicX, periodicY };
  const bed = bedElevation(bathymetry, grid, files);
  const { manning } = friction;
  return createShallowWater({ scheme, grid, gravity, timeStep, courant, coriolis, manning, boundary, bed });
}

function basinOf(scenario: Scenario, model: Model): Basin {
  const { grid, bed = new Float64Array(grid.nx * grid.ny) } = model;
  return { grid, bed, gravity: scenario.model.gravity, coriolis: scenario.model.coriolis };
}

/**
 * A random smooth surface with the correlation exp(−r²/2L²): white noise under a filter of L/√2, whose square has the length
 * L, normalised to the standard deviation everywhere. With balance it brings its geostrophic momenta, and
 * its mean over the basin is taken away.
 *
 * @returns what to add to h, hu, hv, [3][ny][nx]
 */
function perturbationField(spec: Perturbation, basin: Basin, stream: RandomStream): Float64Array {
  const { grid, bed } = basin;
  const { nx, ny, dx, dy, periodicX, periodicY } = grid;
  const n = nx * ny;
  const iterations = PERTURBATION_ITERATIONS;
  const sigmaX = filterDeviation(spec.length, dx, nx);
  const sigmaY = filterDeviation(spec.length, dy, ny);
  const boundaryX = periodicX ? 'periodic' : 'free';
  const boundaryY = periodicY ? 'periodic' : 'free';
  const smooth = recursiveFilter.implementations.reference({
    nx,
    ny,
    batch: 1,
    sigmaX,
    sigmaY,
    iterations,
    boundaryX,
    boundaryY,
    form: 'auto',
    transpose: false,
  });
  const input = Float64Array.from({ length: n }, () => stream.normal());
  const output = new Float64Array(n);
  smooth({ input, output });
  const varianceX = recursiveFilterVariance(nx, sigmaX, iterations, boundaryX);
  const varianceY = recursiveFilterVariance(ny, sigmaY, iterations, boundaryY);
  const surface = new Float64Array(3 * n);
  for (let cell = 0; cell < n; cell++) {
    surface[cell] =
      (spec.standardDeviation * output[cell]) / Math.sqrt(varianceX[cell % nx] * varianceY[Math.floor(cell / nx)]);
  }
  if (spec.balance === 'none') return surface;
  const balanced = new Float64Array(3 * n);
  // Currents do not feel how much water there is: what is in balance has waves and no mean, so that all have the same water.
  const mean = surface.subarray(0, n).reduce((sum, elevation) => sum + elevation, 0) / n;
  for (let cell = 0; cell < n; cell++) surface[cell] -= mean;
  const coefficient = balanceCoefficient(grid, bed, basin);
  const balance = geostrophicBalance.implementations.reference({
    nx,
    ny,
    dx,
    dy,
    periodicX,
    periodicY,
    transpose: false,
  });
  balance({ coefficient, input: surface, output: balanced });
  return balanced;
}

/** Adds a perturbation where there is water; a depth stays at least a thousandth of what it was. */
function perturbed(state: Float64Array, spec: Perturbation, basin: Basin, stream: RandomStream): Float64Array {
  if (spec.standardDeviation === 0) return state;
  const change = perturbationField(spec, basin, stream);
  const n = basin.bed.length;
  return state.map((value, element) => {
    const cell = element % n;
    if (state[cell] === 0) return value;
    return element < n ? Math.max(value + change[element], value / 1000) : value + change[element];
  });
}

/**
 * The wave rate, 1/s, of a state as it is drawn, with the highest drop of the forcing on top. The steps of a run with "auto" are
 * made for the largest of the truth and of all members: it follows from the scenario and its seed alone, so that truth and
 * methods take the same steps whichever of them run, on every backend.
 *
 * @param fields h, hu, hv, [3][ny][nx]
 */
export function paceOf(scenario: Scenario, model: Model, fields: Float64Array): number {
  const { forcing } = scenario.truth;
  const highest = forcingDefinition(forcing.kind).events?.highest(forcing) ?? 0;
  if (highest === 0) return model.waveRate(fields);
  const raised = fields.slice();
  for (let cell = 0; cell < model.grid.nx * model.grid.ny; cell++) raised[cell] += highest;
  return model.waveRate(raised);
}

function unperturbedTruth({ seed, truth }: Scenario, basin: Basin, files: ScenarioFiles): Float64Array {
  const stream = randomStream(seed, 'truth.initial');
  return drawInitialState(truth.initial, basin, stream, { files, member: 0, truth: undefined });
}

/** The truth's physical fields h, hu, hv before the spin-up, [3][ny][nx]. */
export function drawTruth(scenario: Scenario, model: Model, files: ScenarioFiles): Float64Array {
  const { seed, truth } = scenario;
  const basin = basinOf(scenario, model);
  const initial = unperturbedTruth(scenario, basin, files);
  return perturbed(initial, truth.perturbation, basin, randomStream(seed, 'truth.perturbation'));
}

/** Draws a member's physical fields before the spin-up, [3][ny][nx]; member i is the same in an ensemble of any size. */
export function createMemberDraw(
  scenario: Scenario,
  model: Model,
  files: ScenarioFiles,
): (member: number) => Float64Array {
  const { seed, background } = scenario;
  const basin = basinOf(scenario, model);
  const { isOfTruth } = initialStateDefinition(background.initial.kind);
  const truth = isOfTruth ? unperturbedTruth(scenario, basin, files) : undefined;
  return (member) => {
    const stream = randomStream(seed, 'background.initial', member);
    const initial = drawInitialState(background.initial, basin, stream, { files, member, truth });
    return perturbed(initial, background.perturbation, basin, randomStream(seed, 'background.perturbation', member));
  };
}

/** Truth and members before the spin-up, where the run computes. */
export interface Drawn {
  /** One state as the model takes it, [variable][y][x]. */
  readonly truth: Float64Array;
  /** All members, [member][variable][y][x]. */
  readonly ensemble: RealField;
  /** The wave rate that "auto" steps are made for, 1/s. */
  readonly pace: number;
}

/** Draws the truth, and the members one by one into a field: the host never holds more than one of them. */
export async function drawStates(
  backend: Backend,
  scenario: Scenario,
  model: Model,
  files: ScenarioFiles,
): Promise<Drawn> {
  const { members } = scenario.background;
  const truth = drawTruth(scenario, model, files);
  const draw = createMemberDraw(scenario, model, files);
  const ensemble = backend.allocate('background', 'real', members * truth.length);
  let pace = paceOf(scenario, model, truth);
  try {
    for (let member = 0; member < members; member++) {
      const fields = draw(member);
      pace = Math.max(pace, paceOf(scenario, model, fields));
      backend.write(ensemble, model.toState(fields), member * truth.length);
      // What is written lies on the host until it is on the device.
      await backend.settle();
    }
    return { truth: model.toState(truth), ensemble, pace };
  } catch (error) {
    ensemble.dispose();
    throw error;
  }
}
