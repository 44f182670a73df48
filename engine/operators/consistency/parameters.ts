/** What the operators of consistency are prepared with, and the arrays they work on. */
import type { Coriolis } from '../geostrophic-balance/index.ts';

export interface DepartureProductsParameters {
  readonly observations: number;
  /** Kinds of observations that are distinguished. */
  readonly groups: number;
}

export type DepartureProductsFields = {
  /** Group of each observation; `groups` and above for none. [observations] */
  readonly group: 'index';
  /** d_b = y − H(x̄ᶠ), [observations] */
  readonly innovation: 'real';
  /** d_a = y − H(x̄ᵃ), [observations] */
  readonly residual: 'real';
  /** 1/σₒ, 0 where an observation is not used: there the other arrays may be anything. [observations] */
  readonly inverseErrorStd: 'real';
  /** σ_b² and σ_a², [observations] */
  readonly backgroundVariance: 'real';
  readonly analysisVariance: 'real';
  /** [groups][DEPARTURE_PRODUCTS], written. */
  readonly products: 'real';
};

export interface SampledScoresParameters {
  /** k, at least 2. */
  readonly members: number;
  readonly variables: number;
  readonly nx: number;
  readonly ny: number;
  /** Cells 0, stride, 2·stride, … along each axis are sampled. */
  readonly strideX: number;
  readonly strideY: number;
  /** Indices of the variables, S of them. */
  readonly scored: readonly number[];
  /** Ascending: between the bins of spread, as ratios of a cell's standard deviation to the root of the mean variance. */
  readonly edges: readonly number[];
}

export type SampledScoresFields = {
  /** [members][variables][ny][nx] */
  readonly ensemble: 'real';
  /** [variables][ny][nx] */
  readonly truth: 'real';
  /** [ny][nx], of each cell in the means. */
  readonly weight: 'real';
  /** [variables] */
  readonly meanVariance: 'real';
  /** [S][rows], written: see `sampledScores`. */
  readonly scores: 'real';
};

/** How many rows of numbers a variable has, and where each kind begins. */
export function sampledRows({ members, edges }: Pick<SampledScoresParameters, 'members' | 'edges'>) {
  const gaps = members + 1;
  const bins = edges.length + 1;
  const single = 2 * gaps;
  return {
    bins,
    alpha: 0,
    beta: gaps,
    below: single,
    above: single + 1,
    uncertainty: single + 2,
    weight: single + 3,
    share: single + 4,
    variance: single + 4 + bins,
    squaredError: single + 4 + 2 * bins,
    rows: single + 4 + 3 * bins,
  };
}

/** What spectra are taken of. */
export const SPECTRA = 4;
/** Number of these that are transformed: the coefficients of x̄ᵃ − t are those of x̄ᶠ − t and x̄ᵃ − x̄ᶠ together. */
export const TRANSFORMED = 3;

/** k/(k − 1), or 0 for a single member. */
export function spreadFactor(members: number): number {
  return members > 1 ? members / (members - 1) : 0;
}

export interface BandSpectraParameters {
  readonly nx: number;
  readonly ny: number;
  readonly periodicX: boolean;
  readonly periodicY: boolean;
  /** Metres, of which only the ratio matters here. */
  readonly dx: number;
  readonly dy: number;
  /** Members of the ensemble of `member`. */
  readonly members: number;
}

export type BandSpectraFields = {
  /** Planes [ny][nx] at the beginning of a field. */
  readonly truth: 'real';
  readonly forecast: 'real';
  readonly analysis: 'real';
  readonly member: 'real';
  /** [4][bands], written: mean squares of forecast − truth, analysis − truth, analysis − forecast, and of the spread. */
  readonly power: 'real';
};

/** Numbers of the budget of a state. */
export const WATER_BUDGET = 7;

/** Shallower water, as a share of the mean depth of the wet cells, has no potential vorticity: it grows beyond bounds at a shore. */
export const SHALLOW_SHARE = 0.01;

export interface WaterBudgetsParameters {
  readonly nx: number;
  readonly ny: number;
  /** Metres. */
  readonly dx: number;
  readonly dy: number;
  readonly periodicX: boolean;
  readonly periodicY: boolean;
  /** m/s² */
  readonly gravity: number;
  readonly coriolis: Coriolis;
  /** What component 0 of a state is. */
  readonly surface: 'depth' | 'elevation';
  /** A depth up to this is dry, metres. */
  readonly dryDepth: number;
}

export type WaterBudgetsFields = {
  /** States [3][ny][nx]: the depth or the surface's elevation, and the momenta hu, hv. */
  readonly truth: 'real';
  readonly forecast: 'real';
  readonly analysis: 'real';
  /** Elevation of the bed, metres, [ny][nx] */
  readonly bed: 'real';
  /** [3][WATER_BUDGET], written, of truth, forecast and analysis. */
  readonly budgets: 'real';
};
