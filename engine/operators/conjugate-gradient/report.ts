/** The report of a minimisation, made of the scalars that it left on the device. */
import { HISTORY } from './layout.ts';
import { lanczosMatrix, ritzValues } from './lanczos.ts';

/** A minimisation among several of one analysis. */
export interface OuterLoop {
  readonly iterations: number;
  /** J after it with what is observed as it is, not linearised: ½vᵀv + ½‖R^−½(y − H(x))‖². */
  readonly cost: number;
}

/** Report of J(v) = ½vᵀv + ½‖d − G v‖², minimised by conjugate gradients from v = 0; A = I + GᵀG. */
export interface MinimisationReport {
  /** Iterations carried out until the residual fell below the tolerance, or the maximum. */
  readonly iterations: number;
  readonly converged: boolean;
  /** From v = 0 on, one more entry than iterations: J = Jb + Jo, Jb = ½vᵀv, and ‖residual‖ / ‖residual at v = 0‖. */
  readonly cost: readonly number[];
  readonly backgroundCost: readonly number[];
  readonly observationCost: readonly number[];
  readonly residual: readonly number[];
  /** Ritz values of A, ascending. */
  readonly ritzValues: readonly number[];
  /**
   * Largest over smallest Ritz value; 1 if nothing was iterated. It is of what the data excite: if there are fewer
   * observations than unknowns, the eigenvalue 1 of I + GᵀG is not among them, and the whole matrix is worse conditioned.
   */
  readonly conditionNumber: number;
  /** Each of several outer loops of an analysis; the rest is of the last. Undefined if there is one. */
  readonly outerLoops?: readonly OuterLoop[];
}

/**
 * @param history as on the device (layout.ts)
 * @param iterations completed
 * @param costAtZero J(0)
 */
export function minimisationReport(
  history: ArrayLike<number>,
  iterations: number,
  converged: boolean,
  costAtZero: number,
): MinimisationReport {
  const column = (offset: number, length: number): number[] =>
    Array.from({ length }, (_, k) => history[HISTORY.stride * k + offset]);
  const alpha = column(HISTORY.alpha, iterations);
  const residualSquared = column(HISTORY.residual, iterations + 1);
  const backgroundCost = column(HISTORY.halfNorm, iterations + 1);

  // Each iteration lowers J by ½αrᵀr, which is known to full precision; J itself is never summed over the state.
  const cost = [costAtZero];
  for (let k = 0; k < iterations; k++) cost.push(cost[k] - 0.5 * alpha[k] * residualSquared[k]);
  const first = residualSquared[0];
  const values = [...ritzValues(lanczosMatrix(history, iterations))];
  return {
    iterations,
    converged,
    cost,
    backgroundCost,
    observationCost: cost.map((total, k) => total - backgroundCost[k]),
    residual: residualSquared.map((squared) => (first === 0 ? 0 : Math.sqrt(squared / first))),
    ritzValues: values,
    conditionNumber: values.length > 0 ? values[values.length - 1] / values[0] : 1,
  };
}
