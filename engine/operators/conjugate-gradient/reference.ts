/**
 * Conjugate gradients in float64: the specification (formulas: index.ts); what they are prepared with, and what they leave on the device:
 * `history` has four reals an iteration, `progress` three indices.
 */
import type { ArraysOf, RealArray } from '../../compute/backend.ts';

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

/** The vectors are [length], `history` and `progress` as above. */
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

/** Half a unit in the last place of 1, in the precision of the vectors. */
function epsilonOf(vector: RealArray): number {
  return vector instanceof Float32Array ? 2 ** -24 : 2 ** -53;
}

export function referenceInitialisation({ length }: InitialisationParameters) {
  return ({
    rightHandSide,
    solution,
    residual,
    direction,
    history,
    progress,
  }: ArraysOf<typeof initialisationFields>): void => {
    let residualSquared = 0;
    for (let i = 0; i < length; i++) {
      solution[i] = 0;
      residual[i] = rightHandSide[i];
      direction[i] = rightHandSide[i];
      residualSquared += rightHandSide[i] * rightHandSide[i];
    }
    beginWith(residualSquared, history, progress);
  };
}

/** History and progress before the first iteration. @param residualSquared bᵀb */
export function beginWith(residualSquared: number, history: RealArray, progress: Uint32Array): void {
  history[HISTORY.residual] = residualSquared;
  history[HISTORY.halfNorm] = 0;
  progress[PROGRESS.completed] = 0;
  progress[PROGRESS.status] = STATUS.running;
  progress[PROGRESS.current] = 0;
}

/** What an iteration does to the vectors; A = shift·I + M. */
export interface IterationVectors {
  /** pᵀAp */
  curvature(): number;
  /** v ← v + αp, r ← r − αAp. @returns rᵀr and vᵀv */
  step(alpha: number): { readonly residualSquared: number; readonly solutionSquared: number };
  /** p ← r + βp */
  turn(beta: number): void;
}

type IterationArrays = ArraysOf<typeof iterationFields>;

function plainVectors({ length, shift }: IterationParameters, arrays: IterationArrays): IterationVectors {
  const { product, solution, residual, direction } = arrays;
  return {
    curvature() {
      let sum = 0;
      for (let i = 0; i < length; i++) sum += direction[i] * (product[i] + shift * direction[i]);
      return sum;
    },
    step(alpha) {
      let residualSquared = 0;
      let solutionSquared = 0;
      for (let i = 0; i < length; i++) {
        solution[i] += alpha * direction[i];
        residual[i] -= alpha * (product[i] + shift * direction[i]);
        residualSquared += residual[i] * residual[i];
        solutionSquared += solution[i] * solution[i];
      }
      return { residualSquared, solutionSquared };
    },
    turn(beta) {
      for (let i = 0; i < length; i++) direction[i] = residual[i] + beta * direction[i];
    },
  };
}

/** One iteration on vectors that are worked on somehow. */
export function iterateWith(
  { tolerance, maxIterations }: IterationParameters,
  vectorsOf: (arrays: IterationArrays) => IterationVectors,
): (arrays: IterationArrays) => void {
  return (arrays) => {
    const { solution, history, progress } = arrays;
    const completed = progress[PROGRESS.completed];
    progress[PROGRESS.current] = 0;
    if (progress[PROGRESS.status] !== STATUS.running || completed >= maxIterations) return;
    const now = HISTORY.stride * completed;
    const next = now + HISTORY.stride;

    const vectors = vectorsOf(arrays);
    const curvature = vectors.curvature();
    const before = history[now + HISTORY.residual];
    if (!(curvature > 0 && before > 0)) {
      progress[PROGRESS.status] = before === 0 ? STATUS.converged : STATUS.stagnated;
      return;
    }
    const alpha = before / curvature;
    const { residualSquared: after, solutionSquared } = vectors.step(alpha);
    const beta = after / before;
    vectors.turn(beta);

    history[now + HISTORY.alpha] = alpha;
    history[now + HISTORY.beta] = beta;
    history[next + HISTORY.residual] = after;
    history[next + HISTORY.halfNorm] = 0.5 * solutionSquared;
    progress[PROGRESS.completed] = completed + 1;
    progress[PROGRESS.current] = completed + 1;
    const firstGain = history[HISTORY.alpha] * history[HISTORY.residual];
    if (after <= tolerance * tolerance * history[HISTORY.residual]) progress[PROGRESS.status] = STATUS.converged;
    else if (alpha * before <= epsilonOf(solution) ** 2 * firstGain) progress[PROGRESS.status] = STATUS.stagnated;
  };
}

export function referenceIteration(parameters: IterationParameters): (arrays: IterationArrays) => void {
  return iterateWith(parameters, (arrays) => plainVectors(parameters, arrays));
}
