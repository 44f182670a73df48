/** What the scores of an ensemble are prepared with, and where their results are: for every backend. */
import { parameterBlock } from '../../compute/parameter-block.ts';

export interface EnsembleShape {
  /** k, from 1 on. */
  readonly members: number;
  /** V */
  readonly variables: number;
  readonly cells: number;
}

export interface ScoresParameters extends EnsembleShape {
  /** Indices of the variables whose CRPS is taken, S of them; may be empty. */
  readonly scored: readonly number[];
}

export const ensembleScoresFields = {
  /** [members][variables][cells] */
  ensemble: 'real',
  /** [variables][cells] */
  truth: 'real',
  /** [cells], of each cell in the means: 1 throughout, or what `wetCells` gives. */
  weight: 'real',
  /** [variables][cells], written: the ensemble's mean. */
  mean: 'real',
  /** Written: see `scoresLayout`. */
  scores: 'real',
} as const;

/** Where each score begins in `scores`: V numbers each, S of `crps` and `fairCrps`. */
export function scoresLayout({ variables, scored }: Pick<ScoresParameters, 'variables' | 'scored'>) {
  return {
    /** Mean over the cells of Σ (x_l − x̄)²/(k − 1); 0 for a single member. */
    meanVariance: 0,
    /** Mean over the cells of (x̄ − t)². */
    meanSquareError: variables,
    /** Weighted mean over the cells of x̄ − t, the error of the basin's mean level; 0 if nothing is weighed. */
    meanError: 2 * variables,
    /** Mean over the cells of (x̄ − t − meanError)², the error of the pattern. */
    patternSquareError: 3 * variables,
    crps: 4 * variables,
    fairCrps: 4 * variables + scored.length,
    length: 4 * variables + 2 * scored.length,
  };
}

export const SCORES = parameterBlock('Scores', {
  members: 'u32',
  cells: 'u32',
  /** Elements from one member to the next. */
  state: 'part',
  /** Cells of a part, and parts of a variable. */
  segment: 'part',
  segments: 'part',
  /** On a GPU, and its parts of a variable. */
  variables: 'u32',
  parts: 'u32',
  /** On a GPU, how many variables have a CRPS, and its parts of each. */
  scoredCount: 'u32',
  crpsParts: 'u32',
  /** The variable of each row of parts. */
  scored: 'pointer',
  ensemble: 'pointer',
  truth: 'pointer',
  weight: 'pointer',
  /** Float64: five a part of errors and variances, two of the CRPS. */
  sums: 'pointer',
});
