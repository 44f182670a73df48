/** What the curves of consistency draw, in the window and in reports: their points, their units and their words. */
import { spectralOctaves, spreadSkillPoints } from '../../engine/index.ts';
import type { BandSpectra, CycleDiagnostics } from '../../engine/index.ts';
import type { SpectralCells } from '../document/lines/overlaid.ts';
import type { Point } from '../plot/decimate.ts';

export const SPREAD_SKILL_HELP =
  'On the dashed 1:1 line the spread equals the error. Above it the ensemble is underdispersive (overconfident), below it overdispersive. A level line means that the spread does not show where the errors are.';
/** The members' correction, and what is omitted. */
export const SPREAD_SKILL_NOTE =
  'Spread times √((k + 1)/k), the error of a mean of k members that the truth is like. Bins of fewer than one cell in a thousand are not drawn.';
export const OCTAVE_HELP =
  'The spread is on the curve of the error before the analysis where it matches that error: below it the ensemble is underdispersive at that scale, above it overdispersive. Where the increment exceeds that error the analysis adds noise.';
export const SCORE_HELP =
  'If the truth falls among the members as often as it should, the reliability part is far below the CRPS. The closer it is to the CRPS, the more a better spread or less bias would improve the score. The rest, the potential CRPS, should be far below the uncertainty: if they are equal, the forecast has no resolution.';

/** Smallest share of all cells: bins with fewer are a handful of places. */
const LEAST_SHARE = 1e-3;

/** @returns errors by ascending spread, both in the unit of the variable */
export function spreadSkillLine(rows: readonly CycleDiagnostics[], variable: string): readonly Point[] {
  return spreadSkillPoints(rows, variable)
    .filter(({ share }) => share >= LEAST_SHARE)
    .map(({ spread, rmse }) => ({ x: spread, y: rmse }));
}

/** @returns the ends that both axes have, so that the 1:1 line is their diagonal; undefined without points */
export function squareDomain(lines: readonly (readonly Point[])[]): readonly [number, number] | undefined {
  const values = lines.flatMap((points) => points.flatMap(({ x, y }) => [x, y])).filter(Number.isFinite);
  return values.length === 0 || Math.max(...values) === 0 ? undefined : [0, 1.05 * Math.max(...values)];
}

export type OctaveCurve = keyof BandSpectra;

/** What spectra are drawn of, distinguished by their dashes. */
export const OCTAVE_CURVES: readonly {
  readonly of: OctaveCurve;
  /** Short, as at the line's end. */
  readonly label: string;
  readonly title: string;
  readonly dash: string;
}[] = [
  { of: 'forecastError', label: 'Error before', title: 'error before the analysis', dash: '' },
  { of: 'analysisError', label: 'Error after', title: 'error after the analysis', dash: '6 3' },
  { of: 'increment', label: 'Increment', title: 'increment', dash: '2 3' },
  { of: 'forecastSpread', label: 'Spread', title: 'spread before the analysis', dash: '10 3 2 3' },
];

export interface Wavelengths {
  /** Lengths of the geometric middle of each octave, in `unit`, by descending length. */
  readonly lengths: readonly number[];
  /** Kilometres, or metres in a basin of less; empty on a ring, whose places are counted. */
  readonly unit: string;
}

const KILOMETRE = 1000;

/** @param unit of the axis that they are drawn on; the one that suits them if omitted */
export function wavelengthsOf(cells: SpectralCells, unit?: string): Wavelengths {
  const metres = spectralOctaves(cells).map((lowest) => 1 / (lowest * Math.SQRT2));
  if (cells.isRing === true) return { lengths: metres, unit: '' };
  const drawn = unit ?? (metres[0] < KILOMETRE ? 'm' : 'km');
  return { lengths: drawn === 'm' ? metres : metres.map((length) => length / KILOMETRE), unit: drawn };
}

/** @returns a spectrum by ascending wavelength, with gaps if there is nothing; empty if there is nothing at all */
export function octavePoints({ lengths }: Wavelengths, powers: readonly number[]): readonly Point[] {
  if (!powers.some((power) => power > 0)) return [];
  return powers.map((power, band) => ({ x: lengths[band], y: power > 0 ? power : Number.NaN })).reverse();
}

/** Decades of power below the largest that are drawn: what is smaller is of no consequence. */
const DECADES = 6;

/** @returns whole decades that hold the powers; undefined if there are none */
export function octaveRange(lines: readonly (readonly Point[])[]): readonly [number, number] | undefined {
  const powers = lines.flatMap((points) => points.map(({ y }) => y)).filter((power) => power > 0);
  if (powers.length === 0) return undefined;
  const top = Math.ceil(Math.log10(Math.max(...powers)) + 1e-9);
  const least = Math.floor(Math.log10(Math.min(...powers)));
  return [10 ** Math.max(top - DECADES, Math.min(least, top - 1)), 10 ** top];
}

/** @returns the unit of squares of a variable, whose own is a metre or none */
export function squareOf(unit: string): string {
  return unit === '' ? '' : `${unit}²`;
}

/** The parts of the score, distinguished by their dashes. */
export const SCORE_CURVES = [
  { of: 'crps', label: 'CRPS', dash: '' },
  { of: 'reliability', label: 'Reliability', dash: '2 3' },
  { of: 'potential', label: 'Potential', dash: '6 3' },
  { of: 'uncertainty', label: 'Uncertainty', dash: '10 3 2 3' },
] as const;

export type ScoreCurve = (typeof SCORE_CURVES)[number]['of'];
