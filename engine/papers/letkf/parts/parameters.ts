/** What the parts are prepared with, and the arrays they work on. */

/** How C is computed on a GPU: an invocation a point; the same from a tile in workgroup memory; an invocation a point and member. */
export type ObservationWeightsForm = 'naive' | 'workgroup' | 'members';

export interface LetkfPartsParameters {
  /** Every cell of nx × ny is observed. */
  readonly nx: number;
  readonly ny: number;
  /** k, at least 2. */
  readonly members: number;
  /** ρ > 0, multiplies the background covariance. */
  readonly inflation: number;
  readonly form: ObservationWeightsForm;
}

/** ℓ: a cell and those around it; those beyond the edge count as 0. Neighbour o lies at (o mod 3 − 1, ⌊o/3⌋ − 1). */
export const NEIGHBOURS = 9;

/** `anomalies` Y [k][ny][nx]; `weights` w/σₒ² of the neighbours [9]; `c` [ny][nx][k][9]. */
export type ObservationWeightsFields = { readonly anomalies: 'real'; readonly weights: 'real'; readonly c: 'real' };

/** `covariance`: P̃ᵃ [ny][nx][k][k]. */
export type AnalysisCovarianceFields = {
  readonly anomalies: 'real';
  readonly c: 'real';
  readonly covariance: 'real';
};

export type LetkfPartsFields = ObservationWeightsFields & AnalysisCovarianceFields;
