/**
 * The Lanczos matrix of conjugate gradients: the symmetric tridiagonal T_k = Q_kᵀ A Q_k, Q_k the residuals of the first k
 * iterations, normalised. Its eigenvalues, the Ritz values, approximate those of A, the outermost first.
 * What a minimisation reports is made of it.
 */
import { HISTORY } from './reference.ts';

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
 * @param history as on the device (reference.ts)
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

/** Halvings of the starting interval: beyond the 53 bits of a number nothing changes. */
const LARGEST_HALVINGS = 120;

/** How many eigenvalues lie below `shift`: the negative pivots of T − shift·I. */
function countBelow(
  diagonal: ArrayLike<number>,
  offSquared: Float64Array,
  smallestPivot: number,
  shift: number,
): number {
  let count = 0;
  let pivot = 1;
  for (let i = 0; i < diagonal.length; i++) {
    pivot = diagonal[i] - shift - (i > 0 ? offSquared[i - 1] / pivot : 0);
    if (Math.abs(pivot) < smallestPivot) pivot = -smallestPivot;
    if (pivot < 0) count += 1;
  }
  return count;
}

/**
 * @param diagonal n numbers
 * @param offDiagonal n − 1 numbers, next to the diagonal
 * @param wanted which eigenvalues, counted from the lowest, 0, and ascending; all if omitted
 * @returns those eigenvalues, ascending; not-a-number throughout where an element is not finite
 */
export function tridiagonalEigenvalues(
  diagonal: ArrayLike<number>,
  offDiagonal: ArrayLike<number>,
  wanted: ArrayLike<number> = Uint32Array.from({ length: diagonal.length }, (_, index) => index),
): Float64Array {
  const n = diagonal.length;
  const eigenvalues = new Float64Array(wanted.length);
  if (n === 0) return eigenvalues;
  // Gershgorin: all eigenvalues lie within the discs around the diagonal.
  let lowest = Infinity;
  let highest = -Infinity;
  for (let i = 0; i < n; i++) {
    const radius = Math.abs(i > 0 ? offDiagonal[i - 1] : 0) + Math.abs(i < n - 1 ? offDiagonal[i] : 0);
    lowest = Math.min(lowest, diagonal[i] - radius);
    highest = Math.max(highest, diagonal[i] + radius);
  }
  if (!Number.isFinite(lowest) || !Number.isFinite(highest)) return eigenvalues.fill(NaN);
  const offSquared = Float64Array.from({ length: n - 1 }, (_, i) => offDiagonal[i] ** 2);
  const smallestPivot = Math.max(
    Number.MIN_VALUE * 2 ** 52,
    offSquared.reduce((a, b) => Math.max(a, b), 1) * 2 ** -1022,
  );
  const margin = (Math.abs(lowest) + Math.abs(highest)) * n * Number.EPSILON;
  for (let place = 0; place < wanted.length; place++) {
    const index = wanted[place];
    // The k-th eigenvalue is where the count passes from k to k + 1; one that is lower bounds it from below.
    let low = place > 0 ? eigenvalues[place - 1] - margin : lowest - margin;
    let high = highest + margin;
    for (let halving = 0; halving < LARGEST_HALVINGS; halving++) {
      const middle = low + 0.5 * (high - low);
      if (middle <= low || middle >= high) break;
      if (countBelow(diagonal, offSquared, smallestPivot, middle) > index) high = middle;
      else low = middle;
    }
    eigenvalues[place] = low + 0.5 * (high - low);
  }
  return eigenvalues;
}

export interface LanczosMatrix {
  /** [iterations] */
  readonly diagonal: Float64Array;
  /** [iterations − 1], none if there are no iterations. */
  readonly offDiagonal: Float64Array;
}

/**
 * 1/αₖ + βₖ₋₁/αₖ₋₁ on the diagonal and √βₖ/αₖ beside it.
 *
 * @param history as on the device (reference.ts)
 * @param iterations completed
 */
export function lanczosMatrix(history: ArrayLike<number>, iterations: number): LanczosMatrix {
  const alpha = (k: number): number => history[HISTORY.stride * k + HISTORY.alpha];
  const beta = (k: number): number => history[HISTORY.stride * k + HISTORY.beta];
  return {
    diagonal: Float64Array.from(
      { length: iterations },
      (_, k) => 1 / alpha(k) + (k > 0 ? beta(k - 1) / alpha(k - 1) : 0),
    ),
    offDiagonal: Float64Array.from({ length: Math.max(0, iterations - 1) }, (_, k) => Math.sqrt(beta(k)) / alpha(k)),
  };
}

/**
 * @param most how many at most: if there are more, evenly picked by their order, the lowest and the highest among them
 * @returns Ritz values, ascending
 */
export function ritzValues({ diagonal, offDiagonal }: LanczosMatrix, most = Infinity): Float64Array {
  const n = diagonal.length;
  if (n <= most) return tridiagonalEigenvalues(diagonal, offDiagonal);
  const picked = Uint32Array.from({ length: most }, (_, i) => Math.round((i * (n - 1)) / Math.max(1, most - 1)));
  return tridiagonalEigenvalues(diagonal, offDiagonal, picked);
}
