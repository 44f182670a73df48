/** What the operators are prepared with, and the arrays they work on. */

import type { TaperGeometry } from '../localisation/index.ts';

export interface ObservedEnsembleCovarianceParameters extends TaperGeometry {
  /** k, from 2 on. */
  readonly members: number;
  /** p */
  readonly observations: number;
  /** ρ */
  readonly inflation: number;
  /**
   * Whether the matrix already has S of the observations whose `inverseErrorStd` is 0 here, with whole rows for all observations,
   * and keeps it. What one of those has with another observation is then in the other's row, and the lower triangle gets it.
   */
  readonly keepsOthers?: boolean;
}

export type ObservedEnsembleCovarianceFields = {
  /** Y′, [k][p]. */
  readonly observedAnomalies: 'real';
  /** [p] */
  readonly inverseErrorStd: 'real';
  /** [p], cells. */
  readonly positionX: 'real';
  readonly positionY: 'real';
  /** S, [p][p], written: the lower triangle with the diagonal, which is what `choleskySolution` reads. */
  readonly matrix: 'real';
};

export interface ObservedEnsembleGainParameters extends TaperGeometry {
  readonly variables: number;
  /** k, from 2 on. */
  readonly members: number;
  /** p: all observations. */
  readonly observations: number;
  /** The block's first observation, and how many it has. */
  readonly firstObservation: number;
  readonly blockObservations: number;
  /** Whether the columns of observations whose `inverseErrorStd` is 0 stay as they are; they are 0 otherwise. */
  readonly keepsOthers?: boolean;
}

export type ObservedEnsembleGainFields = {
  /** X′, [k][variables][ny][nx]. */
  readonly anomalies: 'real';
  /** Y′, [k][p]. */
  readonly observedAnomalies: 'real';
  /** [p] */
  readonly inverseErrorStd: 'real';
  /** [p], cells. */
  readonly positionX: 'real';
  readonly positionY: 'real';
  /** [blockObservations][variables][ny][nx], P Sᵀ transposed as `gainCovariance` writes it; 0 out of reach. */
  readonly output: 'real';
};
