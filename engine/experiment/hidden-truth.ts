/**
 * The truth as its own model has it. Where that is the methods' model it is the truth that everybody looks at; where it is not, the
 * truth is moved on by its own equations on its own grid, and what is observed, compared and drawn of it is its means over the
 * methods' cells.
 */
import type { Backend, RealField } from '../compute/backend.ts';
import type { ForecastFrames, Model, Propagator, Grid } from '../models/index.ts';
import { blockMean, meanOverBlocks } from '../operators/block-mean/index.ts';
import { asTruth, hasOwnModel, modelGrid, modelKindDefinition, refinementOf, waterOf } from '../scenario/index.ts';
import type { Scenario } from '../scenario/index.ts';

/**
 * From the cells of a grid to those of a finer one, an integer number of them along each axis of a cell. A cell's value is the mean
 * over it, and stays that: its fine cells have the means of the parabola through the means of the cell and its two neighbours,
 * first along x, then along y, of second order in what is smooth.
 *
 * @returns the grid with `factor` cells along each axis of a cell
 */
export function refinedGrid(grid: Grid, factor: number): Grid {
  const { nx, ny, dx, dy } = grid;
  return { ...grid, nx: nx * factor, ny: ny * factor, dx: dx / factor, dy: dy / factor };
}

/** A line of means, and which of them may be used for each other. */
interface Line {
  readonly length: number;
  readonly periodic: boolean;
  readonly value: (place: number) => number;
  readonly isOpen: (place: number) => boolean;
}

/** The means of fine cell k: with the slope s and the curvature c of p(ξ) = ū + s ξ + c(ξ² − 1/12), −½ ≤ ξ ≤ ½. */
function shares(factor: number): readonly (readonly [slope: number, curvature: number])[] {
  return Array.from({ length: factor }, (_, k) => {
    const [a, b] = [k / factor - 0.5, (k + 1) / factor - 0.5];
    return [(a + b) / 2, (a * a + a * b + b * b) / 3 - 1 / 12] as const;
  });
}

/** Refines a line; the cell's own mean replaces a neighbour that is absent or not open. */
function refineLine(
  { length, periodic, value, isOpen }: Line,
  factor: number,
  write: (place: number, mean: number) => void,
): void {
  const parts = shares(factor);
  for (let place = 0; place < length; place++) {
    const own = value(place);
    const beside = (offset: -1 | 1): number => {
      const at = periodic ? (place + offset + length) % length : place + offset;
      return at >= 0 && at < length && isOpen(at) && isOpen(place) ? value(at) : own;
    };
    const [before, after] = [beside(-1), beside(1)];
    const slope = (after - before) / 2;
    const curvature = (after - 2 * own + before) / 2;
    parts.forEach(([first, second], k) => write(place * factor + k, own + first * slope + second * curvature));
  }
}

/** @returns the means over the fine cells of a line of cells */
export function prolongLine(values: Float64Array, periodic: boolean, factor: number): Float64Array {
  if (factor === 1) return values;
  const fine = new Float64Array(values.length * factor);
  const line = { length: values.length, periodic, value: (i: number) => values[i], isOpen: () => true };
  refineLine(line, factor, (i, mean) => (fine[i] = mean));
  return fine;
}

/**
 * @param plane means over the cells, [ny][nx]
 * @param isOpen whether a cell and its neighbours are used for each other; default: all are
 * @returns means over the fine cells, [ny·factor][nx·factor]
 */
export function prolong(
  plane: Float64Array,
  { nx, ny, periodicX, periodicY }: Grid,
  factor: number,
  isOpen: (cell: number) => boolean = () => true,
): Float64Array {
  const along = nx * factor;
  const rows = new Float64Array(ny * along);
  for (let j = 0; j < ny; j++) {
    const line = {
      length: nx,
      periodic: periodicX,
      value: (i: number) => plane[j * nx + i],
      isOpen: (i: number) => isOpen(j * nx + i),
    };
    refineLine(line, factor, (i, mean) => (rows[j * along + i] = mean));
  }
  const fine = new Float64Array(ny * factor * along);
  for (let column = 0; column < along; column++) {
    const i = Math.floor(column / factor);
    const line = {
      length: ny,
      periodic: periodicY,
      value: (j: number) => rows[j * along + column],
      isOpen: (j: number) => isOpen(j * nx + i),
    };
    refineLine(line, factor, (j, mean) => (fine[j * along + column] = mean));
  }
  return fine;
}

/** The fine cells of a coarse one. */
function blockOf(cell: number, nx: number, factor: number): readonly number[] {
  const along = nx * factor;
  const corner = Math.floor(cell / nx) * factor * along + (cell % nx) * factor;
  return Array.from({ length: factor ** 2 }, (_, k) => corner + Math.floor(k / factor) * along + (k % factor));
}

/**
 * A bed over fine cells: a cell under the water at rest has no fine cell above it and one above none beneath, so that water at
 * rest stays where it is.
 *
 * @param bed elevation above the water at rest, m, [ny][nx]
 */
export function prolongBed(bed: Float64Array, grid: Grid, factor: number): Float64Array {
  const fine = prolong(bed, grid, factor, (cell) => bed[cell] < 0);
  bed.forEach((elevation, cell) => {
    const block = blockOf(cell, grid.nx, factor);
    if (elevation >= 0 || block.some((at) => fine[at] >= 0)) for (const at of block) fine[at] = elevation;
  });
  return fine;
}

