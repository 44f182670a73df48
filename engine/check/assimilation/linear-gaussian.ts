/**
 * A problem that is linear and Gaussian, on a basin of 5 × 4 cells with eleven observations, and its closed form: what every method
 * gives there. 3D-Var has the same B, the LETKF an ensemble whose sample covariance is B, and nothing localises.
 */
import { createReferenceBackend } from '../../compute/host-backend.ts';
import type { Backend } from '../../compute/backend.ts';
import { createControlTransform } from '../../methods/covariances/index.ts';
import { between } from '../measures.ts';
import { apply, eigenvalues, kalmanAnalysis, matrixOf, minus, times, transposed } from './dense.ts';
import type { KalmanAnalysis, Matrix } from './dense.ts';
import { basin, deviationsOf, lengthOf, PHYSICS, variational } from './set-up.ts';
import type { Observed } from './set-up.ts';

const [NX, NY] = [5, 4];
export const CELLS = NX * NY;
export const model = basin({ nx: NX, ny: NY });
export const LENGTH = lengthOf(model);
export const threeDVar = variational({
  kind: 'recursive-filter',
  length: 3.5,
  standardDeviation: { h: 0.1, hu: 0.2, hv: 0.2 },
  balance: 'geostrophic',
});

/** The state's components that are observed, with the bed to be taken off or not: all linear. */
const COMPONENT: Readonly<Record<string, number>> = { h: 0, eta: 0, hu: 1, hv: 2 };

function observe(count: number): Observed {
  const names = Object.keys(COMPONENT);
  return {
    x: between(count, 0, NX - 1, 'x').map(Math.fround),
    y: between(count, 0, NY - 1, 'y').map(Math.fround),
    variable: Array.from({ length: count }, (_, j) => names[j % names.length]),
    values: between(count, -0.3, 0.3, 'values').map((value, j) => (j % names.length === 0 ? 1 + value : value)),
    inverseErrorStd: between(count, 10, 20, 'inverseErrorStd'),
  };
}

/** Bilinear interpolation between cell centres, one row an observation. */
function observationMatrix({ x, y, variable }: Observed): Matrix {
  return variable.map((name, j) => {
    const row = new Float64Array(LENGTH);
    const [i, k] = [Math.min(NX - 2, Math.floor(x[j])), Math.min(NY - 2, Math.floor(y[j]))];
    const [a, b] = [x[j] - i, y[j] - k];
    const at = COMPONENT[name] * CELLS + k * NX + i;
    [row[at], row[at + 1], row[at + NX], row[at + NX + 1]] = [(1 - a) * (1 - b), a * (1 - b), (1 - a) * b, a * b];
    return row;
  });
}

/** y − H x, where h is η less the elevation of the bed. */
export function innovationOf(observed: Observed, matrix: Matrix, state: Float64Array): Float64Array {
  const bed = model.bed ?? new Float64Array(CELLS);
  const seen = apply(matrix, state);
  return observed.values.map((value, j) => {
    const ground = observed.variable[j] === 'h' ? apply([matrix[j].subarray(0, CELLS)], bed)[0] : 0;
    return value - (seen[j] - ground);
  });
}

/** V of the method's B, [state][control]. */
async function squareRoot(): Promise<Matrix> {
  const backend = createReferenceBackend();
  const transform = await createControlTransform(backend, model, threeDVar.covariance, PHYSICS);
  const matrix = await matrixOf(backend, transform, LENGTH);
  backend.dispose();
  return matrix;
}

/**
 * n + 1 members whose sample covariance is B = V Vᵀ itself: √n V Q about the mean, the n rows of Q orthonormal and each of
 * sum 0 (Helmert's). In their span is all of V's.
 */
export function exactEnsemble(mean: Float64Array, root: Matrix): Float64Array {
  const n = root[0].length;
  const members = Array.from({ length: n + 1 }, (_, l) => {
    const helmert = Float64Array.from({ length: n }, (_, i) => {
      if (l > i + 1) return 0;
      return (l === i + 1 ? -(i + 1) : 1) / Math.sqrt((i + 1) * (i + 2));
    });
    return apply(root, helmert).map((value, e) => mean[e] + Math.sqrt(n) * value);
  });
  return Float64Array.from(members.flatMap((member) => [...member]));
}

export const OBSERVED = observe(11);
export const H = observationMatrix(OBSERVED);
export const MEAN = Float64Array.from([
  ...between(CELLS, -0.1, 0.1, 'eta'),
  ...between(2 * CELLS, -0.2, 0.2, 'momenta'),
]);
export const INNOVATION = innovationOf(OBSERVED, H, MEAN);

export interface ClosedForm {
  /** V, [state][control]. */
  readonly root: Matrix;
  /** B = V Vᵀ. */
  readonly covariance: Matrix;
  readonly kalman: KalmanAnalysis;
  /** Condition number of the problem that is solved: the largest eigenvalue of I + R^−½ H B Hᵀ R^−½; the smallest is 1 or little more. */
  readonly condition: number;
}

/** The Kalman analysis, by dense linear algebra in float64. */
export async function closedForm(): Promise<ClosedForm> {
  const root = await squareRoot();
  const covariance = times(root, transposed(root));
  const kalman = kalmanAnalysis(MEAN, covariance, H, INNOVATION, deviationsOf(OBSERVED));
  const scaled = H.map((row, j) => row.map((value) => OBSERVED.inverseErrorStd[j] * value));
  const seen = times(scaled, times(covariance, transposed(scaled)));
  return { root, covariance, kalman, condition: 1 + Math.max(...eigenvalues(seen)) };
}

function largestMember(root: Matrix): number {
  return exactEnsemble(MEAN, root).reduce((largest, value) => Math.max(largest, Math.abs(value)), 0);
}

export function largestDifference(a: Matrix, b: Matrix): number {
  return Math.max(...a.flatMap((row, i) => Array.from(minus(row, b[i]), Math.abs)));
}

/**
 * How far a method's analysis may be from the closed form. In float64 1e-8. Float32: the rounding of the largest number in the
 * ensemble, amplified by the condition of the problem that is solved; in sums over as many members as B has columns, whose
 * roundings add like the steps of a random walk.
 */
export function equivalenceBound(precision: Backend['precision'], { root, condition }: ClosedForm): number {
  return precision === 'float64' ? 1e-8 : 2 ** -24 * Math.sqrt(root[0].length) * largestMember(root) * condition;
}
