/**
 * What a run is made of beside its methods: model, truth, propagators and the observer of the truth. Truth and members are drawn one
 * by one before the spin-up, into the field where the run computes.
 */
import type { Backend, RealField } from '../compute/backend.ts';
import type { Model, Propagator } from '../models/index.ts';
import { hasOwnModel, type Scenario } from '../scenario/index.ts';
import type { ScenarioFiles } from '../settings/index.ts';
import { numberOf, type Checkpoint } from './checkpoint.ts';
import { createModel, createMemberDraw, drawTruth, paceOf } from './draw.ts';
import { createDriving, type Driving } from './forcing.ts';
import { createHiddenTruth, createTruthModel, type HiddenTruth } from './hidden-truth.ts';
import { createTruthObserver, type TruthObserver } from './truth-observer.ts';

/** The truth, or a member by its number. */
export type Drawable = 'truth' | number;

/** A state before the spin-up. */
export interface DrawnState {
  /** As the model takes it, [variable][y][x]. */
  readonly state: Float64Array;
  /** The wave rate that "auto" steps are made for, 1/s. */
  readonly pace: number;
}

/** Draws states, here or elsewhere: the same bits wherever that is. */
export interface StateDraw {
  /** How many may be under way at once, at least 1. */
  readonly atOnce: number;
  /** Rejects where it cannot be drawn, or nobody wants it any more. */
  draw(which: Drawable): DrawnState | Promise<DrawnState>;
  /** No more is drawn. */
  dispose(): void;
}

/**
 * Draws states in this thread, one at a time. Tables and work space of the members are made with the first of them.
 *
 * @throws ScenarioError when the scheme cannot honour the settings
 */
export function createStateDraw(scenario: Scenario, files: ScenarioFiles): StateDraw {
  const model = createModel(scenario, files);
  let ofMembers: ((member: number) => Float64Array) | undefined;
  const asDrawn = (its: Model, fields: Float64Array): DrawnState => ({
    state: its.toState(fields),
    pace: paceOf(scenario, its, fields),
  });
  return {
    atOnce: 1,
    draw(which) {
      if (which === 'truth') {
        const own = createTruthModel(scenario, model);
        return asDrawn(own.model, own.fromCoarse(drawTruth(scenario, model, files)));
      }
      ofMembers ??= createMemberDraw(scenario, model, files);
      return asDrawn(model, ofMembers(which));
    },
    dispose: () => undefined,
  };
}

/** Truth and members before the spin-up, where the run computes. */
export interface Drawn {
  /** One state as its model takes it, [variable][y][x]. */
  readonly truth: Float64Array;
  /** All members, [member][variable][y][x]. */
  readonly ensemble: RealField;
  /** The wave rate that the methods' "auto" steps are made for, 1/s: the largest of all states that their model moves on. */
  readonly pace: number;
  /** That of the truth's: the same, or of a model of its own. */
  readonly truthPace: number;
}

