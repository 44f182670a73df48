/**
 * What a forecast model is to the experiment: a grid, named variables, a way from physical fields to the state that lives
 * on a backend and back, and a propagator that advances an ensemble of such states.
 */
import type { Backend, RealField, Prepared, FieldKinds, Operator } from '../compute/backend.ts';
import { perturbation } from '../operators/ensemble/index.ts';
import type { Division } from './division.ts';

/** A regular grid of cells; cell (j, i) has the index j·nx + i and its centre at (i·dx, j·dy), from that of cell (0, 0). */
export interface Grid {
  readonly nx: number;
  readonly ny: number;
  /** Metres. */
  readonly dx: number;
  readonly dy: number;
  readonly periodicX: boolean;
  readonly periodicY: boolean;
}

export interface ModelVariable {
  readonly name: string;
  readonly unit: string;
}

export interface Model {
  readonly grid: Grid;
  /** What goes in and comes out, in order: h, hu, hv for shallow water. */
  readonly variables: readonly ModelVariable[];
  /**
   * What component 0 of the state on the backend is: the depth h, or the elevation η = h + bed of the water surface (where
   * the cell is dry, of the ground). Undefined for a model without water.
   */
  readonly surface: 'depth' | 'elevation' | undefined;
  /** A depth up to this is dry, metres; undefined where no cell falls dry. */
  readonly dryDepth?: number;
  /** Elevation of the bed at the cells' centres, metres, [y][x]; undefined where the model has none (a flat bottom at 0). */
  readonly bed: Float64Array | undefined;
  /** Physical fields to the state, [variable][y][x] of one member, or of several one after the other. */
  toState(external: Float64Array): Float64Array;
  /** The inverse of `toState`; a depth is never negative. */
  fromState(state: Float64Array): Float64Array;
  /**
   * The largest wave rate of physical fields, of one member or several, 1/s: cells that the fastest wave crosses in a second.
   * 0 for a model without a time step "auto".
   */
  waveRate(external: Float64Array): number;
  /**
   * Compiles the model for an ensemble of `members` states, [member][variable][y][x].
   *
   * @param pace with the time step "auto": the wave rate, 1/s, for which the steps of every forecast are made. Propagators of
   *   one pace take the same steps, whatever their states, but where waves have become faster than that by a quarter: there a
   *   step is halved. Omitted: the rate of each forecast's first state, which costs a read-back.
   * @param signal gives up forecasts that are under way, with its reason
   */
  prepare(backend: Backend, members: number, pace?: number, signal?: AbortSignal): Promise<Propagator>;
  /** Reals that are kept of a step for its derivative, beside the state that it begins with; 0 of most models. */
  readonly linearKept: number;
  /** Compiles the step of one state, linearised about what it begins with. @param timeStep seconds */
  linearise(backend: Backend, timeStep: number): Promise<LinearSteps>;
}

/** Looks at a state on its way through a forecast. */
export interface ForecastFrames {
  /** Frames wanted, evenly chosen; fewer are taken where the forecast has fewer steps. */
  readonly count: number;
  /**
   * In place of that, shares of the forecast's seconds, rising between 0 and 1: each has its frame, at the step that is nearest. The
   * forecast takes more and shorter steps where they end at all of them then.
   */
  readonly shares?: readonly number[];
  /**
   * Whether a queued forecast with the time step "auto" waits before each frame until it is as far. Otherwise the state of a
   * frame may lag behind its share, where steps had to be halved that were not in the forecast before.
   */
  readonly exact?: boolean;
  /**
   * Called between two steps with the state as it is there. To be left unchanged.
   *
   * @param index counts the frames of the forecast from 0
   * @param share of the forecast's seconds that has passed, between 0 and 1
   */
  take(index: number, share: number): void | Promise<void>;
}

/** Who looks at a forecast on its way, each at steps of its own. */
export type Onlookers = readonly (ForecastFrames | undefined)[];

/** A forecast that is queued, with what the device will report. */
export interface QueuedForecast {
  /**
   * With the time step "auto": to be called when a `collect` has followed, and before the state is used. It continues, waiting,
   * where more steps had to be halved than expected. Undefined where the forecast is whole as it is queued.
   */
  readonly complete?: () => Promise<void>;
  /**
   * When a `collect` has followed. @throws DivergenceError as `Propagator.check` does, if a step of it went wrong
   *
   * @param context begins the message: method, cycle
   */
  conclude(context: string): Promise<void>;
}

