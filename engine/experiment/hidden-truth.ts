/**
 * The truth as its own model has it. Where that is the methods' model it is the truth that everybody looks at; where it is not, the
 * truth is moved on by its own equations on its own grid, and what is observed, compared and drawn of it is its means over the
 * methods' cells.
 */
import type { Backend, RealField } from '../compute/backend.ts';
import type { ForecastFrames, Model, Propagator } from '../models/index.ts';
import { blockMean, meanOverBlocks } from '../operators/block-mean/index.ts';
import { asTruth, hasOwnModel, modelGrid, modelKindDefinition, refinementOf, waterOf } from '../scenario/index.ts';
import type { Scenario } from '../scenario/index.ts';
import { prolong, prolongBed, prolongState, refinedGrid } from './prolongation.ts';

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
  /** An elevation on the methods' grid, m, [ny][nx], on its own. */
  raise(elevation: Float64Array): Float64Array;
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
      raise: (elevation) => elevation,
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
    raise: (elevation) => (factor === 1 ? elevation : prolong(elevation, model.grid, factor)),
    dispose() {
      for (const owned of [averaging, offset, state]) owned.dispose();
    },
  };
}
