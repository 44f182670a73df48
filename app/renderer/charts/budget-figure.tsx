/** What analyses do to the water, by cycle and method, beside the truth: a chart for each of several quantities. */
import { useLaboratory, useRun } from '../state/context.ts';
import { withUnit } from '../state/fields.ts';
import { TRUTH_STYLE } from '../state/method-style.ts';
import { budgetPoints, saysSomething } from './budget-charts.ts';
import type { BudgetChart } from './budget-charts.ts';
import type { DataTable } from './csv.ts';
import { Figure } from './figure.tsx';
import { CYCLE_AXIS, cycleName, cyclePointing } from './linked.ts';
import { legendOf, lineStyleOf } from './method-lines.ts';
import { formatQuantity } from './numbers.ts';
import type { PlotSeries } from './plot/layout.ts';
import { LinePlot } from './plot/line-plot.tsx';
import { needsDecades } from './plot/scales.ts';
import type { DiagnosticsProps } from './rmse-series.ts';
import { ZoomReset } from './zoom-reset.tsx';

interface BudgetProps extends DiagnosticsProps {
  readonly id: string;
  readonly title: string;
  readonly charts: readonly BudgetChart[];
}

interface DrawnChart {
  readonly chart: BudgetChart;
  readonly series: readonly PlotSeries[];
}

/** Of the method that went on longest: all have the same truth. */
function truthLine({ styles, diagnostics }: DiagnosticsProps, { ofTruth }: BudgetChart): PlotSeries[] {
  if (!ofTruth) return [];
  const [longest = []] = styles.map(({ label }) => diagnostics.get(label) ?? []).sort((a, b) => b.length - a.length);
  const { label, title, colour, dash } = TRUTH_STYLE;
  const points = budgetPoints(longest, ({ truth }) => ofTruth(truth));
  return points.length === 0 ? [] : [{ key: label, label: title, color: colour, dash, thin: true, points }];
}

function table({ styles, diagnostics, charts }: BudgetProps): DataTable {
  return {
    columns: [
      'cycle',
      'time (s)',
      'method',
      ...charts.flatMap((chart) => [
        withUnit(chart.title, chart.unit),
        ...(chart.ofTruth ? [`${withUnit(chart.title, chart.unit)}, of the truth`] : []),
      ]),
    ],
    rows: styles.flatMap(({ label, title }) =>
      (diagnostics.get(label) ?? []).flatMap(({ cycle, timeSeconds, consistency }) => {
        const budgets = consistency?.budgets;
        if (!budgets) return [];
        const numbers = charts.flatMap(({ of, ofTruth }) => [
          of(budgets) ?? null,
          ...(ofTruth ? [ofTruth(budgets.truth) ?? null] : []),
        ]);
        return [[cycle, timeSeconds, title, ...numbers]];
      }),
    ),
  };
}

/** One line of words a chart, in the order of the charts. */
function helpOf(drawn: readonly DrawnChart[]): string {
  return drawn.map(({ chart: { caption } }) => caption).join(' ');
}

export function BudgetFigure(props: BudgetProps) {
  const { id, title, styles, diagnostics, charts } = props;
  const laboratory = useLaboratory();
  const run = useRun();
  const ended = run.session.divergedMethods.value;
  const drawn = charts.flatMap((chart): DrawnChart[] => {
    const methods = styles.flatMap((style): PlotSeries[] => {
      const points = budgetPoints(diagnostics.get(style.label) ?? [], chart.of);
      const own = { key: style.label, label: style.title, ...lineStyleOf(run, style), points };
      return points.length === 0 ? [] : [{ ...own, ...(ended.has(style.label) && { ends: true }) }];
    });
    const series = [...truthLine(props, chart), ...methods];
    return methods.length > 0 && saysSomething(series.map(({ points }) => points)) ? [{ chart, series }] : [];
  });
  return (
    <Figure
      id={id}
      title={title}
      help={helpOf(drawn)}
      table={() => table(props)}
      legend={legendOf(laboratory, [TRUTH_STYLE, ...styles])}
      note="Thin line: the truth."
      empty={drawn.length === 0 ? 'What the analyses do to the water appears here after the first cycle.' : undefined}
      controls={<ZoomReset />}
    >
      {drawn.map(({ chart, series }) => {
        const latest = series.map(({ label, points }) => `${label} ${formatQuantity(points.at(-1)?.y, chart.unit)}`);
        const values = series.flatMap(({ points }) => points.map(({ y }) => y));
        return (
          <LinePlot
            key={chart.title}
            summary={`${chart.title} by cycle. Latest: ${latest.join(', ')}.`}
            x={CYCLE_AXIS}
            y={{
              label: chart.title,
              unit: chart.unit,
              scale: chart.ofTruth && needsDecades(values) ? 'log' : 'linear',
            }}
            series={series}
            {...(!chart.ofTruth && { references: [{ y: 0, label: '' }] })}
            pointing={cyclePointing(run)}
            nameOf={cycleName}
            heightEm={12.5}
          />
        );
      })}
    </Figure>
  );
}
