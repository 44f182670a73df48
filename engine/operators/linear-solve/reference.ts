/** Plain Cholesky, row by row, then both substitutions. */
import type { ArraysOf } from '../../compute/backend.ts';
import type { CholeskySolveFields, CholeskySolveParameters } from './index.ts';

export function choleskySolveReference({
  size: m,
  rightHandSides,
}: CholeskySolveParameters): (arrays: ArraysOf<CholeskySolveFields>) => void {
  return ({ matrix, solution, status }) => {
    status[0] = factorise(matrix, m);
    for (let r = 0; r < rightHandSides; r++) substitute(matrix, solution.subarray(r * m, (r + 1) * m));
  };
}

/** A ← L in the lower triangle. @returns 0, or 1 + the row of the first pivot that is not positive and finite */
function factorise(a: Float64Array, m: number): number {
  let failed = 0;
  for (let i = 0; i < m; i++) {
    for (let j = 0; j <= i; j++) {
      let sum = a[i * m + j];
      for (let k = 0; k < j; k++) sum -= a[i * m + k] * a[j * m + k];
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
function substitute(l: Float64Array, x: Float64Array): void {
  const m = x.length;
  for (let i = 0; i < m; i++) {
    for (let k = 0; k < i; k++) x[i] -= l[i * m + k] * x[k];
    x[i] /= l[i * m + i];
  }
  for (let i = m - 1; i >= 0; i--) {
    x[i] /= l[i * m + i];
    for (let k = 0; k < i; k++) x[k] -= l[i * m + k] * x[i];
  }
}
