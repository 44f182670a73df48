/** A small picture of a scenario's truth, for people who choose one: drawn and run for a moment on a coarse grid, on the host. */
import { createReferenceBackend } from '../compute/reference/reference-backend.ts';
import { NO_FILES, fileReferences, islandsOf } from '../scenario/index.ts';
import type { Scenario } from '../scenario/index.ts';
import { createModel, drawTruth } from './draw.ts';

export interface Preview {
  readonly nx: number;
  readonly ny: number;
  /** Elevation of the bed above the water at rest, m, [y][x]. */
  readonly bed: Float64Array;
  /** Depth of the water, m, [y][x]; 0 on dry land. */
  readonly depth: Float64Array;
}

/** Cells along the longer axis. */
const CELLS = 72;
/** What the waves may run, in cells: the picture is there at once. */
const MOST_CELLS_RUN = 40;

/** The same basin with fewer cells. */
function coarse(scenario: Scenario): Scenario {
  const { nx, ny, dx, dy } = scenario.grid;
  const share = Math.min(1, CELLS / Math.max(nx, ny));
  const along = Math.max(4, Math.round(nx * share));
  const across = Math.max(4, Math.round(ny * share));
  const grid = { nx: along, ny: across, dx: (nx * dx) / along, dy: (ny * dy) / across };
  // Islands stand where they stood, in the cells that there are now.
  const interventions = islandsOf(scenario).map((island) => ({
    ...island,
    x: (island.x * along) / nx,
    y: (island.y * across) / ny,
  }));
  return { ...scenario, grid, model: { ...scenario.model, timeStep: 'auto' }, interventions };
}

/** @returns undefined for a scenario that needs files beside it. @throws DivergenceError when the coarse run breaks */
export async function previewScenario(scenario: Scenario): Promise<Preview | undefined> {
  if (fileReferences(scenario).length > 0) return undefined;
  const small = coarse(scenario);
  const model = createModel(small, NO_FILES);
  const { nx, ny, dx, dy } = small.grid;
  const cells = nx * ny;
  const bed = model.bed ?? new Float64Array(cells);
  const deepest = bed.reduce((depth, elevation) => Math.max(depth, -elevation), 0);
  const wave = Math.sqrt(small.model.gravity * Math.max(deepest, Number.MIN_VALUE));
  const wanted = small.truth.spinup + small.experiment.window;
  const seconds = Math.min(wanted, (MOST_CELLS_RUN * Math.min(dx, dy)) / wave);
  const backend = createReferenceBackend();
  try {
    const propagator = await model.prepare(backend, 1);
    const state = backend.allocate('preview', 'real', 3 * cells);
    backend.write(state, model.toState(drawTruth(small, model, NO_FILES)));
    await propagator.advance(state, seconds);
    await propagator.check('the picture of the scenario');
    const depth = model.fromState(await backend.read(state)).slice(0, cells);
    return { nx, ny, bed, depth };
  } finally {
    backend.dispose();
  }
}
