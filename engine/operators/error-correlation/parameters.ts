/** What the operator is prepared with, and the arrays it works on. */

export interface ErrorCorrelationParameters {
  /** p. */
  readonly observations: number;
  /** Entries of C at most: enters the cost alone. */
  readonly nonzeros: number;
}

/**
 * C below its diagonal in compressed rows: `indptr` [p + 1], `indices` and `correlation` [nonzeros], columns below their row; an entry
 * on the diagonal is passed over. `inverseErrorStd` is [p], and `matrix` [p][p] is changed in place.
 */
export const errorCorrelationFields = {
  indptr: 'index',
  indices: 'index',
  correlation: 'real',
  inverseErrorStd: 'real',
  matrix: 'real',
} as const;