/**
 * A state h, hu, hv over fine cells, with as much water and momentum in each cell as before. It is the surface that is smooth, not
 * the depth: what rests over a bed continues to.
 *
 * @param state [3][ny][nx]. @param bed, fineBed m above the water at rest
 * @returns [3][ny·factor][nx·factor]
 */
export function prolongState(
  state: Float64Array,
  grid: Grid,
  factor: number,
  { bed, fineBed }: { readonly bed: Float64Array; readonly fineBed: Float64Array },
): Float64Array {
  const cells = bed.length;
  const [depth, alongX, alongY] = [0, 1, 2].map((v) => state.subarray(v * cells, (v + 1) * cells));
  const isWet = (cell: number): boolean => depth[cell] > 0;
  const surface = prolong(
    depth.map((h, cell) => h + bed[cell]),
    grid,
    factor,
    isWet,
  );
  const fineDepth = surface.map((eta, at) => eta - fineBed[at]);
  depth.forEach((h, cell) => {
    const block = blockOf(cell, grid.nx, factor);
    if (h === 0 || block.some((at) => !(fineDepth[at] > 0))) for (const at of block) fineDepth[at] = h;
  });
  const momenta = [alongX, alongY].map((plane) => prolong(plane, grid, factor, isWet));
  const fine = new Float64Array(3 * fineDepth.length);
  [fineDepth, ...momenta].forEach((plane, v) => fine.set(plane, v * fineDepth.length));
  return fine;
}

/** The truth's model, and the way to it from fields on the methods' grid. */
export interface TruthModel {
  readonly model: Model;
  /** Fine cells of a cell along each axis. */
  readonly factor: number;
  /** @param external physical fields [variable][ny][nx]. @returns physical fields on the truth's grid */
  fromCoarse(external: Float64Array): Float64Array;
}

/**
 * @param model of the methods
 * @returns the truth's; `model` itself where they are the same. @throws ScenarioError when it cannot honour the settings
 */
export function createTruthModel(scenario: Scenario, model: Model): TruthModel {
  if (!hasOwnModel(scenario)) return { model, factor: 1, fromCoarse: (external) => external };
  const { model: settings } = asTruth(scenario);
  const factor = refinementOf(scenario);
  const grid = refinedGrid(modelGrid(scenario), factor);
  const definition = modelKindDefinition(settings);
  const { bed } = model;
  if (waterOf(settings) === undefined || bed === undefined || factor === 1) {
    return { model: definition.create(settings, grid, bed), factor, fromCoarse: (external) => external };
  }
  const fineBed = prolongBed(bed, model.grid, factor);
  return {
    model: definition.create(settings, grid, fineBed),
    factor,
    fromCoarse: (external) => prolongState(external, model.grid, factor, { bed, fineBed }),
  };
}

/**
 * @param model of the methods
 * @param state of the truth as its own model has it, as checkpoints keep it
 * @returns its physical fields on the methods' grid, [variable][ny][nx]
 */
export function shownTruth(scenario: Scenario, model: Model, state: Float64Array): Float64Array {
  const own = createTruthModel(scenario, model);
  const fields = own.model.fromState(state);
  const { nx, ny } = model.grid;
  return own.factor === 1
    ? fields
    : meanOverBlocks(fields, { nx, ny, variables: model.variables.length, factor: own.factor });
}

export interface HiddenTruth {
  readonly model: Model;
  /** As its model takes it, on its grid. */
  readonly state: RealField;
  readonly propagator: Propagator;
  /** Brings what everybody looks at up to the state. Queued. */
  show(): void;
  /** What looks at the truth on its way, shown to it first. */
  shown(frames: ForecastFrames | undefined): ForecastFrames | undefined;
  /** Cells of its own along each axis of a cell of the methods' grid. */
  readonly factor: number;
  dispose(): void;
}

/** What component 0 is more by in the methods' states than in the truth's, m, [ny][nx]. */
function surfaceOffset(model: Model, own: Model): Float64Array {
  const { nx, ny } = model.grid;
  const nothing = new Float64Array(nx * ny);
  const { bed = nothing } = model;
  if (model.surface === own.surface) return nothing;
  return own.surface === 'depth' ? bed : bed.map((elevation) => -elevation);
}

/**
 * @param truth what everybody looks at, as the methods' model takes it
 * @param propagator of the truth's model
 */
export async function createHiddenTruth(
  backend: Backend,
  model: Model,
  own: TruthModel,
  truth: RealField,
  propagator: Propagator,
): Promise<HiddenTruth> {
  if (own.model === model) {
    return {
      model,
      state: truth,
      propagator,
      show: () => undefined,
      shown: (frames) => frames,
      factor: 1,
      dispose: () => undefined,
    };
  }
  const { factor } = own;
  const { nx, ny } = model.grid;
  const variables = model.variables.length;
  const state = backend.allocate('truth.own', 'real', variables * nx * ny * factor ** 2);
  const offset = backend.allocate('truth.offset', 'real', nx * ny);
  backend.write(offset, surfaceOffset(model, own.model));
  const averaging = await backend.prepare(blockMean, { nx, ny, variables, factor });
  const show = (): void => averaging.run({ fine: state, offset, coarse: truth });
  return {
    model: own.model,
    state,
    propagator,
    show,
    shown: (frames) =>
      frames && {
        ...frames,
        take(index, share) {
          show();
          return frames.take(index, share);
        },
      },
    factor,
    dispose() {
      for (const owned of [averaging, offset, state]) owned.dispose();
    },
  };
}
