/** A small picture of a scenario's truth, for people who choose one: drawn and run for a moment on the host, a basin on a coarse grid. */
import { createReferenceBackend } from '../compute/host-backend.ts';
import type { Model } from '../models/index.ts';
import { NO_FILES, fileReferences, islandsOf, waterOf } from '../scenario/index.ts';
import type { Scenario } from '../scenario/index.ts';
import { createModel, drawTruth } from './draw.ts';

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

/** @returns undefined for a scenario that needs files beside it. @throws DivergenceError when the coarse run breaks */
export async function previewScenario(scenario: Scenario): Promise<Preview | undefined> {
  if (fileReferences(scenario).length > 0) return undefined;
  const water = waterOf(scenario.model);
  if (water === undefined) return previewRing(scenario);
  const small = coarse(scenario, water);
  const model = createModel(small, NO_FILES);
  const { nx, ny, dx, dy } = small.grid;
  const cells = nx * ny;
  const bed = model.bed ?? new Float64Array(cells);
  const deepest = bed.reduce((depth, elevation) => Math.max(depth, -elevation), 0);
  const wave = Math.sqrt(water.gravity * Math.max(deepest, Number.MIN_VALUE));
  const wanted = small.truth.spinup + small.experiment.window;
  const seconds = Math.min(wanted, (MOST_CELLS_RUN * Math.min(dx, dy)) / wave);
  const depth = await running(small, model, async (advance) => (await advance(seconds)).slice(0, cells));
  return { kind: 'basin', nx, ny, bed, depth };
}

async function previewRing(scenario: Scenario): Promise<RingPreview> {
  const model = createModel(scenario, NO_FILES);
  const { nx } = model.grid;
  const { window } = scenario.experiment;
  const values = new Float64Array(nx * RING_ROWS);
  await running(scenario, model, async (advance) => {
    await advance(RING_STEPS_BEFORE * window);
    for (let row = 0; row < RING_ROWS; row++) values.set(await advance(window), row * nx);
  });
  return { kind: 'ring', nx, rows: RING_ROWS, values };
}
