/**
 * A window of a model, linearised about a trajectory: with M_i the model from the window's beginning to its step i, M_i′ the product of
 * the linearised steps, as the tangent M_i′ δx₀ and as the adjoint Σ_i M_i′ᵀ λ_i. The trajectory is kept on the backend, whole or
 * as checkpoints.
 */
import type { Backend, RealField } from '../compute/backend.ts';
import { LimitError } from '../errors.ts';
import { frameSegments } from './division.ts';
import type { Model, LinearSteps } from './model.ts';
import { queueWhole } from './propagator.ts';

/** Reals of a step: of the state, and what the model keeps for its derivative. */
interface StepLengths {
  readonly state: number;
  readonly kept: number;
}

/** What is held of a trajectory. */
interface TrajectoryDivision {
  /** Steps between two checkpoints: 1 if all states are kept. */
  readonly interval: number;
  /** States that are held: the checkpoints, and those between two of them. */
  readonly states: number;
  /** Steps whose derivatives need nothing further: all, or one at a time. */
  readonly followed: number;
}

/** @param most reals that fit */
export function divideTrajectory(steps: number, { state, kept }: StepLengths, most: number): TrajectoryDivision {
  if (steps * (state + kept) <= most) return { interval: 1, states: steps, followed: steps };
  if (steps * state + kept <= most) return { interval: 1, states: steps, followed: 1 };
  const interval = Math.ceil(Math.sqrt(steps));
  return { interval, states: Math.ceil(steps / interval) + interval - 1, followed: 1 };
}

/**
 * The trajectory of a window on the backend: the state before every step, and what the model keeps of the step for its derivative. If
 * not all fits into the memory that is allowed, steps are followed again whenever they are asked for. If not even all states fit,
 * checkpoints √n steps apart are kept, and the steps between two of them are taken again as well: they have the same bits, since a
 * step follows from the state that it begins with.
 */
interface Trajectory {
  /** Queues a copy of the state before a step; the steps of a trajectory come in their order. */
  keep(step: number, state: RealField): void;
  /**
   * Queues what finds the state before a step, and what the model keeps of the step.
   *
   * @returns both, until another step is asked for
   */
  about(step: number): { readonly before: RealField; readonly kept: RealField };
  dispose(): void;
}

interface TrajectoryParts {
  readonly steps: number;
  readonly division: TrajectoryDivision;
  readonly lengths: StepLengths;
  /** Queues one step of a state. */
  readonly takeStep: (state: RealField) => void;
  readonly follow: LinearSteps['follow'];
}

function createTrajectory(
  backend: Backend,
  { steps, division: { interval, followed }, lengths, takeStep, follow }: TrajectoryParts,
): Trajectory {
  const allocate = (name: string, count: number, length = lengths.state): readonly RealField[] =>
    Array.from({ length: count }, (_, index) => backend.allocate(`trajectory.${name}${index}`, 'real', length));
  const checkpoints = allocate('checkpoint', Math.ceil(steps / interval));
  const between = allocate('between', Math.min(interval, steps) - 1);
  const kept = follow ? allocate('kept', followed, lengths.kept) : [];
  /** The checkpoint whose following states are there. */
  let taken: number | undefined;
  /** The steps that `kept` is of. */
  const keptOf = kept.map((): number | undefined => undefined);

  /** Takes the steps from a checkpoint up to the next one. */
  function takeFrom(checkpoint: number): void {
    let state = checkpoints[checkpoint];
    for (const next of between.slice(0, steps - checkpoint * interval - 1)) {
      backend.copy(state, next);
      takeStep(next);
      state = next;
    }
    taken = checkpoint;
  }

  function stateBefore(step: number): RealField {
    const checkpoint = Math.floor(step / interval);
    const after = step % interval;
    if (after === 0) return checkpoints[checkpoint];
    if (taken !== checkpoint) takeFrom(checkpoint);
    return between[after - 1];
  }

  return {
    keep(step, state) {
      if (step % interval === 0) backend.copy(state, checkpoints[step / interval]);
      taken = undefined;
      keptOf.fill(undefined);
    },
    about(step) {
      const before = stateBefore(step);
      if (!follow) return { before, kept: before };
      const place = step % kept.length;
      if (keptOf[place] !== step) follow.run({ before, kept: kept[place] });
      keptOf[place] = step;
      return { before, kept: kept[place] };
    },
    dispose() {
      for (const owned of [...checkpoints, ...between, ...kept]) owned.dispose();
    },
  };
}

/** Where in a window a state is looked at: 0 at its end, from 1 on at the shares that it was prepared with. */
type Look = (moment: number, state: RealField) => void;

export interface LinearWindow {
  /**
   * Queues the trajectory from `state` on, which is then at the end of the window; with "auto" it waits for the device.
   *
   * @param keeps whether the model is linearised about it from then on
   * @param look must not change what it is shown
   * @returns to be called when a `collect` has followed. @throws DivergenceError then, if a step went wrong
   */
  follow(state: RealField, keeps: boolean, look?: Look): Promise<(context: string) => Promise<void>>;
  /**
   * Queues `perturbation` ← M′ `perturbation`, from the beginning of the window to its end.
   *
   * @param share of the window that is taken; the step that is nearest
   */
  tangent(perturbation: RealField, look?: Look, share?: number): void;
  /**
   * Queues `sensitivity` ← M′ᵀ `sensitivity`, from the end to the beginning.
   *
   * @param look adds to the sensitivity what is known at a moment; at 0 before everything else
   * @param share of the window from which it begins; the step that is nearest
   */
  adjoint(sensitivity: RealField, look?: Look, share?: number): void;
  /** As `Propagator.repair`, of the state at the beginning. */
  repair(state: RealField): void;
  dispose(): void;
}

