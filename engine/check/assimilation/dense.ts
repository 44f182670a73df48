/** Dense linear algebra for problems small enough to be written out: what the methods are held against. */
import type { ControlTransform } from '../../methods/covariances/index.ts';
import type { Backend, RealField } from '../../compute/backend.ts';
import { normals } from '../measures.ts';

/** Rows, all of one length. */
export type Matrix = readonly Float64Array[];

export function dot(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i];
  return sum;
}

export function norm(a: ArrayLike<number>): number {
  return Math.sqrt(dot(a, a));
}

/** a + factor·b */
export function plus(a: ArrayLike<number>, b: ArrayLike<number>, factor = 1): Float64Array {
  return Float64Array.from(a, (value, i) => value + factor * b[i]);
}

export function minus(a: ArrayLike<number>, b: ArrayLike<number>): Float64Array {
  return plus(a, b, -1);
}

export function transposed(a: Matrix): Matrix {
  return Array.from(a[0], (_, j) => Float64Array.from(a, (row) => row[j]));
}

export function times(a: Matrix, b: Matrix): Matrix {
  const columns = transposed(b);
  return a.map((row) => Float64Array.from(columns, (column) => dot(row, column)));
}

export function apply(a: Matrix, x: ArrayLike<number>): Float64Array {
  return Float64Array.from(a, (row) => dot(row, x));
}

export function trace(a: Matrix): number {
  return a.reduce((sum, row, i) => sum + row[i], 0);
}

/** A + diag(d) */
export function plusDiagonal(a: Matrix, d: ArrayLike<number>): Matrix {
  return a.map((row, i) => row.map((value, j) => (i === j ? value + d[i] : value)));
}

/** A⁻¹ b for each row b of `rightSides`, by Gaussian elimination with row pivoting. */
export function solve(a: Matrix, rightSides: Matrix): Matrix {
  const n = a.length;
  const rows = a.map((row, i) => Float64Array.of(...row, ...rightSides.map((side) => side[i])));
  for (let c = 0; c < n; c++) {
    let best = c;
    for (let r = c + 1; r < n; r++) if (Math.abs(rows[r][c]) > Math.abs(rows[best][c])) best = r;
    [rows[c], rows[best]] = [rows[best], rows[c]];
    for (let r = 0; r < n; r++) {
      const factor = r === c ? 0 : rows[r][c] / rows[c][c];
      if (factor !== 0) for (let e = c; e < rows[r].length; e++) rows[r][e] -= factor * rows[c][e];
    }
  }
  return rightSides.map((_, side) => Float64Array.from({ length: n }, (_, r) => rows[r][n + side] / rows[r][r]));
}

/** Eigenvalues of a symmetric matrix, ascending, by cyclic Jacobi rotations. */
export function eigenvalues(symmetric: Matrix): number[] {
  const n = symmetric.length;
  const a = symmetric.map((row) => row.slice());
  const rotate = (p: number, q: number): void => {
    const theta = (a[q][q] - a[p][p]) / (2 * a[p][q]);
    const t = (theta < 0 ? -1 : 1) / (Math.abs(theta) + Math.hypot(theta, 1));
    const cosine = 1 / Math.hypot(t, 1);
    const sine = t * cosine;
    for (let k = 0; k < n; k++) {
      const [kp, kq] = [a[k][p], a[k][q]];
      a[k][p] = cosine * kp - sine * kq;
      a[k][q] = sine * kp + cosine * kq;
    }
    for (let k = 0; k < n; k++) {
      const [pk, qk] = [a[p][k], a[q][k]];
      a[p][k] = cosine * pk - sine * qk;
      a[q][k] = sine * pk + cosine * qk;
    }
  };
  const largest = Math.max(...a.flatMap((row) => Array.from(row, Math.abs)));
  // A rotation squares what is left off the diagonal once it is small: ten sweeps leave nothing but rounding.
  for (let sweep = 0; sweep < 10; sweep++) {
    for (let p = 0; p < n; p++) {
      for (let q = p + 1; q < n; q++) if (Math.abs(a[p][q]) > 1e-16 * largest) rotate(p, q);
    }
  }
  return a.map((row, i) => row[i]).sort((x, y) => x - y);
}

