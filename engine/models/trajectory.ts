/**
 * The trajectory of a window on the backend: the state before every step, and what the model keeps of the step for its derivative. If
 * not all fits into the memory that is allowed, steps are followed again whenever they are asked for. If not even all states fit,
 * checkpoints √n steps apart are kept, and the steps between two of them are taken again as well: they have the same bits, since a
 * step follows from the state that it begins with.
 */
import type { Backend, RealField } from '../compute/backend.ts';
import type { LinearSteps } from './linear-step.ts';

/** Reals of a step: of the state, and what the model keeps for its derivative. */
export interface StepLengths {
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

export interface Trajectory {
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

export function createTrajectory(
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
