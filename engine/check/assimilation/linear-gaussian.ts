/**
 * A problem that is linear and Gaussian, on a basin of 5 × 4 cells with eleven observations, and its closed form: what every method
 * gives there. 3D-Var has the same B, the LETKF an ensemble whose sample covariance is B, and nothing localises.
 */
import { createReferenceBackend } from '../../compute/host-backend.ts';
import type { Backend } from '../../compute/backend.ts';
import { createControlTransform } from '../../methods/covariances/index.ts';
import { between, normals } from '../measures.ts';
import { apply, eigenvalues, kalmanAnalysis, matrixOf, minus, times, transposed, dot, norm, plus } from './dense.ts';
import type { KalmanAnalysis, Matrix } from './dense.ts';
import { basin, deviationsOf, lengthOf, PHYSICS, variational, contextOf } from './set-up.ts';
import type { Observed, CovarianceInput } from './set-up.ts';
import type { ErrorBlock } from '../../methods/index.ts';
import { createWhitenedErrors } from '../../methods/shared/whitened-errors.ts';

const SIZE = { nx: 8, ny: 7 };
const COUNT = 24;

/** A flowing background, so that a speed is nowhere near 0, where it has no derivative. */
function background(cells: number): Float64Array {
  return Float64Array.from([
    ...between(cells, -0.05, 0.05, 'background.eta'),
    ...between(cells, 0.2, 0.4, 'background.hu'),
    ...between(cells, -0.3, -0.1, 'background.hv'),
  ]);
}

function observedAs(variables: readonly string[]): Observed {
  return {
    x: between(COUNT, 0, SIZE.nx - 1, 'x'),
    y: between(COUNT, 0, SIZE.ny - 1, 'y'),
    variable: Array.from({ length: COUNT }, (_, j) => variables[j % variables.length]),
    values: between(COUNT, 0.1, 0.4, 'values').map((value, j) =>
      variables[j % variables.length] === 'h' ? 0.8 + value : value,
    ),
    inverseErrorStd: between(COUNT, 5, 20, 'inverseErrorStd'),
  };
}

/** The errors of the first half are correlated along a track, those of five more places between fixed places. */
export const TOGETHER: readonly ErrorBlock[] = [
  { first: 0, errors: { count: 12, between: (a, b) => Math.exp(-Math.abs(a - b) / 4) } },
  { first: 14, errors: { count: 5, between: (a, b) => (a === b ? 1 : 0.8 * Math.exp(-((a - b) ** 2) / 8)) } },
];

interface CostFunction {
  /** Elements of the control vector. */
  readonly length: number;
  readonly cost: (v: Float64Array) => Promise<number>;
  readonly gradient: (v: Float64Array) => Promise<Float64Array>;
  dispose(): void;
}

/**
 * J(v) = ½vᵀv + ½‖R^−½(y − H(x_b + V v))‖² of a small rotating basin whose 24 observations are of these variables.
 *
 * @param correlated those whose errors are correlated, with R whole
 */
export async function createCostFunction(
  backend: Backend,
  settings: CovarianceInput,
  variables: readonly string[],
  correlated: readonly ErrorBlock[] = [],
): Promise<CostFunction> {
  const model = basin(SIZE);
  const given = variational({ length: 3, standardDeviation: { h: 0.02, hu: 0.03, hv: 0.03 }, ...settings });
  const transform = await createControlTransform(backend, model, given.covariance, PHYSICS);
  const observed = { ...observedAs(variables), correlated };
  const context = await contextOf(backend, model, observed, 2);
  const { observations } = context;
  const tangent = observations.linearised('check');
  const errors = createWhitenedErrors('check', context);
  await errors.follow(observations.inverseErrorStd);
  const control = backend.allocate('control', 'real', transform.length);
  const state = backend.allocate('state', 'real', lengthOf(model));
  const seen = backend.allocate('seen', 'real', COUNT);
  const white = backend.allocate('white', 'real', COUNT);
  const start = background(SIZE.nx * SIZE.ny);

  /** R^−½ (y − H(x)). Leaves x = x_b + V v in `state`. */
  async function residualsAt(v: Float64Array): Promise<Float64Array> {
    backend.write(control, v);
    transform.apply(control, state);
    backend.write(state, plus(start, await backend.read(state)));
    observations.observe(state, 1, seen);
    const h = await backend.read(seen);
    backend.write(
      seen,
      h.map((value, j) => observed.inverseErrorStd[j] * (observed.values[j] - value)),
    );
    errors.whiten(seen, white);
    return backend.read(white);
  }
  return {
    length: transform.length,
    cost: async (v) => {
      const residuals = await residualsAt(v);
      return 0.5 * dot(v, v) + 0.5 * dot(residuals, residuals);
    },
    gradient: async (v) => {
      await residualsAt(v);
      tangent.linearise(state);
      errors.whitenAdjoint(white, seen);
      tangent.adjoint(seen, state);
      transform.applyAdjoint(state, control);
      return plus(v, await backend.read(control), -1);
    },
    dispose() {
      for (const owned of [tangent, transform, errors, control, state, seen, white, context]) owned.dispose();
    },
  };
}

/** α = 1, 0.1 … 1e-6. */
export const TAYLOR_STEPS = Array.from({ length: 7 }, (_, decade) => 10 ** -decade);

/** Where the cost function is looked at. */
export function controlVector(length: number): Float64Array {
  return normals(length, 'v').map((value) => 0.5 * value);
}

/** @returns (J(v + αp) − J(v)) / α⟨∇J, p⟩ − 1 for each α */
export async function taylorErrors({ length, cost, gradient }: CostFunction): Promise<number[]> {
  const v = controlVector(length);
  const slopes = await gradient(v);
  // Half along the gradient, so that what it misjudges weighs, and half across it, so that a wrong direction shows.
  const across = normals(length, 'direction');
  const direction = plus(across, slopes, norm(across) / norm(slopes)).map((value) => 0.3 * value);
  const slope = dot(slopes, direction);
  const base = await cost(v);
  const errors: number[] = [];
  for (const step of TAYLOR_STEPS) errors.push(((await cost(plus(v, direction, step))) - base) / (step * slope) - 1);
  return errors;
}

/**
 * The ratio is 1 + cα + O(α²), c half the curvature over the slope: each decade of α leaves a tenth of the error, and a wrong
 * gradient a constant. At α = 1e-6 the rounding of J, some ε J = 1e-13, is 1e-7 |slope|⁻¹ of the ratio: 1 % of cα.
 */
export const DECADE_BOUNDS = [0.095, 0.105] as const;
/** Bound of the error at α = 1e-6. */
export const LAST_TAYLOR_BOUND = 1e-5;

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
