/**
 * Innovations y − H(x̄ᶠ) by cycle: their mean, their standard deviation, their squares as a share of the variance that the method
 * expects, and χ² per observation where it is available. The last two should be 1. Beneath them the inflation that was read off
 * them, of methods whose inflation adapts itself.
 */
import { useRun } from '../document/context.ts';
import { useLaboratory } from '../page/context.ts';
import type { RunView } from '../document/run-view.ts';
import type { MethodStyle } from '../document/views/method-style.ts';
import type { DataTable } from '../format/csv.ts';
import { Figure } from './figure.tsx';
import { CYCLE_AXIS, cycleName, cyclePointing } from './linked.ts';
import { labelLetters, legendOf, lineStyleOf } from './method-lines.ts';
import { formatNumber } from '../format/numbers.ts';
import { methodRows, shownOverlaid, withOverlaid } from '../document/lines/overlaid.ts';
import type { OverlaidRun } from '../document/lines/overlaid.ts';
import type { PlotSeries, ReferenceLine } from '../plot/layout.ts';
import { LinePlot } from '../plot/line-plot.tsx';
import { needsDecades } from '../plot/scales.ts';
import type { AxisSpec } from '../plot/scales.ts';
import type { DiagnosticsProps } from './rmse-series.ts';
import { inflationSeries, innovationSeries } from '../document/views/series.ts';
import type { CyclePoint, InnovationMeasure, MethodDiagnostics } from '../document/views/series.ts';
import { FreeRunToggle } from './variable-choice.tsx';
import { ZoomReset } from './zoom-reset.tsx';
import { chartsOf } from './chart-state.ts';
import { shownLines } from './chart-state.ts';

interface InnovationProps extends DiagnosticsProps {
  /** Unit of the observed variable; empty if networks observe several. */
  readonly unit: string;
}

type Measure = InnovationMeasure | 'inflation';

function seriesOf(rows: MethodDiagnostics, measure: Measure): CyclePoint[] {
  return measure === 'inflation' ? inflationSeries(rows) : innovationSeries(rows, measure);
}

function lines(run: RunView, { styles, diagnostics }: DiagnosticsProps, measure: Measure): readonly PlotSeries[] {
  const ended = run.course.divergedMethods.value;
  const all = styles.map((style) => ({
    key: style.label,
    label: style.title,
    ...lineStyleOf(run, style),
    points: seriesOf(diagnostics.get(style.label) ?? [], measure),
    ...(ended.has(style.label) && { ends: true }),
  }));
  return withOverlaid(shownLines(run), all, styles, (rows) => seriesOf(rows, measure));
}

/** @param overlaid whose rows are below, the method named with its run */
function innovationTable({ styles, diagnostics, unit }: InnovationProps, overlaid: readonly OverlaidRun[]): DataTable {
  const withUnit = (name: string): string => (unit === '' ? name : `${name} (${unit})`);
  const methods = methodRows({ styles, diagnostics }, overlaid);
  return {
    columns: [
      'cycle',
      'time (s)',
      'method',
      'observations used',
      'observations rejected',
      withUnit('mean innovation'),
      withUnit('standard deviation of innovations'),
      'normalised squares d²/(σₒ² + σ_b²)',
      'χ² per observation',
      'inflation that adapts itself',
    ],
    rows: methods.flatMap(({ title, rows }) =>
      rows.flatMap(({ cycle, timeSeconds, innovation, inflation }) =>
        innovation === undefined
          ? []
          : [
              [
                cycle,
                timeSeconds,
                title,
                innovation.count,
                innovation.rejected,
                innovation.mean,
                innovation.standardDeviation,
                innovation.normalisedSquares,
                innovation.chiSquare ?? null,
                inflation ?? null,
              ],
            ],
      ),
    ),
  };
}

