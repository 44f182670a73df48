/** What the steps of conjugate gradients are prepared with, and the arrays they work on. */

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

/** The vectors are [length], `history` and `progress` as in layout.ts. */
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