/** Advances one ensemble on one backend. Nothing is allocated in a step. */
export interface Propagator {
  /**
   * Advances the ensemble in place, with no more queued at any time than takes a moment. A fixed time step is divided so that whole steps fill `seconds` (it is an upper bound,
   * taken as it is where it fits); nothing is read back. With "auto" equal steps of the pace fill `seconds`, halved where the
   * state's waves need it, one length for all members; what remains is read back at the end. Either way the result follows
   * from the state alone: not from earlier forecasts, not from the frames that are taken.
   *
   * @param onlookers look at the state at evenly chosen steps between beginning and end, each at its own
   * @throws LimitError when that takes more steps than a forecast may have
   */
  advance(state: RealField, seconds: number, ...onlookers: Onlookers): Promise<void>;
  /**
   * As `advance`, but without waiting for the device: what it says of the forecast is staged. The status is clear before, and
   * afterwards, so that forecasts of several states may be queued one after the other.
   *
   * @param onlookers that ask to be exact are waited for with "auto"
   */
  queue(state: RealField, seconds: number, ...onlookers: Onlookers): Promise<QueuedForecast>;
  /**
   * @param companion a single state that is none of the ensemble
   * @returns whether the two can go together, with the results that they have alone: runs are queued, the step is fixed and has one
   *   length for both, and the state's field has room for one more (`spare`)
   */
  canQueueTogether(
    state: RealField,
    companion: RealField,
    seconds: number,
    onlookers: Onlookers,
    ofCompanion: Onlookers,
  ): boolean;
  /**
   * As `queue`, of an ensemble and a companion in the same runs: of few cells these take hardly longer than those of one of them.
   *
   * @returns the forecast of the ensemble, and that of the companion
   * @throws RangeError if they cannot go together
   */
  queueTogether(
    state: RealField,
    companion: RealField,
    seconds: number,
    onlookers: Onlookers,
    ofCompanion: Onlookers,
  ): Promise<readonly [QueuedForecast, QueuedForecast]>;
  /** Advances by a number of steps of the fixed length. Throws a RangeError when the step is "auto". */
  advanceSteps(state: RealField, steps: number): Promise<void>;
  /**
   * Prepares single steps of a length that `divide` gives, which are queued and not judged: a step of a forecast, taken again from the
   * state that it began with, gives the same bits, but where "auto" had to halve it.
   *
   * @param seconds 0 or more
   */
  stepOf(seconds: number): Promise<(state: RealField) => void>;
  /**
   * How a forecast is divided into steps.
   *
   * @param shares of the seconds that steps are to end at
   * @throws RangeError if the step is "auto" and the propagator has no pace
   */
  divide(seconds: number, shares: readonly number[]): Division;
  /**
   * After an analysis has changed the state: no depth below zero, no momentum where it is dry, and water no faster than the
   * `forecast` can explain, where that is given and cells may fall dry. Queued, no read-back; without effect on a state that
   * is already so.
   */
  repair(state: RealField, forecast?: RealField): void;
  /**
   * Reads the few numbers of the status. @throws DivergenceError if a step since the last check went wrong, judged by the
   * state that it made: the first such step of its call, and in it the lowest member and cell. No step was taken after it
   * (in Lorenz-96: by that member). The status is clear afterwards.
   *
   * @param context begins the message: method, cycle
   */
  check(context: string): Promise<void>;
  dispose(): void;
}

/** The rates of the states of one propagator, per second. */
export interface DrivingRates {
  /** [member][variable][y][x] */
  readonly field: RealField;
  dispose(): void;
}

/**
 * A model that something drives: after each step of length Δt, x ← M(x) + Δt·r with rates r that do not depend on the state. They are
 * those of a source (forcing), constant over a forecast. Ground that has fallen dry keeps no momentum, and no water below zero. The
 * derivative of the step is that of M, so that what `linearise` makes of a model is right for the driven one as well.
 *
 * @param ratesOf makes the rates of each propagator, which disposes of them
 */