/** The matrix of V, [state][control], column by column. */
export async function matrixOf(backend: Backend, transform: ControlTransform, stateLength: number): Promise<Matrix> {
  const control = backend.allocate('control', 'real', transform.length);
  const state = backend.allocate('state', 'real', stateLength);
  const all = backend.allocate('columns', 'real', transform.length * stateLength);
  for (let j = 0; j < transform.length; j++) {
    const unit = new Float64Array(transform.length);
    unit[j] = 1;
    backend.write(control, unit);
    transform.apply(control, state);
    backend.copy(state, all, { targetOffset: j * stateLength });
  }
  const columns = await backend.read(all);
  for (const field of [control, state, all]) field.dispose();
  return Array.from({ length: stateLength }, (_, row) =>
    Float64Array.from({ length: transform.length }, (_, j) => columns[j * stateLength + row]),
  );
}

export interface KalmanAnalysis {
  readonly mean: Float64Array;
  readonly covariance: Matrix;
}

/**
 * The closed form: x̄ + K (y − H x̄) and (I − K H) B, with K = B Hᵀ (H B Hᵀ + R)⁻¹ and R = diag(σ²).
 *
 * @param innovation y − H x̄, of all observations
 */
export function kalmanAnalysis(
  mean: Float64Array,
  covariance: Matrix,
  observationMatrix: Matrix,
  innovation: Float64Array,
  errorDeviations: Float64Array,
): KalmanAnalysis {
  const cross = times(covariance, transposed(observationMatrix));
  const variances = errorDeviations.map((deviation) => deviation * deviation);
  const total = plusDiagonal(times(observationMatrix, cross), variances);
  // The total is symmetric, so that the rows of B Hᵀ solved by it are the rows of K.
  const gain = solve(total, cross);
  const removed = times(gain, transposed(cross));
  return {
    mean: plus(mean, apply(gain, innovation)),
    covariance: covariance.map((row, i) => minus(row, removed[i])),
  };
}

/** A linear operator on a backend with its adjoint. */
export interface LinearOperator {
  /** Elements of x, and of y. */
  readonly columns: number;
  readonly rows: number;
  /** output = A input */
  apply(input: RealField, output: RealField): void;
  /** output = Aᵀ input */
  applyAdjoint(input: RealField, output: RealField): void;
}

interface AdjointTest {
  /** |⟨Ax, y⟩ − ⟨x, Aᵀy⟩| / (‖Ax‖ ‖y‖) */
  readonly difference: number;
  /** |⟨x, Aᵀy⟩| / (‖Ax‖ ‖y‖): above rounding by far, or two zeros were compared. */
  readonly size: number;
}

/**
 * What the difference may be: both sides are sums of products whose sizes add up to at most ‖Ax‖‖y‖, and each operand carries a
 * few tens of roundings, of 2⁻⁵³ or 2⁻²⁴.
 */
export function adjointBound(precision: Backend['precision']): number {
  return precision === 'float64' ? 1e-12 : 1e-5;
}

/** Two random directions in some hundred dimensions are at a cosine of a tenth; what is far below that is the equality of zeros. */
export const LEAST_ADJOINT_SIZE = 1e-4;

export async function testAdjoint(backend: Backend, operator: LinearOperator): Promise<AdjointTest> {
  const { columns, rows } = operator;
  const [x, y] = [normals(columns, 'x'), normals(rows, 'y')];
  const source = backend.allocate('adjoint.x', 'real', columns);
  const target = backend.allocate('adjoint.y', 'real', rows);
  backend.write(source, x);
  operator.apply(source, target);
  const ax = await backend.read(target);
  backend.write(target, y);
  operator.applyAdjoint(target, source);
  const aty = await backend.read(source);
  for (const field of [source, target]) field.dispose();
  const scale = norm(ax) * norm(y);
  return { difference: Math.abs(dot(ax, y) - dot(x, aty)) / scale, size: Math.abs(dot(x, aty)) / scale };
}
