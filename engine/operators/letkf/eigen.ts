/**
 * Eigenvalues and eigenvectors of a symmetric matrix: Householder reduction to tridiagonal form, then implicit QL with
 * Wilkinson's shift (the EISPACK pair tred2 and tql2). Work space is allocated once; a solve allocates nothing.
 */
import { CaseError } from '../../errors.ts';

export interface SymmetricEigenSolver {
  /** [n·n] row-major. Before `solve(n)` its first n·n elements hold the matrix, afterwards eigenvector c in column c. */
  readonly vectors: Float64Array;
  /** [n]: the eigenvalues after `solve`, in no particular order. */
  readonly values: Float64Array;
  /**
   * @param n order, at most the capacity
   * @throws Error when an eigenvalue does not converge, which a finite matrix does not do
   */
  solve(n: number): void;
}

/** QL sweeps allowed for one eigenvalue; two are usual. */
const LARGEST_SWEEPS = 60;

/** @param capacity the largest order to be solved */
export function createSymmetricEigenSolver(capacity: number): SymmetricEigenSolver {
  const vectors = new Float64Array(capacity * capacity);
  const values = new Float64Array(capacity);
  const offDiagonal = new Float64Array(capacity);
  return {
    vectors,
    values,
    solve: (n) => {
      tridiagonalise(n, vectors, values, offDiagonal);
      diagonalise(n, vectors, values, offDiagonal);
    },
  };
}

/** a ← Q with Qᵀ A Q tridiagonal: diagonal d, and e[i] between i − 1 and i. */
function tridiagonalise(n: number, a: Float64Array, d: Float64Array, e: Float64Array): void {
  for (let i = n - 1; i > 0; i--) {
    const row = i * n;
    let scale = 0;
    for (let k = 0; k < i; k++) scale += Math.abs(a[row + k]);
    if (i === 1 || scale === 0) {
      e[i] = a[row + i - 1];
      d[i] = 0;
      continue;
    }
    let h = 0;
    for (let k = 0; k < i; k++) {
      a[row + k] /= scale;
      h += a[row + k] * a[row + k];
    }
    const f = a[row + i - 1];
    const g = f >= 0 ? -Math.sqrt(h) : Math.sqrt(h);
    e[i] = scale * g;
    h -= f * g;
    a[row + i - 1] = f - g;
    reflect(n, i, h, a, e);
    d[i] = h;
  }
  e[0] = 0;
  d[0] = 0;
  accumulate(n, a, d);
}

/** Applies the reflection held in row i, of squared half-norm h, to the leading i × i block from both sides. */
function reflect(n: number, i: number, h: number, a: Float64Array, e: Float64Array): void {
  const row = i * n;
  let sum = 0;
  for (let j = 0; j < i; j++) {
    a[j * n + i] = a[row + j] / h;
    let g = 0;
    for (let k = 0; k <= j; k++) g += a[j * n + k] * a[row + k];
    for (let k = j + 1; k < i; k++) g += a[k * n + j] * a[row + k];
    e[j] = g / h;
    sum += e[j] * a[row + j];
  }
  const half = sum / (h + h);
  for (let j = 0; j < i; j++) {
    const f = a[row + j];
    const g = e[j] - half * f;
    e[j] = g;
    for (let k = 0; k <= j; k++) a[j * n + k] -= f * e[k] + g * a[row + k];
  }
}

/** Multiplies the reflections out into a, and takes the diagonal. d holds the squared half-norms, 0 if there is none. */
function accumulate(n: number, a: Float64Array, d: Float64Array): void {
  for (let i = 0; i < n; i++) {
    const row = i * n;
    if (d[i] !== 0) {
      for (let j = 0; j < i; j++) {
        let g = 0;
        for (let k = 0; k < i; k++) g += a[row + k] * a[k * n + j];
        for (let k = 0; k < i; k++) a[k * n + j] -= g * a[k * n + i];
      }
    }
    d[i] = a[row + i];
    a[row + i] = 1;
    for (let j = 0; j < i; j++) {
      a[row + j] = 0;
      a[j * n + i] = 0;
    }
  }
}

/** Implicit QL on the tridiagonal (d, e); a ← a · rotations. */
function diagonalise(n: number, a: Float64Array, d: Float64Array, e: Float64Array): void {
  for (let i = 1; i < n; i++) e[i - 1] = e[i];
  if (n > 0) e[n - 1] = 0;
  for (let low = 0; low < n; low++) {
    for (let sweep = 0; ; sweep++) {
      let m = low;
      for (; m < n - 1; m++) {
        const size = Math.abs(d[m]) + Math.abs(d[m + 1]);
        if (Math.abs(e[m]) <= Number.EPSILON * size) break;
      }
      if (m === low) break;
      if (sweep === LARGEST_SWEEPS)
        throw new CaseError(`eigenvalue ${low} of ${n} did not converge: the numbers are too large, or not finite`);
      sweepQl(n, low, m, a, d, e);
    }
  }
}

/** One implicit QL sweep on rows low … m. */
function sweepQl(n: number, low: number, m: number, a: Float64Array, d: Float64Array, e: Float64Array): void {
  let g = (d[low + 1] - d[low]) / (2 * e[low]);
  let r = Math.sqrt(g * g + 1);
  g = d[m] - d[low] + e[low] / (g + (g >= 0 ? r : -r));
  let s = 1;
  let c = 1;
  let p = 0;
  for (let i = m - 1; i >= low; i--) {
    const f = s * e[i];
    const b = c * e[i];
    r = Math.sqrt(f * f + g * g);
    e[i + 1] = r;
    if (r === 0) {
      d[i + 1] -= p;
      e[m] = 0;
      return;
    }
    s = f / r;
    c = g / r;
    g = d[i + 1] - p;
    r = (d[i] - g) * s + 2 * c * b;
    p = s * r;
    d[i + 1] = g + p;
    g = c * r - b;
    for (let k = 0, at = i; k < n; k++, at += n) {
      const right = a[at + 1];
      const left = a[at];
      a[at + 1] = s * left + c * right;
      a[at] = c * left - s * right;
    }
  }
  d[low] -= p;
  e[low] = g;
  e[m] = 0;
}