export function drivenModel(model: Model, ratesOf: (backend: Backend, members: number) => DrivingRates): Model {
  return {
    ...model,
    async prepare(backend, members, pace, signal): Promise<Propagator> {
      const propagator = await model.prepare(backend, members, pace, signal);
      const rates = ratesOf(backend, members);
      const length = model.variables.length * model.grid.nx * model.grid.ny;
      /** By the length of the step. */
      const pushes = new Map<number, Prepared<typeof perturbation.fields>>();
      const pushOf = async (timeStep: number): Promise<Prepared<typeof perturbation.fields>> => {
        const push =
          pushes.get(timeStep) ?? (await backend.prepare(perturbation, { members, length, factor: timeStep }));
        pushes.set(timeStep, push);
        return push;
      };
      /** Looks at the state after every step, before all others do, and pushes it on. With "auto" each step is waited for. */
      const pushing = async (
        state: RealField,
        seconds: number,
        onlookers: Onlookers,
      ): Promise<ForecastFrames | undefined> => {
        if (seconds === 0) return undefined;
        const shares = onlookers.flatMap((frames) => frames?.shares ?? []);
        const { steps, timeStep } = propagator.divide(seconds, shares);
        const push = await pushOf(timeStep);
        return {
          count: steps,
          shares: Array.from({ length: steps }, (_, step) => (step + 1) / steps),
          exact: true,
          take() {
            push.run({ noise: rates.field, ensemble: state });
            // The rates know no state: they push ground as well that has fallen dry.
            if (model.dryDepth !== undefined) propagator.repair(state);
          },
        };
      };
      return {
        ...propagator,
        async advance(state, seconds, ...onlookers) {
          return propagator.advance(state, seconds, await pushing(state, seconds, onlookers), ...onlookers);
        },
        async queue(state, seconds, ...onlookers) {
          return propagator.queue(state, seconds, await pushing(state, seconds, onlookers), ...onlookers);
        },
        // The rates are those of the members alone.
        canQueueTogether: () => false,
        async stepOf(seconds) {
          const [take, push] = [await propagator.stepOf(seconds), await pushOf(seconds)];
          return (state) => {
            take(state);
            push.run({ noise: rates.field, ensemble: state });
            if (model.dryDepth !== undefined) propagator.repair(state);
          };
        },
        advanceSteps: () => Promise.reject(new RangeError('a driven model is advanced by seconds, not by steps')),
        dispose() {
          for (const owned of [...pushes.values(), rates, propagator]) owned.dispose();
          pushes.clear();
        },
      };
    },
  };
}

/**
 * A step of a model, linearised about the state that it begins with: with x ↦ M(x) the step, δx ↦ M′(x) δx, and its adjoint λ ↦ M′(x)ᵀ λ.
 * Each model writes both beside its scheme. Choices that the scheme makes (a limiter's branch, which wave is fastest) are those of
 * the step from x: there M is differentiable but for a set without measure. A model whose derivative needs more of the step than x
 * follows the step once and keeps that.
 *
 * `before` is x, `input` and `output` are δx and M′ δx, or λ and M′ᵀ λ: states of one member. `output` is another field than `input`.
 */
export const LINEAR_STEP_FIELDS = { before: 'real', input: 'real', output: 'real' } as const;
export type LinearStepFields = typeof LINEAR_STEP_FIELDS;

/** `kept`, of `Model.linearKept` reals, is what the derivative of the step from `before` needs. */
export const FOLLOWED_FIELDS = { before: 'real', kept: 'real' } as const;

/** The fields of a step that was followed. */
export const KEEPING_STEP_FIELDS = { ...FOLLOWED_FIELDS, input: 'real', output: 'real' } as const;

/** What a linearised step is prepared with, beside the parameters of its model. */
export interface LinearStepParameters {
  /** Seconds. */
  readonly timeStep: number;
  readonly direction: 'tangent' | 'adjoint';
}

interface PreparedSteps<Fields extends FieldKinds> {
  /** Finds `kept`; undefined of a model that keeps nothing, whose steps do without that field. */
  readonly follow: Prepared<typeof FOLLOWED_FIELDS> | undefined;
  readonly tangent: Prepared<Fields>;
  readonly adjoint: Prepared<Fields>;
  dispose(): void;
}

/** The linearised step of a model on a backend, both ways. */
export type LinearSteps = PreparedSteps<typeof KEEPING_STEP_FIELDS>;

/**
 * @param parameters of the model and the step, but for the direction
 * @param following finds what the model keeps of a step
 */
export async function prepareLinearSteps<Parameters extends LinearStepParameters, Fields extends FieldKinds>(
  backend: Backend,
  operator: Operator<Parameters, Fields>,
  parameters: Omit<Parameters, 'direction'>,
  following?: Operator<Omit<Parameters, 'direction'>, typeof FOLLOWED_FIELDS>,
): Promise<PreparedSteps<Fields>> {
  const prepare = (direction: LinearStepParameters['direction']) =>
    backend.prepare(operator, { ...parameters, direction } as Parameters);
  const [tangent, adjoint, follow] = await Promise.all([
    prepare('tangent'),
    prepare('adjoint'),
    following && backend.prepare(following, parameters),
  ]);
  return {
    follow,
    tangent,
    adjoint,
    dispose() {
      for (const prepared of [tangent, adjoint, follow]) prepared?.dispose();
    },
  };
}
