/** What the parts of the stochastic EnKF are prepared with, and the arrays they work on. */

/** Sizes of a block of columns of P_HT. */
export interface GainBlock {
  /** n: elements of the state. */
  readonly length: number;
  /** p: all observations. */
  readonly observations: number;
  /** The block's first observation, and how many it has. */
  readonly firstObservation: number;
  readonly blockObservations: number;
}

export interface PerturbedInnovationParameters {
  readonly members: number;
  readonly observations: number;
}

export type PerturbedInnovationFields = {
  /** y, [observations]. */
  readonly values: 'real';
  /** H(x_l), [members][observations]. */
  readonly observed: 'real';
  readonly inverseErrorStd: 'real';
  /** ε, [members][observations], of unit variance. */
  readonly perturbations: 'real';
  /** [members][observations], written: the right-hand sides of `choleskySolution`. */
  readonly scaled: 'real';
};

export type ObservedCovarianceFields = {
  /** [blockObservations][length]: `output` of `gainCovariance` for this block. */
  readonly covariance: 'real';
  /** H in compressed rows, all p of them. */
  readonly indptr: 'index';
  readonly indices: 'index';
  readonly data: 'real';
  /** [p] */
  readonly inverseErrorStd: 'real';
  /** A, [p][p]: this run writes the rows `firstObservation` … of the block. */
  readonly matrix: 'real';
};

export type GainIncrementFields = {
  /** [blockObservations][length]: `output` of `gainCovariance` for this block. */
  readonly covariance: 'real';
  /** [p] */
  readonly inverseErrorStd: 'real';
  /** z, [members][p]: `solution` of `choleskySolution`. */
  readonly weights: 'real';
  /** [members][length], changed in place. */
  readonly ensemble: 'real';
};
