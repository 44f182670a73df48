/**
 * The trajectory of a window on the backend, the state before every step. If all of them do not fit into the memory that is allowed,
 * checkpoints √n steps apart are kept, and the steps between two of them are taken again whenever they are asked for:
 * they have the same bits, since a step follows from the state that it begins with.
 */
import type { Backend, RealField } from '../compute/backend.ts';

/** Which states of a trajectory are kept. */
export interface TrajectoryDivision {
  /** Steps between two checkpoints: 1 if all states are kept. */
  readonly interval: number;
  /** States that are held: the checkpoints, and those between two of them. */
  readonly held: number;
}

/** @param most states that fit */
export function divideTrajectory(steps: number, most: number): TrajectoryDivision {
  if (steps <= most) return { interval: 1, held: steps };
  const interval = Math.ceil(Math.sqrt(steps));
  return { interval, held: Math.ceil(steps / interval) + interval - 1 };
}

export interface Trajectory {
  /** Queues a copy of the state before a step; the steps of a trajectory come in their order. */
  keep(step: number, state: RealField): void;
  /** Queues what finds the state before a step. @returns it, until another is asked for */
  before(step: number): RealField;
  dispose(): void;
}

interface TrajectoryParts {
  readonly steps: number;
  readonly division: TrajectoryDivision;
  /** Elements of a state. */
  readonly length: number;
  /** Queues one step of a state. */
  readonly takeStep: (state: RealField) => void;
}

export function createTrajectory(
  backend: Backend,
  { steps, division: { interval }, length, takeStep }: TrajectoryParts,
): Trajectory {
  const allocate = (name: string, count: number): readonly RealField[] =>
    Array.from({ length: count }, (_, index) => backend.allocate(`trajectory.${name}${index}`, 'real', length));
  const checkpoints = allocate('checkpoint', Math.ceil(steps / interval));
  const between = allocate('between', Math.min(interval, steps) - 1);
  /** The checkpoint whose following states are there. */
  let taken: number | undefined;

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

  return {
    keep(step, state) {
      if (step % interval === 0) backend.copy(state, checkpoints[step / interval]);
      taken = undefined;
    },
    before(step) {
      const checkpoint = Math.floor(step / interval);
      const after = step % interval;
      if (after === 0) return checkpoints[checkpoint];
      if (taken !== checkpoint) takeFrom(checkpoint);
      return between[after - 1];
    },
    dispose() {
      for (const owned of [...checkpoints, ...between]) owned.dispose();
    },
  };
}
