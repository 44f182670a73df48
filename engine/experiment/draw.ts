/** Draws the truth and the members as they are before the spin-up, on the host in float64, the same for every backend. */
import { forcingDefinition } from '../forcing/index.ts';
import { drawInitialState, initialStateDefinition, variableCount, type Basin } from '../initial-states/index.ts';
import type { Grid, Model } from '../models/index.ts';
import { balanceCoefficient, geostrophicBalance } from '../operators/geostrophic-balance/index.ts';
import { recursiveFilter, smoothSurfaceFilter } from '../operators/recursive-filter/index.ts';
import { randomStream, type RandomStream } from '../random/stream.ts';
import {
  modelGrid,
  modelKindDefinition,
  physicsOf,
  scenarioBed,
  waterOf,
  NO_FILES,
  fileReferences,
  islandsOf,
} from '../scenario/index.ts';
import type { Perturbation, Scenario } from '../scenario/index.ts';
import type { ScenarioFiles } from '../settings/index.ts';
import { createReferenceBackend } from '../compute/host-backend.ts';

/** @returns the scenario's forecast model. @throws ScenarioError when the model cannot honour the settings */
export function createModel(scenario: Scenario, files: ScenarioFiles): Model {
  const bed = waterOf(scenario.model) && scenarioBed(scenario, files);
  return modelKindDefinition(scenario.model).create(scenario.model, modelGrid(scenario), bed);
}

function basinOf(scenario: Scenario, model: Model): Basin {
  const { grid, bed = new Float64Array(grid.nx * grid.ny) } = model;
  const { gravity, coriolis } = physicsOf(scenario.model);
  const kind = modelKindDefinition(scenario.model);
  return {
    grid,
    bed,
    gravity,
    coriolis,
    steadyState: kind.steadyState?.(scenario.model),
    climate:
      kind.climate && ((stream, time) => kind.climate?.(scenario.model, grid, stream, time) ?? new Float64Array(0)),
  };
}

/** @returns what a perturbation adds to each variable, [variable][ny][nx]; to be used before the next one is drawn */
type PerturbationDraw = (stream: RandomStream) => Float64Array;

/**
 * Random smooth surfaces with the correlation exp(−r²/2L²), normalised to the standard deviation everywhere.
 *
 * @returns draws one into `surface`, m, [ny][nx]
 */
function smoothSurface(
  { length, standardDeviation }: Perturbation,
  grid: Grid,
): (stream: RandomStream, surface: Float64Array) => void {
  const { nx, ny } = grid;
  const n = nx * ny;
  const { filter, varianceX, varianceY } = smoothSurfaceFilter(length, grid, 1);
  const smooth = recursiveFilter.implementations.reference(filter);
  const noise = new Float64Array(n);
  return (stream, surface) => {
    for (let cell = 0; cell < n; cell++) noise[cell] = stream.normal();
    smooth({ input: noise, output: surface });
    for (let j = 0, cell = 0; j < ny; j++) {
      for (let i = 0; i < nx; i++, cell++) {
        surface[cell] = (standardDeviation * surface[cell]) / Math.sqrt(varianceX[i] * varianceY[j]);
      }
    }
  };
}

/**
 * Draws smooth surfaces. With balance they bring their geostrophic momenta, and their mean over the basin is taken away.
 * Tables and work space are made once, for all members.
 */
function createPerturbationDraw(spec: Perturbation, basin: Basin): PerturbationDraw {
  const { grid, bed } = basin;
  const { nx, ny, dx, dy, periodicX, periodicY } = grid;
  const n = nx * ny;
  const draw = smoothSurface(spec, grid);
  const change = new Float64Array(variableCount(basin) * n);
  const surface = change.subarray(0, n);
  if (spec.balance === 'none') {
    return (stream) => {
      draw(stream, surface);
      return change;
    };
  }
  const balanced = new Float64Array(3 * n);
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
  return (stream) => {
    draw(stream, surface);
    // Currents do not feel how much water there is: what is in balance has waves and no mean, so that all have the same water.
    let sum = 0;
    for (let cell = 0; cell < n; cell++) sum += surface[cell];
    const mean = sum / n;
    for (let cell = 0; cell < n; cell++) surface[cell] -= mean;
    balance({ coefficient, input: change, output: balanced });
    return balanced;
  };
}

/**
 * Perturbs states h, hu, hv in place if there is water; a depth stays at least a thousandth of what it was. Of a model without
 * water the first variable is perturbed in every cell.
 *
 * @returns perturbs a state, [variable][ny][nx], and returns it
 */
function createPerturbing(
  spec: Perturbation,
  basin: Basin,
): (state: Float64Array, stream: RandomStream) => Float64Array {
  if (spec.standardDeviation === 0) return (state) => state;
  const n = basin.bed.length;
  const draw = createPerturbationDraw(spec, basin);
  return (state, stream) => {
    const change = draw(stream);
    if (basin.steadyState) {
      for (let cell = 0; cell < n; cell++) state[cell] += change[cell];
      return state;
    }
    for (let cell = 0; cell < n; cell++) {
      const depth = state[cell];
      if (depth === 0) continue;
      state[cell] = Math.max(depth + change[cell], depth / 1000);
      state[n + cell] += change[n + cell];
      state[2 * n + cell] += change[2 * n + cell];
    }
    return state;
  };
}

/**
 * The wave rate, 1/s, of a state as it is drawn, with the highest drop of the forcing on top. The steps of a run with "auto" are
 * made for the largest of the truth and of all members: it follows from the scenario and its seed alone, so that truth and
 * methods take the same steps whichever of them run, on every backend.
 *
 * @param fields physical, [variable][ny][nx]
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

/** The truth's physical fields before the spin-up, [variable][ny][nx]. */
export function drawTruth(scenario: Scenario, model: Model, files: ScenarioFiles): Float64Array {
  const { seed, truth } = scenario;
  const basin = basinOf(scenario, model);
  const initial = unperturbedTruth(scenario, basin, files);
  return createPerturbing(truth.perturbation, basin)(initial, randomStream(seed, 'truth.perturbation'));
}

