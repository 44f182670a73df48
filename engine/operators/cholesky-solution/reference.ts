/** Plain Cholesky, row by row, then both substitutions. What is before a row's first entry stays 0 and is omitted. */
import type { ArraysOf, RealArray } from '../../compute/backend.ts';

export interface CholeskySolutionParameters {
  /** Rows of the matrix, m, from 1 on. */
  readonly size: number;
  /** Right-hand sides, r, from 1 on. */
  readonly rightHandSides: number;
}

export type CholeskySolutionFields = {
  /**
   * [m][m], symmetric positive definite; only the lower triangle is read. Afterwards it holds the factor as `choleskySubstitution`
   * of the same backend takes it.
   */
  readonly matrix: 'real';
  /** [r][m]: the right-hand sides, each a row, going in; the solutions coming out. */
  readonly solution: 'real';
  /**
   * [1]: 0 when every pivot was positive and finite; otherwise 1 + the row of the first that was not. Such a pivot's unknown
   * is omitted (its column of L is 0), so that the solution is not that of the system but also not NaN by division.
   */
  readonly status: 'index';
};

/** Fields of a system whose matrix `choleskySolution` has factorised. */
export type CholeskySubstitutionFields = {
  /** [m][m], as it was left there. */
  readonly matrix: 'real';
  /** [r][m]: the right-hand sides, each a row, going in; the solutions coming out. */
  readonly solution: 'real';
};

export function choleskySolutionReference({
  size: m,
  rightHandSides,
}: CholeskySolutionParameters): (arrays: ArraysOf<CholeskySolutionFields>) => void {
  return ({ matrix, solution, status }) => {
    const first = firstEntries(matrix, m);
    status[0] = factorise(matrix, m, first);
    for (let r = 0; r < rightHandSides; r++) substitute(matrix, solution.subarray(r * m, (r + 1) * m), first);
  };
}

export function choleskySubstitutionReference({
  size: m,
  rightHandSides,
}: CholeskySolutionParameters): (arrays: ArraysOf<CholeskySubstitutionFields>) => void {
  return ({ matrix, solution }) => {
    const first = firstEntries(matrix, m);
    for (let r = 0; r < rightHandSides; r++) substitute(matrix, solution.subarray(r * m, (r + 1) * m), first);
  };
}

/** The column of each row's first entry in the lower triangle: L has no entries before it either. */
function firstEntries(a: RealArray, m: number): Uint32Array {
  return Uint32Array.from({ length: m }, (_, i) => {
    let column = 0;
    while (column < i && a[i * m + column] === 0) column += 1;
    return column;
  });
}

/** A ← L in the lower triangle. @returns 0, or 1 + the row of the first pivot that is not positive and finite */
function factorise(a: RealArray, m: number, first: Uint32Array): number {
  let failed = 0;
  for (let i = 0; i < m; i++) {
    for (let j = first[i]; j <= i; j++) {
      let sum = a[i * m + j];
      for (let k = Math.max(first[i], first[j]); k < j; k++) sum -= a[i * m + k] * a[j * m + k];
      if (i > j) a[i * m + j] = a[j * m + j] === Infinity ? 0 : sum / a[j * m + j];
      else if (sum > 0 && sum < Infinity) a[i * m + i] = Math.sqrt(sum);
      else {
        // Division by this pivot is to give 0.
        a[i * m + i] = Infinity;
        failed ||= i + 1;
      }
    }
  }
  return failed;
}

/** x ← L⁻ᵀ L⁻¹ x. */
function substitute(l: RealArray, x: RealArray, first: Uint32Array): void {
  const m = x.length;
  for (let i = 0; i < m; i++) {
    for (let k = first[i]; k < i; k++) x[i] -= l[i * m + k] * x[k];
    x[i] /= l[i * m + i];
  }
  for (let i = m - 1; i >= 0; i--) {
    x[i] /= l[i * m + i];
    for (let k = first[i]; k < i; k++) x[k] -= l[i * m + k] * x[i];
  }
}
