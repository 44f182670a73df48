/**
 * What conjugate gradients are prepared with, and what they leave on the device: `history` has four reals an iteration, `progress`
 * three indices.
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

export interface IterationParameters {
  readonly length: number;
  /** The multiple of the identity in A: added here, so that M alone need be applied. */
  readonly shift: number;
  /** ‖r‖/‖b‖ at which to stop. */
  readonly tolerance: number;
  /** Iterations that `history` has room for. */
  readonly maxIterations: number;
}

export interface InitialisationParameters {
  readonly length: number;
}

/** The vectors are [length], `history` and `progress` as in parameters.ts. */
export const initialisationFields = {
  rightHandSide: 'real',
  solution: 'real',
  residual: 'real',
  direction: 'real',
  history: 'real',
  progress: 'index',
} as const;

/** `product` is what M makes of `direction`. */
export const iterationFields = {
  product: 'real',
  solution: 'real',
  residual: 'real',
  direction: 'real',
  history: 'real',
  progress: 'index',
} as const;
