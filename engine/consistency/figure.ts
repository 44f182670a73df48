/**
 * What consistency is said in: figures, each a number with its uncertainty, what good looks like, and the verdict; and curves for
 * charts: errors against spread by bins, spectra by octaves, and the score of each cycle taken apart.
 */
import type { SeriesEstimate } from '../statistics/index.ts';
import type { BandSpectra, CycleDiagnostics, SampledScores } from '../experiment/index.ts';

export interface ConsistencyFigure {
  /** What it is, for programs: of one kind in every run, with the variable at its end where it is of one. */
  readonly key: string;
  readonly title: string;
  /** What it is about: errors stated and found, the ensemble, waves by their length, or the water itself. */
  readonly group: ConsistencyGroup;
  /** Empty for a ratio. */
  readonly unit: string;
  readonly value: number;
  /** At 95 %, by a block bootstrap over cycles; undefined of fewer than three cycles. */
  readonly interval?: readonly [low: number, high: number] | undefined;
  /** Range of good values; undefined if none is known. */
  readonly good: readonly [low: number, high: number] | undefined;
  /**
   * `low` and `high` where the whole interval is outside what is good; `unknown` where only a part of it is while the value is
   * not good, where it reaches beyond what is good on both sides, as of too few independent cycles, and if there is none.
   */
  readonly verdict: ConsistencyVerdict;
  /** One line: what good looks like, and what it would say if it were not. */
  readonly meaning: string;
}

export type ConsistencyGroup = 'departures' | 'ensemble' | 'scales' | 'water';

export type ConsistencyVerdict = 'good' | 'low' | 'high' | 'unknown';

/** A ratio that should be 1 is called right within this factor to both sides. */
export const NEARLY = 1.25;
export const NEAR_ONE = [1 / NEARLY, NEARLY] as const;

function verdictOf({ value, interval }: SeriesEstimate, good: ConsistencyFigure['good']): ConsistencyVerdict {
  if (good === undefined || interval === undefined || !Number.isFinite(value)) return 'unknown';
  if (interval[0] < good[0] && interval[1] > good[1]) return 'unknown';
  if (value >= good[0] && value <= good[1]) return 'good';
  if (interval[1] < good[0]) return 'low';
  return interval[0] > good[1] ? 'high' : 'unknown';
}

export type FigureDescription = Pick<ConsistencyFigure, 'key' | 'group' | 'title' | 'meaning'> &
  Partial<Pick<ConsistencyFigure, 'unit' | 'good'>>;

/** @returns the figure; none where its value is no number, as there was nothing to measure */
export function figureOf(
  { key, group, title, meaning, unit = '', good = NEAR_ONE }: FigureDescription,
  estimate: SeriesEstimate,
): ConsistencyFigure[] {
  const { value, interval } = estimate;
  if (Number.isNaN(value)) return [];
  return [{ key, title, group, unit, value, interval, good, verdict: verdictOf(estimate, good), meaning }];
}

/** The CRPS of an ensemble taken apart: how reliable it is, and what a reliable one of the same ranks would score. [hersbach2000] */
export interface CrpsDecomposition {
  /** reliability + potential */
  readonly crps: number;
  /** Σ gᵢ (oᵢ − pᵢ)²: what is lost since the truth is not below the i-th member as often as it should be; 0 at best. */
  readonly reliability: number;
  /** Σ gᵢ oᵢ (1 − oᵢ): the score that is left when that is mended. */
  readonly potential: number;
  /** The score of a forecast that knows the distribution of the truth over the cells alone. */
  readonly uncertainty: number;
}

type Sums = Omit<SampledScores, 'share' | 'variance' | 'squaredError'>;

/** @param of means over cells and cycles */
export function decomposeCrps({ alpha, beta, below, above, uncertainty }: Sums): CrpsDecomposition {
  const members = alpha.length - 1;
  let [crps, reliability, potential] = [0, 0, 0];
  for (let i = 0; i <= members; i++) {
    const p = i / members;
    // Outside the members a gap has an end only in the cells whose truth is there: its width is a mean over these.
    const [frequency, width] =
      i === 0
        ? [below, below > 0 ? beta[0] / below : 0]
        : i === members
          ? [1 - above, above > 0 ? alpha[members] / above : 0]
          : [beta[i] / (alpha[i] + beta[i]), alpha[i] + beta[i]];
    crps += alpha[i] * p ** 2 + beta[i] * (1 - p) ** 2;
    if (width === 0) continue;
    reliability += width * (frequency - p) ** 2;
    potential += width * frequency * (1 - frequency);
  }
  return { crps, reliability, potential, uncertainty };
}

