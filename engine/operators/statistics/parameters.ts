/** What the statistics are prepared with, and the arrays they work on. */

export interface EnsembleShape {
  /** k, from 1 on. */
  readonly members: number;
  /** V */
  readonly variables: number;
  readonly cells: number;
}

export type EnsembleScoresFields = {
  /** [members][variables][cells] */
  readonly ensemble: 'real';
  /** [variables][cells] */
  readonly truth: 'real';
  /** [cells], of each cell in the means: 1 throughout, or what `wetCells` gives. */
  readonly weight: 'real';
  /** [variables], written: mean over the cells of (x̄ − t)². */
  readonly meanSquareError: 'real';
  /** [variables], written: weighted mean over the cells of x̄ − t, the error of the basin's mean level; 0 if nothing is weighed. */
  readonly meanError: 'real';
  /** [variables], written: mean over the cells of (x̄ − t − meanError)², the error of the pattern. */
  readonly patternSquareError: 'real';
  /** [variables], written: mean over the cells of Σ (x_l − x̄)²/(k − 1); 0 for a single member. */
  readonly meanVariance: 'real';
};

export interface CrpsParameters extends EnsembleShape {
  /** Indices of the variables that are scored, S of them. */
  readonly scored: readonly number[];
}

export type CrpsFields = {
  /** [members][variables][cells] */
  readonly ensemble: 'real';
  /** [variables][cells] */
  readonly truth: 'real';
  /** [cells], of each cell in the means. */
  readonly weight: 'real';
  /** [2][S], written: the score of each scored variable, then its fair score. */
  readonly score: 'real';
};

export interface WetCellsParameters extends EnsembleShape {
  /** A depth up to this is dry, metres. */
  readonly dryDepth: number;
}

export type WetCellsFields = {
  /** [members][variables][cells]; variable 0 is the elevation of the surface, m. */
  readonly ensemble: 'real';
  /** [variables][cells] */
  readonly truth: 'real';
  /** [cells], elevation of the bed, m. */
  readonly bed: 'real';
  /** [cells], written: the weight of each cell in a mean over the cells. */
  readonly weight: 'real';
};

export interface RankHistogramParameters {
  readonly members: number;
  readonly variables: number;
  readonly nx: number;
  readonly ny: number;
  /** Thinning: cells 0, stride, 2·stride, … along each axis are counted, since neighbours say the same. */
  readonly strideX: number;
  readonly strideY: number;
  /** Indices of the variables that are ranked, S of them. */
  readonly scored: readonly number[];
}

export type RankHistogramFields = {
  /** [members][variables][ny][nx] */
  readonly ensemble: 'real';
  /** [variables][ny][nx] */
  readonly truth: 'real';
  /** [ny][nx]: cells of weight 0 are not counted. */
  readonly weight: 'real';
  /** [2], random words: the stream that breaks ties in this run. */
  readonly key: 'index';
  /**
   * [S][members + 1], written: cells of each variable by the rank of the truth, the number of members strictly below it, and
   * of those equal to it a number drawn from 0 to all of them.
   */
  readonly counts: 'index';
};
