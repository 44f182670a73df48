/** What the operator is prepared with, and the arrays it works on. */

export interface GainCovarianceParameters {
  readonly nx: number;
  readonly ny: number;
  readonly periodicX: boolean;
  readonly periodicY: boolean;
  /** V: the state has n = V·ny·nx elements. The taper acts on the lag in space alone, also between variables. */
  readonly variables: number;
  /** L, at least 2. */
  readonly members: number;
  /** Row of H from which on this run makes columns of P_HT. */
  readonly firstObservation: number;
  /** Columns that this run makes. */
  readonly observations: number;
  /** Stored entries in these rows of H, at most: size of the work space, nonzeros · L reals. */
  readonly nonzeros: number;
  /** Largest distance along x and y (the shorter way round where periodic) with a taper other than 0, in grid points. */
  readonly reachX: number;
  readonly reachY: number;
}

export type GainCovarianceFields = {
  /** [L][V][ny][nx], the mean already removed. */
  readonly anomalies: 'real';
  /** [ny][nx]: C between (y₁, x₁) and (y₂, x₂) is `taperRow[|y₁ − y₂|·nx + |x₁ − x₂|]`. */
  readonly taperRow: 'real';
  /** H in compressed rows: entries of row j are `indptr[j]` … `indptr[j + 1]`; columns are state elements. */
  readonly indptr: 'index';
  readonly indices: 'index';
  readonly data: 'real';
  /**
   * [observations][n], P_HT transposed: lanes run along the state, so that it is written, and read by H and by the
   * increment, in runs of neighbours. Written whole, with 0 out of reach.
   */
  readonly output: 'real';
};
