/**
 * A window of a model, linearised about a trajectory: with M_i the model from the window's beginning to its step i, M_i′ the product of
 * the linearised steps, as the tangent M_i′ δx₀ and as the adjoint Σ_i M_i′ᵀ λ_i. The trajectory is kept on the backend, whole or
 * as checkpoints (trajectory.ts).
 */
import type { Backend, RealField } from '../compute/backend.ts';
import { LimitError } from '../errors.ts';
import { frameSegments } from './division.ts';
import type { LinearSteps } from './linear-step.ts';
import type { Model } from './model.ts';
import { queueWhole } from './propagator.ts';
import { createTrajectory, divideTrajectory, type StepLengths } from './trajectory.ts';

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