export interface WindowDescription {
  readonly seconds: number;
  /** Shares of the window at which states are looked at on the way, from 0 (not included) to 1. */
  readonly shares: readonly number[];
  /** As in `Model.prepare`; needed with the time step "auto". */
  readonly pace?: number;
  readonly signal?: AbortSignal;
  /** Bytes that may be held. Default 2 GiB. */
  readonly mostBytes?: number;
}

const MOST_BYTES = 2 ** 31;
/** States of a window beside its trajectory: a perturbation, twice. */
const WORK_STATES = 2;

/** What is held of a trajectory, if `mostBytes` may be held beside the work space. */
function trajectoryWithin(steps: number, lengths: StepLengths, elementBytes: number, mostBytes = MOST_BYTES) {
  return divideTrajectory(steps, lengths, mostBytes / elementBytes - WORK_STATES * lengths.state);
}

/**
 * @param elementBytes of a real on the backend
 * @param mostBytes that may be held; 2 GiB if omitted
 * @returns elements of what a window holds: the trajectory, or checkpoints if it is larger than that, and work space
 */
export function windowElements(steps: number, lengths: StepLengths, elementBytes: number, mostBytes?: number): number {
  const { states, followed } = trajectoryWithin(steps, lengths, elementBytes, mostBytes);
  return (states + WORK_STATES) * lengths.state + followed * lengths.kept;
}

/** @throws LimitError if checkpoints of the trajectory are larger than what may be held */
export async function createLinearWindow(
  backend: Backend,
  model: Model,
  { seconds, shares, pace, signal, mostBytes = MOST_BYTES }: WindowDescription,
): Promise<LinearWindow> {
  const propagator = await model.prepare(backend, 1, pace, signal);
  const { steps, timeStep } = seconds > 0 ? propagator.divide(seconds, shares) : { steps: 0, timeStep: 0 };
  const lengths = { state: model.variables.length * model.grid.nx * model.grid.ny, kept: model.linearKept };
  const division = trajectoryWithin(steps, lengths, backend.elementBytes, mostBytes);
  const bytes = windowElements(steps, lengths, backend.elementBytes, mostBytes) * backend.elementBytes;
  if (bytes > mostBytes) {
    propagator.dispose();
    throw new LimitError(
      `checkpoints of the trajectory of a window of ${steps} steps take ${Math.ceil(bytes / 2 ** 20)} MiB, allowed: ` +
        `${Math.floor(mostBytes / 2 ** 20)} MiB; shorten experiment.window, or take a coarser grid`,
    );
  }
  const linear: LinearSteps = await model.linearise(backend, timeStep);
  const takeStep = division.interval > 1 ? await propagator.stepOf(timeStep) : () => undefined;
  const trajectory = createTrajectory(backend, { steps, lengths, division, takeStep, follow: linear.follow });
  const work = [0, 1].map((which) => backend.allocate(`trajectory.perturbation${which}`, 'real', lengths.state));
  /** By step, the moments at its end. */
  const moments = new Map<number, readonly number[]>();
  let end = 0;
  for (const segment of frameSegments(steps, [shares])) {
    end += segment.steps;
    moments.set(
      end,
      segment.due.map(({ index }) => index + 1),
    );
  }
  const everyStep = Array.from({ length: Math.max(0, steps - 1) }, (_, step) => (step + 1) / steps);

  /** @param isBackwards whether what is known at the end comes before the moments there */
  function lookAt(step: number, state: RealField, look: Look | undefined, isBackwards = false): void {
    if (!look) return;
    if (isBackwards && step === steps) look(0, state);
    for (const moment of moments.get(step) ?? []) look(moment, state);
    if (!isBackwards && step === steps) look(0, state);
  }

  /** Queues the steps, or their adjoints from the last one down, with a look before and after each. */
  function move(perturbation: RealField, direction: 'tangent' | 'adjoint', look?: Look, share = 1): void {
    const isBackwards = direction === 'adjoint';
    const last = Math.round(share * steps);
    let input = perturbation;
    lookAt(isBackwards ? last : 0, input, look, isBackwards);
    for (let taken = 0; taken < last; taken++) {
      const output = work[taken % 2];
      const step = isBackwards ? last - 1 - taken : taken;
      linear[direction].run({ ...trajectory.about(step), input, output });
      input = output;
      lookAt(isBackwards ? step : step + 1, input, look, isBackwards);
    }
    if (input !== perturbation) backend.copy(input, perturbation);
  }

  return {
    async follow(state, keeps, look) {
      if (keeps && steps > 0) trajectory.keep(0, state);
      const conclude = await queueWhole(backend, propagator, state, seconds, {
        count: everyStep.length,
        shares: everyStep,
        take(index) {
          if (keeps) trajectory.keep(index + 1, state);
          lookAt(index + 1, state, look);
        },
      });
      lookAt(steps, state, look);
      return conclude;
    },
    tangent: (perturbation, look, share) => move(perturbation, 'tangent', look, share),
    adjoint: (sensitivity, look, share) => move(sensitivity, 'adjoint', look, share),
    repair: (state) => propagator.repair(state),
    dispose() {
      for (const owned of [propagator, linear, trajectory, ...work]) owned.dispose();
    },
  };
}
