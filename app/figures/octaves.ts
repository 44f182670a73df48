/** Error, increment and spread of a method by octaves of the wavelength: at which scales its members know their errors. */
import { meanSpectra, spectralOctaves, type BandSpectra } from '../../engine/index.ts';
import { methodRows, overlaidCurve, type SpectralCells } from '../document/lines/overlaid.ts';
import type { MethodStyle } from '../document/views/method-style.ts';
import { counted, unitOf, variablesOf } from '../document/views/series.ts';
import { withUnit } from '../fields/fields.ts';
import type { DataTable } from '../format/tables.ts';
import { formatQuantity } from '../format/numbers.ts';
import type { Point } from '../plot/scales.ts';
import type { PlotSeries } from '../plot/layout.ts';
import { curveChoice, methodChoice, methodOf, curveEntries, rowsOf } from './figure-data.ts';
import type { FigureData, FigureEntry, FigureRun, LinePanel, ReportedFigures, ShownRun } from './figure-data.ts';

const HELP =
  'The spread is on the curve of the error before the analysis where it matches that error: below it the ensemble is underdispersive at that scale, above it overdispersive. Where the increment exceeds that error the analysis adds noise.';

/** What spectra are drawn of, distinguished by their dashes. */
const CURVES: readonly {
  readonly of: keyof BandSpectra;
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

interface Wavelengths {
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

/** @returns lengths of a run's waves on the axis of the run on screen; undefined if they are not of the same kind */
function lengthsBeside(basin: SpectralCells, cells: SpectralCells | undefined): Wavelengths | undefined {
  if (!cells || (cells.isRing === true) !== (basin.isRing === true)) return undefined;
  return wavelengthsOf(cells, wavelengthsOf(basin).unit);
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

/** The unit of squares of a variable, whose own is a metre or none. */
function squareUnit({ diagnostics }: FigureRun): string {
  const [variable = ''] = variablesOf(diagnostics.values());
  const unit = unitOf(variable);
  return unit === '' ? '' : `${unit}²`;
}

function table(run: FigureRun, basin: SpectralCells): DataTable {
  const own = wavelengthsOf(basin);
  const unit = squareUnit(run);
  return {
    columns: [
      'method',
      withUnit('wavelength', own.unit),
      ...CURVES.map(({ title }) => withUnit(`mean square of the ${title}`, unit)),
    ],
    rows: methodRows(run, run.shown.overlaid).flatMap(({ title, rows, run: other }) => {
      const spectra = meanSpectra(counted(rows, run));
      const wavelengths = other ? lengthsBeside(basin, other.cells) : own;
      if (!spectra || !wavelengths) return [];
      return wavelengths.lengths.map((length, band) => [title, length, ...CURVES.map(({ of }) => spectra[of][band])]);
    }),
  };
}

/** The curves of a method. */
function curvesOf(run: FigureRun, basin: SpectralCells, style: MethodStyle): readonly PlotSeries[] {
  const spectra = meanSpectra(counted(rowsOf(run, style), run));
  if (!spectra) return [];
  const wavelengths = wavelengthsOf(basin);
  return CURVES.flatMap(({ of, label, dash }) => {
    const points = octavePoints(wavelengths, spectra[of]);
    return points.length === 0 ? [] : [{ key: of, label, color: style.colour, dash, points, marked: true }];
  });
}

/** One of them of overlaid runs. */
function curvesBeside(run: ShownRun, basin: SpectralCells, style: MethodStyle): readonly PlotSeries[] {
  const { of, label } = CURVES.find((curve) => curve.of === run.comparedOctave) ?? CURVES[0];
  return overlaidCurve(run.shown, style.label, { key: of, label }, (rows, other) => {
    const lengths = lengthsBeside(basin, other.cells);
    const found = lengths && meanSpectra(counted(rows, run));
    return found ? octavePoints(lengths, found[of]) : [];
  });
}

function panelOf(
  basin: SpectralCells,
  series: readonly PlotSeries[],
  domain: readonly [number, number],
  { label, unit, summary }: { readonly label: string; readonly unit: string; readonly summary: string },
): LinePanel {
  const { unit: lengthUnit } = wavelengthsOf(basin);
  return {
    kind: 'lines',
    summary,
    x: { label: 'Wavelength', unit: lengthUnit, scale: 'log' },
    y: { label, unit, scale: 'log', domain },
    series,
    // All lines have the same places.
    reading: { nameOf: (x) => `Wavelength ${formatQuantity(x, lengthUnit)}`, reach: 0 },
    heightEm: 16,
  };
}

function inWindow(run: ShownRun): FigureData | undefined {
  const { styles, from, to, basin, diagnostics, comparedOctave } = run;
  if (!basin) return undefined;
  const candidates = styles.filter((style) => rowsOf(run, style).some(({ consistency }) => consistency));
  const style = methodOf(run, candidates);
  const own = style ? curvesOf(run, basin, style) : [];
  const beside = style && own.length > 0 ? curvesBeside(run, basin, style) : [];
  const series = [
    ...own.map((line) => ({ ...line, faded: beside.length > 0 && line.key !== comparedOctave })),
    ...beside,
  ];
  const range = octaveRange(series.map(({ points }) => points));
  const [variable = ''] = variablesOf(diagnostics.values());
  const summary = `Mean squares of error, increment and spread of ${style?.title ?? ''} by wavelength.`;
  return {
    title:
      style && range ? `Scales of ${variable}, ${style.title}, cycles ${from} to ${to}` : 'Scales of errors and spread',
    help: HELP,
    panels: range ? [panelOf(basin, series, range, { label: 'Mean square', unit: squareUnit(run), summary })] : [],
    table: () => table(run, basin),
    ...(style && { legend: curveEntries(run, style, CURVES) }),
    empty: range ? undefined : 'Errors, increments and spread by their scale appear here after the first cycle.',
    note: 'Mean squares in each octave of the wavelength, long waves at the right; the first has all shorter waves as well.',
    controls: [methodChoice(candidates, style), ...curveChoice(run, 'comparedOctave', CURVES)],
  };
}

function inReport(run: ReportedFigures): readonly FigureData[] {
  const { basin, diagnostics } = run;
  const [variable = ''] = variablesOf(diagnostics.values());
  return run.styles.flatMap((style) => {
    const series = basin ? curvesOf(run, basin, style) : [];
    const domain = octaveRange(series.map(({ points }) => points));
    if (!basin || !domain) return [];
    const names = series.map(({ label }) => label.toLowerCase()).join(', ');
    const summary = `Mean squares of ${names} of ${style.title} by wavelength.`;
    const y = { label: `Mean square of ${variable}`, unit: squareUnit(run), summary };
    return [
      {
        title: `Scales of ${variable}, ${style.title}, by octaves of the wavelength`,
        help: HELP,
        panels: [panelOf(basin, series, domain, y)],
        legend: curveEntries(run, style, CURVES),
      },
    ];
  });
}

export const OCTAVES: FigureEntry = {
  id: 'octaves',
  name: 'Scales of errors and spread',
  words: 'spectrum wavelength increment',
  inWindow,
  inReport,
};
