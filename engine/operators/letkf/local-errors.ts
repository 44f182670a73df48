/**
 * Correlated errors of the observations around a grid point, R = D C D with the standard deviations D. Localisation gives an
 * observation of weight w an error of its own beside the one that it has, independent and of the variance (1/w − 1) σ²:
 *
 *   R_ii = σ_i²/w_i,   R_ij = σ_i σ_j C_ij for i ≠ j,   √w D⁻¹ R D⁻¹ √w = I + √w (C − I) √w = L Lᵀ.
 *
 * If errors are independent, these are the weights of [hunt2007]. What observations share keeps its size wherever they are, so that
 * their differences stay right; an observation that goes out of reach goes without a jump (of √w R⁻¹ √w, which has both the other way
 * round, one of weight 0 would be left whose error is known). L Lᵀ is no nearer to singular than C, and its diagonal is 1.
 */

/** Least share of an error's variance that is its own: below, those before determine it but for rounding. */
const LEAST_OWN = 1e-12;

interface Correlations {
  readonly correlationStart: ArrayLike<number>;
  readonly correlation: ArrayLike<number>;
}

/** C_ij, of the rows that `correlatedLetkfFields` describes. */
export function correlationAt({ correlationStart, correlation }: Correlations, i: number, j: number): number {
  const row = Math.max(i, j);
  const entry = correlationStart[row + 1] - 1 - Math.abs(i - j);
  return entry >= correlationStart[row] ? correlation[entry] : 0;
}

/** L, row by row. @param roots √w. @param between C of two of the local observations, the first of a higher row */
export function rootOfLocal(
  count: number,
  roots: ArrayLike<number>,
  between: (a: number, b: number) => number,
): Float64Array[] {
  const rows: Float64Array[] = [];
  for (let a = 0; a < count; a++) {
    const row = new Float64Array(a + 1);
    let own = 1;
    for (let b = 0; b < a; b++) {
      let rest = roots[a] * roots[b] * between(a, b);
      for (let m = 0; m < b; m++) rest -= row[m] * rows[b][m];
      row[b] = rest / rows[b][b];
      own -= row[b] ** 2;
    }
    row[a] = Math.sqrt(Math.max(own, LEAST_OWN));
    rows.push(row);
  }
  return rows;
}

/** values ← (L Lᵀ)⁻¹ values, in place: [observations][columns]. */
export function solveLocal(root: readonly Float64Array[], values: Float64Array, columns: number): void {
  whitenLocal(root, values, columns);
  for (let a = root.length - 1; a >= 0; a--) {
    for (let c = 0; c < columns; c++) {
      let rest = values[a * columns + c];
      for (let m = a + 1; m < root.length; m++) rest -= root[m][a] * values[m * columns + c];
      values[a * columns + c] = rest / root[a][a];
    }
  }
}

/** values ← L⁻¹ values, in place: [observations][columns]. */
export function whitenLocal(root: readonly Float64Array[], values: Float64Array, columns: number): void {
  root.forEach((row, a) => {
    for (let c = 0; c < columns; c++) {
      let rest = values[a * columns + c];
      for (let m = 0; m < a; m++) rest -= row[m] * values[m * columns + c];
      values[a * columns + c] = rest / row[a];
    }
  });
}