interface DrawOptions {
  /** Disposed of when all are drawn. */
  readonly draw: StateDraw;
  /** Called after each state with the share, 0 to 1, of those that there are. */
  readonly onDrawn?: (share: number) => void;
  /** Gives up between two states. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Draws the truth, and the members into a field. A state is asked for when the one before it has left the host, so that the
 * host never holds more of them than are drawn at once.
 *
 * @throws what a state could not be drawn for, the signal's reason
 */
export async function drawStates(
  backend: Backend,
  scenario: Scenario,
  model: Model,
  { draw, onDrawn, signal }: DrawOptions,
): Promise<Drawn> {
  const { members } = scenario.background;
  const { grid, variables } = model;
  const length = variables.length * grid.nx * grid.ny;
  const ensemble = backend.allocate('background', 'real', members * length);
  const waiting: Drawable[] = ['truth', ...Array.from({ length: members }, (_, member) => member)];
  const all = waiting.length;
  let truth: Float64Array = new Float64Array(0);
  let pace = 0;
  let truthPace = 0;
  let done = 0;
  const drawOne = async (which: Drawable): Promise<void> => {
    const drawn = await draw.draw(which);
    if (which === 'truth') {
      truth = drawn.state;
      truthPace = drawn.pace;
    } else {
      pace = Math.max(pace, drawn.pace);
      backend.write(ensemble, drawn.state, which * length);
      // The host keeps a copy of what is written until the device has it.
      await backend.settle();
    }
    done += 1;
    onDrawn?.(done / all);
  };
  const drawOthers = async (): Promise<void> => {
    try {
      for (let which = waiting.shift(); which !== undefined; which = waiting.shift()) {
        signal?.throwIfAborted();
        await drawOne(which);
      }
    } catch (error) {
      waiting.length = 0;
      throw error;
    }
  };
  const ends = await Promise.allSettled(Array.from({ length: draw.atOnce }, drawOthers));
  draw.dispose();
  const failure = ends.find((end) => end.status === 'rejected');
  if (!failure) {
    if (hasOwnModel(scenario)) return { truth, ensemble, pace, truthPace };
    const shared = Math.max(pace, truthPace);
    return { truth, ensemble, pace: shared, truthPace: shared };
  }
  ensemble.dispose();
  throw failure.reason;
}

/** Each part is owned by the run. */
export interface Parts {
  readonly backend: Backend;
  readonly scenario: Scenario;
  readonly files: ScenarioFiles;
  readonly model: Model;
  /** The wave rate that the methods' "auto" steps are made for, 1/s. */
  readonly pace: number;
  /** That of the truth's model. */
  readonly truthPace: number;
  /** As everybody looks at it: on the methods' grid, as their model takes it. */
  readonly truth: RealField;
  /** As its own model has it. */
  readonly hidden: HiddenTruth;
  /** Whether the truth is moved on as the methods' states are, so that it can go along with them. */
  readonly hasOneModel: boolean;
  /** One for each member count. */
  readonly propagatorOf: (members: number) => Promise<Propagator>;
  readonly observer: TruthObserver;
  readonly driving: Driving;
  readonly own: <Owned extends { dispose(): void }>(owned: Owned) => Owned;
}

/** @returns the parts, and what the run begins with if there is no checkpoint */
export async function prepareParts(
  backend: Backend,
  scenario: Scenario,
  files: ScenarioFiles,
  own: Parts['own'],
  checkpoint: Checkpoint | undefined,
  drawing: DrawOptions,
): Promise<{ readonly parts: Parts; readonly drawn: Drawn | undefined }> {
  const undriven = createModel(scenario, files);
  const driving = createDriving(scenario);
  const model = driving.ofMethods(undriven);
  const truthModel = createTruthModel(scenario, model);
  const drawn = checkpoint ? undefined : await drawStates(backend, scenario, model, drawing);
  if (drawn) own(drawn.ensemble);
  const pace = drawn?.pace ?? numberOf(checkpoint, 'pace');
  const truthPace = drawn?.truthPace ?? (truthModel.model === model ? pace : numberOf(checkpoint, 'truthPace'));
  const propagators = new Map<number, Promise<Propagator>>();
  const propagatorOf = (members: number): Promise<Propagator> => {
    const propagator = propagators.get(members) ?? model.prepare(backend, members, pace, drawing.signal).then(own);
    propagators.set(members, propagator);
    return propagator;
  };
  const { nx, ny } = model.grid;
  const truth = own(backend.allocate('truth', 'real', model.variables.length * nx * ny));
  const ofTruth = driving.ofTruth(truthModel.model === model ? undriven : truthModel.model);
  const hasOneModel = ofTruth === model;
  const truthPropagator = hasOneModel
    ? await propagatorOf(1)
    : own(await ofTruth.prepare(backend, 1, truthPace, drawing.signal));
  const hidden = own(await createHiddenTruth(backend, model, truthModel, truth, truthPropagator));
  const observer = own(
    await createTruthObserver(backend, scenario, files, model, truth, {
      firstCycle: checkpoint?.cycle ?? 0,
      members: [scenario.background.members],
    }),
  );
  return {
    parts: {
      backend,
      scenario,
      files,
      model,
      pace,
      truthPace,
      truth,
      hidden,
      hasOneModel,
      propagatorOf,
      observer,
      driving,
      own,
    },
    drawn,
  };
}
