/**
 * Innovations y − H(x̄ᶠ) by cycle: their mean, their standard deviation, their squares as a share of the variance that the method
 * expects, and χ² per observation where it is available. The last two should be 1. Beneath them the inflation that was read off
 * them, of methods whose inflation adapts itself.
 */
import { methodRows, withOverlaid } from '../document/lines/overlaid.ts';
import type { MethodStyle } from '../document/views/method-style.ts';
import { inflationSeries, innovationSeries, unitOf } from '../document/views/series.ts';
import type { CyclePoint, InnovationMeasure, MethodDiagnostics } from '../document/views/series.ts';
import { withUnit } from '../fields/fields.ts';
import type { DataTable } from '../format/tables.ts';
import { reportedCurve } from './errors.ts';
import { CYCLE_AXIS, labelLetters, latestOf, methodLine, overlaidEntries, rowsOf } from './figure-data.ts';
import type { FigureData, FigureEntry, LinePanel, ReportedFigures, ShownRun, ValueAxis } from './figure-data.ts';

type Measure = InnovationMeasure | 'inflation';

function seriesOf(rows: MethodDiagnostics, measure: Measure): CyclePoint[] {
  return measure === 'inflation' ? inflationSeries(rows) : innovationSeries(rows, measure);
}

/** @returns the unit of what is observed; empty if networks observe several variables */
function observedUnit({ scenario }: ShownRun): string {
  const observed = new Set((scenario?.observations ?? []).map(({ variable }) => variable));
  const [only] = observed.size === 1 ? observed : [];
  return only === undefined ? '' : unitOf(only);
}

function table(run: ShownRun, unit: string): DataTable {
  return {
    columns: [
      'cycle',
      'time (s)',
      'method',
      'observations used',
      'observations rejected',
      withUnit('mean innovation', unit),
      withUnit('standard deviation of innovations', unit),
      'normalised squares d²/(σₒ² + σ_b²)',
      'χ² per observation',
      'inflation that adapts itself',
    ],
    rows: methodRows(run, run.shown.overlaid).flatMap(({ title, rows }) =>
      rows.flatMap(({ cycle, timeSeconds, innovation, inflation }) => {
        if (innovation === undefined) return [];
        const { count, rejected, mean, standardDeviation, normalisedSquares, chiSquare } = innovation;
        const numbers = [count, rejected, mean, standardDeviation, normalisedSquares];
        return [[cycle, timeSeconds, title, ...numbers, chiSquare ?? null, inflation ?? null]];
      }),
    ),
  };
}

/** What is drawn, and no more. */
function helpOf(hasChiSquare: boolean, hasInflation: boolean): string {
  return [
    'Observation minus forecast.',
    'Normalised squares are the mean of d²/(σₒ² + σ_b²), with the background variance that the method uses.',
    hasChiSquare && 'χ² = dᵀ(HBHᵀ + R)⁻¹d/p also knows how errors are correlated.',
    'Above 1 the method trusts itself too much, below 1 too little.',
    hasInflation && 'Inflation that adapts itself follows them from cycle to cycle.',
  ]
    .filter(Boolean)
    .join(' ');
}

/** @param reference what values are compared with */
function panelOf(run: ShownRun, measure: Measure, y: ValueAxis, reference?: number): LinePanel {
  const { styles, shown } = run;
  const own = styles.map((style) => methodLine(run, style, seriesOf(rowsOf(run, style), measure)));
  const all = withOverlaid(shown, own, styles, (rows) => seriesOf(rows, measure));
  // Most methods have none that adapts itself.
  const series = measure === 'inflation' ? all.filter(({ points }) => points.length > 0) : all;
  return {
    kind: 'lines',
    summary: `${y.label}${measure === 'inflation' ? '' : ' of the innovations'} by cycle. Latest: ${latestOf(series, '')}.`,
    x: CYCLE_AXIS,
    y,
    series,
    ...(reference !== undefined && { references: [{ y: reference, label: '' }] }),
    heightEm: 11.5,
    labelLetters: labelLetters(run),
  };
}

function inWindow(run: ShownRun): FigureData {
  const { styles, diagnostics, overlaidNote } = run;
  const all = [...diagnostics.values()];
  const any = all.some((rows) => rows.some(({ innovation }) => innovation !== undefined));
  const rejected = styles.flatMap((style) => {
    const count = rowsOf(run, style).reduce((sum, row) => sum + (row.innovation?.rejected ?? 0), 0);
    return count > 0 ? [`${style.title} ${count}`] : [];
  });
  const isWithout = (style: MethodStyle): boolean => innovationSeries(rowsOf(run, style), 'chiSquare').length === 0;
  const hasChiSquare = !styles.every(isWithout);
  const hasInflation = all.some((rows) => inflationSeries(rows).length > 0);
  const without = hasChiSquare ? styles.filter(isWithout).map(({ title }) => title) : [];
  const notes = [
    rejected.length > 0 && `Rejected by quality control: ${rejected.join(', ')}.`,
    without.length > 0 && `χ² is not defined for ${without.join(', ')}.`,
    overlaidNote,
  ].filter(Boolean);
  const unit = observedUnit(run);
  return {
    title: 'Innovations',
    help: helpOf(hasChiSquare, hasInflation),
    panels: [
      panelOf(run, 'mean', { label: 'Mean', unit, scale: 'linear' }, 0),
      panelOf(run, 'standardDeviation', { label: 'Std deviation', unit, scale: 'linear' }),
      panelOf(run, 'normalisedSquares', { label: 'd²/(σₒ² + σ_b²)', unit: '', scale: 'fitting' }, 1),
      ...(hasChiSquare ? [panelOf(run, 'chiSquare', { label: 'χ² per obs.', unit: '', scale: 'fitting' }, 1)] : []),
      ...(hasInflation ? [panelOf(run, 'inflation', { label: 'Inflation', unit: '', scale: 'linear' }, 1)] : []),
    ],
    table: () => table(run, unit),
    empty: any
      ? undefined
      : 'Innovations appear here after the first cycle with observations. Add a network under Settings, Observations, if there is none.',
    legend: [...styles, ...overlaidEntries(run)],
    note: notes.length > 0 ? notes.join(' ') : undefined,
    controls: ['zoom', 'free run'],
  };
}

function inReport(run: ReportedFigures): readonly FigureData[] {
  const series = run.styles.flatMap((style) => {
    const points = innovationSeries(rowsOf(run, style), 'chiSquare').filter(({ y }) => Number.isFinite(y));
    return points.length > 0 ? [methodLine(run, style, run.along(points))] : [];
  });
  return reportedCurve(
    run,
    { label: 'Innovation χ²/p', unit: '', scale: 'log' },
    series,
    'Innovations against what the method expects of them, dᵀ(HBHᵀ + R)⁻¹d/p: above 1 errors are larger than it believes, below 1 smaller; dashed: consistent.',
    [{ y: 1, label: '' }],
  );
}

export const INNOVATIONS: FigureEntry = {
  id: 'innovations',
  name: 'Innovations',
  words: 'chi square quality control departures',
  inWindow,
  inReport,
};
