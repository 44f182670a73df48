/** The CRPS of an ensemble taken apart: how reliable it is, and what a reliable one of the same ranks would score. [hersbach2000] */
import type { SampledScores } from '../experiment/index.ts';

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
export interface Pooled {
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
