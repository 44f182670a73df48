/** At which scales a method is wrong: power of its error in surface height by wavenumber, under that of the truth. */
import type { MethodStyle } from '../document/views/method-style.ts';
import type { DataTable } from '../format/tables.ts';
import { formatQuantity } from '../format/numbers.ts';
import type { Point } from '../plot/scales.ts';
import type { PlotSeries } from '../plot/layout.ts';
import type { RunSpectra, Spectrum } from './spectrum.ts';
import { methodLine } from './figure-data.ts';
import type { FigureData, FigureEntry, FigureRun, LinePanel, ReportedFigures, ShownRun } from './figure-data.ts';

/** Rounding of float32 fields: what is smaller is noise of the numbers, not of the method. */
const NOISE = 1e-14;
/** Decades of power below the largest that are drawn: what is smaller is of no consequence. */
const DECADES = 6;

/** @returns power by wavenumber, with gaps where it is noise */
function powerPoints({ points, meanSquare, binWidth }: Spectrum): Point[] {
  return points.map(({ wavenumber, density }) => ({
    x: wavenumber,
    y: density * binWidth > NOISE * meanSquare ? density : Number.NaN,
  }));
}

/** @returns whole decades that end above the largest power; undefined of still water */
function powerRange(spectra: readonly Spectrum[]): readonly [number, number] | undefined {
  const most = Math.max(...spectra.flatMap(({ points }) => points.map(({ density }) => density)));
  if (!(most > 0)) return undefined;
  const top = Math.ceil(Math.log10(most));
  return [10 ** (top - DECADES), 10 ** top];
}

/** Whether anything of a spectrum is drawn: still water has none. */
function hasLine(spectrum: Spectrum): boolean {
  return powerPoints(spectrum).some(({ y }) => Number.isFinite(y));
}

/** The methods that have a spectrum, in their order. */
function found(
  { styles }: FigureRun,
  spectra: ReadonlyMap<string, Spectrum>,
): readonly { readonly style: MethodStyle; readonly spectrum: Spectrum }[] {
  return styles.flatMap((style) => {
    const spectrum = spectra.get(style.label);
    return spectrum ? [{ style, spectrum }] : [];
  });
}

/** @param drawn spectra of methods. @param all those that the axis is made for */
function panelOf(
  run: FigureRun,
  truth: Spectrum | undefined,
  drawn: ReturnType<typeof found>,
  all: readonly Spectrum[],
  summary: string,
): LinePanel {
  const range = powerRange(all);
  const [{ points }] = all;
  const lines = [
    ...(truth ? [{ ...methodLine(run, run.truth, powerPoints(truth)), thin: true, faded: false }] : []),
    ...drawn.map(({ style, spectrum }) => methodLine(run, style, powerPoints(spectrum))),
  ];
  return {
    kind: 'lines',
    summary,
    x: {
      label: 'Wavenumber',
      unit: '1/m',
      scale: 'log',
      ...(points.length > 1 && { domain: [points[0].wavenumber, points[points.length - 1].wavenumber] }),
    },
    y: { label: 'Power', unit: 'm³', scale: 'log', ...(range && { domain: range }) },
    // All lines end together, if nothing distinguishes them.
    series: lines.map(({ ends: _ends, ...line }): PlotSeries => ({ ...line, unlabelled: true })),
    reading: { nameOf: (x) => `Wavelength ${formatQuantity(1 / x, 'm')}` },
    heightEm: 16,
  };
}

function table({ truth, errors }: RunSpectra, run: FigureRun): DataTable {
  const shown = found(run, errors);
  return {
    columns: [
      'wavenumber (1/m)',
      'wavelength (m)',
      'truth (m³)',
      ...shown.map(({ style }) => `${style.title}: error (m³)`),
    ],
    rows: truth.points.map(({ wavenumber, density }, bin) => [
      wavenumber,
      1 / wavenumber,
      density,
      ...shown.map(({ spectrum }) => spectrum.points[bin]?.density ?? null),
    ]),
  };
}

function inWindow(run: ShownRun): FigureData {
  const { spectra, styles, truth, basin } = run;
  const help =
    'Variance of the analysis error of surface height by wavenumber, averaged over directions. Where a line meets that of the truth, the method knows nothing at that scale.';
  if (spectra === undefined || spectra === 'coming') {
    const isRing = basin?.isRing === true;
    const empty = isRing
      ? 'Spectra are of two dimensions; a ring has one. Its waves are in the tab Hovmöller.'
      : spectra === 'coming'
        ? 'The fields of this cycle are on their way.'
        : 'The spectrum of each method’s error appears here with the first stored cycle.';
    return { title: 'Error spectrum', help, panels: [], empty };
  }
  const { cycle, truth: ofTruth, errors } = spectra;
  const [x, y] = ofTruth.block;
  const summary = `Error spectrum by wavenumber for ${styles.map(({ title }) => title).join(', ')}.`;
  const all = [ofTruth, ...errors.values()];
  return {
    title: `Error spectrum, ${cycle < 0 ? 'start' : `cycle ${cycle}`}`,
    help,
    panels: [panelOf(run, ofTruth, found(run, errors), all, summary)],
    table: () => table(spectra, run),
    legend: [truth, ...styles],
    note: `${hasLine(ofTruth) ? 'Thin line: the truth itself.' : ''}${x * y > 1 ? ` Averaged over blocks of ${x} × ${y} cells first.` : ''}`,
  };
}

function names(drawn: ReturnType<typeof found>): string {
  return drawn.map(({ style }) => style.title).join(', ');
}

function inReport(run: ReportedFigures): readonly FigureData[] {
  if (run.spectra === undefined || run.spectra === 'coming') return [];
  const { cycle, truth, errors, increments = new Map() } = run.spectra;
  const [wrong, changed] = [found(run, errors), found(run, increments)];
  const ofErrors = `Spectra of the error of ${names(wrong)} in cycle ${cycle}.`;
  const ofIncrements = `Spectra of the increment of ${names(changed)} in cycle ${cycle}.`;
  return [
    {
      title: '',
      help: `Error of the analysis of surface height in cycle ${cycle}; thin: the truth itself. Where a line meets that of the truth, the method knows nothing at that scale.`,
      panels: [panelOf(run, truth, wrong, [truth, ...wrong.map(({ spectrum }) => spectrum)], ofErrors)],
      legend: [run.truth, ...wrong.map(({ style }) => style)],
    },
    ...(changed.length > 0
      ? [
          {
            title: '',
            help: `Increment of surface height in cycle ${cycle}: at which scales the observations changed the forecast.`,
            panels: [
              panelOf(
                run,
                undefined,
                changed,
                changed.map(({ spectrum }) => spectrum),
                ofIncrements,
              ),
            ],
            legend: changed.map(({ style }) => style),
          },
        ]
      : []),
  ];
}

export const SPECTRUM: FigureEntry = {
  id: 'spectrum',
  name: 'Error spectrum',
  words: 'wavenumber power scale',
  inWindow,
  inReport,
};
