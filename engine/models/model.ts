/**
 * What a forecast model is to the experiment: a grid, named variables, a way from physical fields to the state that lives
 * on a backend and back, and a propagator that advances an ensemble of such states.
 */
import type { Backend, RealField } from '../compute/backend.ts';

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
  /** Elevation of the bed at the cells' centres, metres, [y][x]; undefined where the model has none (a flat bottom at 0). */
  readonly bed: Float64Array | undefined;
  /** Physical fields to the state, [variable][y][x] of one member, or of several one after the other. */
  toState(external: Float64Array): Float64Array;
  /** The inverse of `toState`; a depth is never negative. */
  fromState(state: Float64Array): Float64Array;
  /** Compiles the model for an ensemble of `members` states, [member][variable][y][x]. */
  prepare(backend: Backend, members: number): Promise<Propagator>;
}

/** Advances one ensemble on one backend. Nothing is allocated in a step. */
export interface Propagator {
  /**
   * Advances the ensemble in place. A fixed time step is divided so that whole steps fill `seconds` (it is an upper bound,
   * taken as it is where it fits); nothing is read back. With "auto" one step length serves all members, and the remaining
   * time is read back after batches of steps.
   */
  advance(state: RealField, seconds: number): Promise<void>;
  /** Advances by a number of steps of the fixed length. Throws a RangeError when the step is "auto". */
  advanceSteps(state: RealField, steps: number): Promise<void>;
  /**
   * After an analysis has changed the state: no depth below zero, no momentum where it is dry. Queued, no read-back; without
   * effect on a state that is already so.
   */
  repair(state: RealField): void;
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