/** What is drawn, and no more. */
function innovationHelp(hasChiSquare: boolean, hasInflation: boolean): string {
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

export function InnovationChart(props: InnovationProps) {
  const laboratory = useLaboratory();
  const run = useRun();
  const { overlaid, overlaidNote } = chartsOf(run);
  const { styles, diagnostics, unit } = props;
  const any = [...diagnostics.values()].some((rows) => rows.some(({ innovation }) => innovation !== undefined));
  const rejected = styles.flatMap(({ label, title }) => {
    const count = (diagnostics.get(label) ?? []).reduce((sum, row) => sum + (row.innovation?.rejected ?? 0), 0);
    return count > 0 ? [`${title} ${count}`] : [];
  });
  const isWithout = ({ label }: MethodStyle): boolean =>
    innovationSeries(diagnostics.get(label) ?? [], 'chiSquare').length === 0;
  const hasChiSquare = !styles.every(isWithout);
  const hasInflation = [...diagnostics.values()].some((rows) => inflationSeries(rows).length > 0);
  const without = hasChiSquare ? styles.filter(isWithout).map(({ title }) => title) : [];
  const notes = [
    rejected.length > 0 && `Rejected by quality control: ${rejected.join(', ')}.`,
    without.length > 0 && `χ² is not defined for ${without.join(', ')}.`,
    overlaidNote.value,
  ].filter(Boolean);
  return (
    <Figure
      id="innovations"
      title="Innovations"
      help={innovationHelp(hasChiSquare, hasInflation)}
      table={() => innovationTable(props, shownOverlaid(shownLines(run)))}
      empty={
        any
          ? undefined
          : 'Innovations appear here after the first cycle with observations. Add a network under Settings, Observations, if there is none.'
      }
      legend={legendOf(laboratory, styles, overlaid.value)}
      note={notes.length > 0 ? notes.join(' ') : undefined}
      controls={
        <>
          <ZoomReset />
          <FreeRunToggle />
        </>
      }
    >
      <Panel {...props} measure="mean" label="Mean" unit={unit} reference={{ y: 0, label: '' }} />
      <Panel {...props} measure="standardDeviation" label="Std deviation" unit={unit} />
      <Panel {...props} measure="normalisedSquares" label="d²/(σₒ² + σ_b²)" unit="" reference={{ y: 1, label: '' }} />
      {hasChiSquare && (
        <Panel {...props} measure="chiSquare" label="χ² per obs." unit="" reference={{ y: 1, label: '' }} />
      )}
      {hasInflation && (
        <Panel {...props} measure="inflation" label="Inflation" unit="" reference={{ y: 1, label: '' }} />
      )}
    </Figure>
  );
}

interface PanelProps extends InnovationProps {
  readonly measure: Measure;
  readonly label: string;
  readonly reference?: ReferenceLine;
}

function Panel({ measure, label, unit, reference, ...props }: PanelProps) {
  const run = useRun();
  const all = lines(run, props, measure);
  // Most methods have none that adapts itself.
  const series = measure === 'inflation' ? all.filter(({ points }) => points.length > 0) : all;
  const values = series.flatMap(({ points, outside }) => (outside === true ? [] : points.map(({ y }) => y)));
  const isShare = measure === 'chiSquare' || measure === 'normalisedSquares';
  const scale = isShare && needsDecades(values) ? 'log' : 'linear';
  const y: AxisSpec = { label, unit, scale };
  const latest = series.map((one) => `${one.label} ${formatNumber(one.points.at(-1)?.y)}`);
  return (
    <LinePlot
      summary={`${label}${measure === 'inflation' ? '' : ' of the innovations'} by cycle. Latest: ${latest.join(', ')}.`}
      x={CYCLE_AXIS}
      y={y}
      series={series}
      {...(reference && { references: [reference] })}
      pointing={cyclePointing(run)}
      nameOf={cycleName}
      heightEm={11.5}
      labelLetters={labelLetters(props.styles, chartsOf(run).overlaid.value)}
    />
  );
}