/** Draws a member's physical fields before the spin-up, [variable][ny][nx]; member i is the same in an ensemble of any size. */
export function createMemberDraw(
  scenario: Scenario,
  model: Model,
  files: ScenarioFiles,
): (member: number) => Float64Array {
  const { seed, background } = scenario;
  const basin = basinOf(scenario, model);
  const { isOfTruth } = initialStateDefinition(background.initial.kind);
  const truth = isOfTruth ? unperturbedTruth(scenario, basin, files) : undefined;
  const perturb = createPerturbing(background.perturbation, basin);
  return (member) => {
    const stream = randomStream(seed, 'background.initial', member);
    const initial = drawInitialState(background.initial, basin, stream, { files, member, truth });
    return perturb(initial, randomStream(seed, 'background.perturbation', member));
  };
}

/** Water in a basin. */
export interface BasinPreview {
  readonly kind: 'basin';
  readonly nx: number;
  readonly ny: number;
  /** Elevation of the bed above the water at rest, m, [y][x]. */
  readonly bed: Float64Array;
  /** Depth of the water, m, [y][x]; 0 on dry land. */
  readonly depth: Float64Array;
}

/** A ring by time: its variables one row after the other, the latest last. */
export interface RingPreview {
  readonly kind: 'ring';
  readonly nx: number;
  readonly rows: number;
  /** [time][x] */
  readonly values: Float64Array;
}

export type Preview = BasinPreview | RingPreview;

/** Cells along the longer axis. */
const CELLS = 72;
/** What the waves may run, in cells: the picture is there at once. */
const MOST_CELLS_RUN = 40;
/** Parts in which they run. */
const PARTS = 8;
/** Steps of a ring from rest to where waves go round, and rows of its picture, a step each. */
const RING_STEPS_BEFORE = 400;
const RING_ROWS = 60;

/** The same basin with fewer cells. */
function coarse(scenario: Scenario, water: ReturnType<typeof waterOf> & object): Scenario {
  const { nx, ny, dx, dy } = scenario.grid;
  const share = Math.min(1, CELLS / Math.max(nx, ny));
  const along = Math.max(4, Math.round(nx * share));
  const across = Math.max(4, Math.round(ny * share));
  const grid = { nx: along, ny: across, dx: (nx * dx) / along, dy: (ny * dy) / across };
  // Islands stay at their places, in the current cells.
  const interventions = islandsOf(scenario).map((island) => ({
    ...island,
    x: (island.x * along) / nx,
    y: (island.y * across) / ny,
  }));
  return { ...scenario, grid, model: { ...water, timeStep: 'auto' }, interventions };
}

/** Draws the truth and runs it. @param advance is given a step of `seconds`, and returns what the state is after it */
async function running<Result>(
  scenario: Scenario,
  model: Model,
  run: (advance: (seconds: number) => Promise<Float64Array>) => Promise<Result>,
): Promise<Result> {
  const backend = createReferenceBackend();
  try {
    const propagator = await model.prepare(backend, 1);
    const state = backend.allocate('preview', 'real', model.variables.length * model.grid.nx * model.grid.ny);
    backend.write(state, model.toState(drawTruth(scenario, model, NO_FILES)));
    return await run(async (seconds) => {
      await propagator.advance(state, seconds);
      await propagator.check('the picture of the scenario');
      return model.fromState(await backend.read(state));
    });
  } finally {
    backend.dispose();
  }
}

/**
 * @param pause what is waited for between two parts of the work, for a thread that has others to serve
 * @returns undefined for a scenario that needs files beside it. @throws DivergenceError when the coarse run breaks
 */
export async function previewScenario(
  scenario: Scenario,
  pause: () => Promise<void> = () => Promise.resolve(),
): Promise<Preview | undefined> {
  if (fileReferences(scenario).length > 0) return undefined;
  const water = waterOf(scenario.model);
  if (water === undefined) return previewRing(scenario, pause);
  const small = coarse(scenario, water);
  const model = createModel(small, NO_FILES);
  const { nx, ny, dx, dy } = small.grid;
  const cells = nx * ny;
  const bed = model.bed ?? new Float64Array(cells);
  const deepest = bed.reduce((depth, elevation) => Math.max(depth, -elevation), 0);
  const wave = Math.sqrt(water.gravity * Math.max(deepest, Number.MIN_VALUE));
  const wanted = small.truth.spinup + small.experiment.window;
  const seconds = Math.min(wanted, (MOST_CELLS_RUN * Math.min(dx, dy)) / wave);
  const depth = await running(small, model, async (advance) => {
    for (let part = 1; part < PARTS; part++) {
      await advance(seconds / PARTS);
      await pause();
    }
    return (await advance(seconds / PARTS)).slice(0, cells);
  });
  return { kind: 'basin', nx, ny, bed, depth };
}

async function previewRing(scenario: Scenario, pause: () => Promise<void>): Promise<RingPreview> {
  const model = createModel(scenario, NO_FILES);
  const { nx } = model.grid;
  const { window } = scenario.experiment;
  const values = new Float64Array(nx * RING_ROWS);
  await running(scenario, model, async (advance) => {
    await advance(RING_STEPS_BEFORE * window);
    await pause();
    for (let row = 0; row < RING_ROWS; row++) values.set(await advance(window), row * nx);
  });
  return { kind: 'ring', nx, rows: RING_ROWS, values };
}
