/** Conjugate gradients in float64: the specification (formulas: operators.ts; fields: layout.ts). */
import type { ArraysOf, RealArray } from '../../compute/backend.ts';
import { HISTORY, PROGRESS, STATUS } from './layout.ts';
import type {
  initialisationFields,
  InitialisationParameters,
  iterationFields,
  IterationParameters,
} from './parameters.ts';

/** Half a unit in the last place of 1, in the precision of the vectors. */
function epsilonOf(vector: RealArray): number {
  return vector instanceof Float32Array ? 2 ** -24 : 2 ** -53;
}

export function initialisation({ length }: InitialisationParameters) {
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
    history[HISTORY.residual] = residualSquared;
    history[HISTORY.halfNorm] = 0;
    progress[PROGRESS.completed] = 0;
    progress[PROGRESS.status] = STATUS.running;
    progress[PROGRESS.current] = 0;
  };
}

export function iteration({ length, shift, tolerance, maxIterations }: IterationParameters) {
  return ({ product, solution, residual, direction, history, progress }: ArraysOf<typeof iterationFields>): void => {
    const completed = progress[PROGRESS.completed];
    progress[PROGRESS.current] = 0;
    if (progress[PROGRESS.status] !== STATUS.running || completed >= maxIterations) return;
    const now = HISTORY.stride * completed;
    const next = now + HISTORY.stride;

    let curvature = 0;
    for (let i = 0; i < length; i++) curvature += direction[i] * (product[i] + shift * direction[i]);
    const before = history[now + HISTORY.residual];
    if (!(curvature > 0 && before > 0)) {
      progress[PROGRESS.status] = before === 0 ? STATUS.converged : STATUS.stagnated;
      return;
    }
    const alpha = before / curvature;
    let after = 0;
    let solutionSquared = 0;
    for (let i = 0; i < length; i++) {
      solution[i] += alpha * direction[i];
      residual[i] -= alpha * (product[i] + shift * direction[i]);
      after += residual[i] * residual[i];
      solutionSquared += solution[i] * solution[i];
    }
    const beta = after / before;
    for (let i = 0; i < length; i++) direction[i] = residual[i] + beta * direction[i];

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
