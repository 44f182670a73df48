/** What the solver is prepared with, and the arrays it works on. */

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
   * is left out (its column of L is 0), so that the solution is not that of the system but also not NaN by division.
   */
  readonly status: 'index';
};

/** Of a system whose matrix `choleskySolution` has factorised. */
export type CholeskySubstitutionFields = {
  /** [m][m], as it was left there. */
  readonly matrix: 'real';
  /** [r][m]: the right-hand sides, each a row, going in; the solutions coming out. */
  readonly solution: 'real';
};
