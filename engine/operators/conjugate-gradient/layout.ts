/**
 * What conjugate gradients leave on the device. `history` has four reals an iteration, `progress` three indices; both are
 * written by `initialisation` and `iteration` alone.
 */

/** Entry k of the history, from 0 on: αₖ and βₖ, which lead from iterate k to k + 1, then ‖rₖ‖² and ½vₖᵀvₖ. */
export const HISTORY = { alpha: 0, beta: 1, residual: 2, halfNorm: 3, stride: 4 } as const;

/** Iterations completed; `STATUS`; the iteration under way, from 1, or 0 if there is nothing left to do. */
export const PROGRESS = { completed: 0, status: 1, current: 2, length: 3 } as const;

/** `stagnated`: the working precision is used up, or the matrix was not positive definite along the last direction. */
export const STATUS = { running: 0, converged: 1, stagnated: 2 } as const;

/** Elements of a history for so many iterations. */
export function historyLength(maxIterations: number): number {
  return HISTORY.stride * (maxIterations + 1);
}