/** Means over cycles, and those with one cycle omitted. */
interface Pooled {
  readonly all: Sums;
  readonly without: (cycle: number) => Sums;
}

/** @param cycles of one variable, all with as many members; at least two */
export function poolSampled(cycles: readonly SampledScores[]): Pooled {
  const listSum = (of: (scores: SampledScores) => readonly number[]): number[] =>
    of(cycles[0]).map((_, i) => cycles.reduce((sum, scores) => sum + of(scores)[i], 0));
  const sum = (of: (scores: SampledScores) => number): number =>
    cycles.reduce((total, scores) => total + of(scores), 0);
  const total: Sums = {
    alpha: listSum(({ alpha }) => alpha),
    beta: listSum(({ beta }) => beta),
    below: sum(({ below }) => below),
    above: sum(({ above }) => above),
    uncertainty: sum(({ uncertainty }) => uncertainty),
  };
  const mean = (left: SampledScores | undefined): Sums => {
    const count = cycles.length - (left ? 1 : 0);
    const list = (name: 'alpha' | 'beta') => total[name].map((value, i) => (value - (left?.[name][i] ?? 0)) / count);
    const one = (name: 'below' | 'above' | 'uncertainty') => (total[name] - (left?.[name] ?? 0)) / count;
    return {
      alpha: list('alpha'),
      beta: list('beta'),
      below: one('below'),
      above: one('above'),
      uncertainty: one('uncertainty'),
    };
  };
  return { all: mean(undefined), without: (cycle) => mean(cycles[cycle]) };
}

/** A bin of cells by their spread, in the unit of the variable. */
export interface SpreadSkillPoint {
  /** Root mean variance of the members, times √((k + 1)/k): the error that the mean of k members has if the truth is like them. */
  readonly spread: number;
  /** Root mean square error of the mean. */
  readonly rmse: number;
  /** Share of all cells, 0 to 1. */
  readonly share: number;
}

/** @param rows of one method. @returns its bins over these cycles by ascending spread, without empty ones */
export function spreadSkillPoints(rows: readonly CycleDiagnostics[], variable: string): readonly SpreadSkillPoint[] {
  const cycles = rows.flatMap(({ consistency }) => consistency?.sampled[variable] ?? []);
  if (cycles.length === 0) return [];
  const members = cycles[0].alpha.length - 1;
  return cycles[0].share
    .flatMap((_, bin): SpreadSkillPoint[] => {
      const sum = (of: 'share' | 'variance' | 'squaredError'): number =>
        cycles.reduce((total, cycle) => total + cycle[of][bin], 0);
      const share = sum('share');
      if (!(share > 0)) return [];
      const variance = (sum('variance') / share) * ((members + 1) / members);
      return [
        { spread: Math.sqrt(variance), rmse: Math.sqrt(sum('squaredError') / share), share: share / cycles.length },
      ];
    })
    .sort((a, b) => a.spread - b.spread);
}

/** @param rows of one method. @returns its spectra, means over these cycles; undefined if there are none */
export function meanSpectra(rows: readonly CycleDiagnostics[]): BandSpectra | undefined {
  const spectra = rows.flatMap(({ consistency }) => consistency?.spectra ?? []);
  if (spectra.length === 0) return undefined;
  const mean = (of: keyof BandSpectra): number[] =>
    spectra[0][of].map((_, band) => spectra.reduce((sum, one) => sum + one[of][band], 0) / spectra.length);
  return {
    forecastError: mean('forecastError'),
    analysisError: mean('analysisError'),
    increment: mean('increment'),
    forecastSpread: mean('forecastSpread'),
  };
}

/** @returns the CRPS of the forecast of a cycle taken apart, in the unit of the variable; undefined of a single state */
export function crpsParts({ consistency }: CycleDiagnostics, variable: string): CrpsDecomposition | undefined {
  const sampled = consistency?.sampled[variable];
  return sampled && decomposeCrps(sampled);
}
