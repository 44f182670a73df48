/** What the operators on ensembles are prepared with. */

export interface EnsembleSize {
  /** k, from 1 on. */
  readonly members: number;
  /** Elements of a member. */
  readonly length: number;
}

export interface VarianceParameters extends EnsembleSize {
  /** Multiplies the variance; 1 if left out. */
  readonly factor?: number;
}

export interface AnomaliesParameters extends EnsembleSize {
  /** Multiplies the anomalies; 1 if left out. */
  readonly factor?: number;
}

export interface ScaledParameters extends EnsembleSize {
  /** Multiplies the anomalies or the noise; 1 if left out. */
  readonly factor?: number;
}

export interface RelaxationParameters extends EnsembleSize {
  /** `spread` keeps the analysis' directions (RTPS), `perturbations` mixes in the background's (RTPP). */
  readonly kind: 'spread' | 'perturbations';
  /** α: 0 leaves the analysis as it is, 1 gives it the background's spread, or perturbations. */
  readonly factor: number;
}
