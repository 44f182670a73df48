/** Innovations y − H(x̄ᶠ) by cycle: their mean, their standard deviation, and χ² per observation, which ought to be 1. */
import type { DataTable } from './csv.ts';
import { Figure } from './figure.tsx';
import { CYCLE_AXIS, cycleName, cyclePointing, lineStyleOf } from './linked.ts';
import { formatNumber } from './numbers.ts';
import type { PlotSeries, ReferenceLine } from './plot/layout.ts';
import { LinePlot } from './plot/line-plot.tsx';
import { needsDecades } from './plot/scales.ts';
import type { AxisSpec } from './plot/scales.ts';
import type { DiagnosticsProps } from './rmse-chart.tsx';
import { innovationSeries } from './series.ts';
import type { InnovationMeasure } from './series.ts';
import { ZoomReset } from './zoom-reset.tsx';

interface InnovationProps extends DiagnosticsProps {
  /** Of the observed variable; empty where networks observe several. */
  readonly unit: string;
}

function lines({ styles, diagnostics }: DiagnosticsProps, measure: InnovationMeasure): PlotSeries[] {
  return styles.map((style) => ({
    key: style.label,
    label: style.title,
    ...lineStyleOf(style),
    points: innovationSeries(diagnostics.get(style.label) ?? [], measure),
  }));
}

export function innovationTable({ styles, diagnostics, unit }: InnovationProps): DataTable {
  const withUnit = (name: string): string => (unit === '' ? name : `${name} (${unit})`);
  return {
    columns: [
      'cycle',
      'time (s)',
      'method',
      'observations used',
      'observations rejected',
      withUnit('mean innovation'),
      withUnit('standard deviation of innovations'),
      'χ² per observation',
    ],
    rows: styles.flatMap(({ label, title }) =>
      (diagnostics.get(label) ?? []).flatMap(({ cycle, timeSeconds, innovation }) =>
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
                innovation.chiSquare,
              ],
            ],
      ),
    ),
  };
}

export function InnovationChart(props: InnovationProps) {
  const { styles, diagnostics, unit } = props;
  const any = [...diagnostics.values()].some((rows) => rows.some(({ innovation }) => innovation !== undefined));
  const rejected = styles.flatMap(({ label, title }) => {
    const count = (diagnostics.get(label) ?? []).reduce((sum, row) => sum + (row.innovation?.rejected ?? 0), 0);
    return count > 0 ? [`${title} ${count}`] : [];
  });
  return (
    <Figure
      id="innovations"
      title="Innovations"
      help="Observation minus forecast. χ² compares them with what σₒ and the spread allow: above 1 the method trusts itself too much, below 1 too little."
      table={() => innovationTable(props)}
      empty={
        any
          ? undefined
          : 'Innovations appear here after the first cycle with observations. Add a network under Settings, Observations, if there is none.'
      }
      note={rejected.length > 0 ? `Rejected by quality control: ${rejected.join(', ')}` : undefined}
      controls={<ZoomReset />}
    >
      <Panel {...props} measure="mean" label="Mean" unit={unit} reference={{ y: 0, label: '' }} />
      <Panel {...props} measure="standardDeviation" label="Std deviation" unit={unit} />
      <Panel {...props} measure="chiSquare" label="χ² per obs." unit="" reference={{ y: 1, label: '' }} />
    </Figure>
  );
}

interface PanelProps extends InnovationProps {
  readonly measure: InnovationMeasure;
  readonly label: string;
  readonly reference?: ReferenceLine;
}

function Panel({ measure, label, unit, reference, ...props }: PanelProps) {
  const series = lines(props, measure);
  const values = series.flatMap(({ points }) => points.map(({ y }) => y));
  const scale = measure === 'chiSquare' && needsDecades(values) ? 'log' : 'linear';
  const y: AxisSpec = { label, unit, scale };
  const latest = series.map((one) => `${one.label} ${formatNumber(one.points.at(-1)?.y)}`);
  return (
    <LinePlot
      summary={`${label} of the innovations by cycle. Latest: ${latest.join(', ')}.`}
      x={CYCLE_AXIS}
      y={y}
      series={series}
      {...(reference && { references: [reference] })}
      pointing={cyclePointing()}
      nameOf={cycleName}
      heightEm={10.5}
    />
  );
}
