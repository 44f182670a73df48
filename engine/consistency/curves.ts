/** Curves of consistency, for charts: errors against spread by bins, spectra by octaves, and the score of each cycle taken apart. */
import type { BandSpectra, CycleDiagnostics } from '../experiment/index.ts';
import { decomposeCrps } from './crps-decomposition.ts';
import type { CrpsDecomposition } from './crps-decomposition.ts';

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
