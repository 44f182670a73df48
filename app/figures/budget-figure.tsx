/** What analyses do to the water, by cycle and method, beside the truth: a chart for each of several quantities. */
import { useRun } from '../document/context.ts';
import { useLaboratory } from '../page/context.ts';
import { withUnit } from '../fields/fields.ts';
import { TRUTH_STYLE } from '../document/views/method-style.ts';
import type { RunView } from '../document/run-view.ts';
import { budgetPoints, saysSomething } from './budget-charts.ts';
import type { BudgetChart } from './budget-charts.ts';
import type { DataTable } from '../format/csv.ts';
import { Figure } from './figure.tsx';
import { CYCLE_AXIS, cycleName, cyclePointing } from './linked.ts';
import { labelLetters, legendOf, lineStyleOf } from './method-lines.ts';
import { formatQuantity } from '../format/numbers.ts';
import { methodRows, overlaidLines, shownOverlaid } from '../document/lines/overlaid.ts';
import type { OverlaidRun } from '../document/lines/overlaid.ts';
import type { Point } from '../plot/decimate.ts';
import type { PlotSeries } from '../plot/layout.ts';
import { LinePlot } from '../plot/line-plot.tsx';
import { needsDecades } from '../plot/scales.ts';
import type { DiagnosticsProps } from './rmse-series.ts';
import { ZoomReset } from './zoom-reset.tsx';
import { chartsOf } from './chart-state.ts';
import { shownLines } from './chart-state.ts';

interface BudgetProps extends DiagnosticsProps {
  readonly id: string;
  readonly title: string;
  readonly charts: readonly BudgetChart[];
}

interface DrawnChart {
  readonly chart: BudgetChart;
  readonly series: readonly PlotSeries[];
}

/** @returns the truth's line, of the method that continued longest: all have the same truth */
function truthPoints(diagnostics: DiagnosticsProps['diagnostics'], { ofTruth }: BudgetChart): readonly Point[] {
  if (!ofTruth) return [];
  const [longest = []] = [...diagnostics.values()].sort((a, b) => b.length - a.length);
  return budgetPoints(longest, ({ truth }) => ofTruth(truth));
}

/** @returns the truth of the run on screen, and those of overlaid runs whose truth is another */
function truthLines(run: RunView, { diagnostics }: DiagnosticsProps, chart: BudgetChart): readonly PlotSeries[] {
  const { label, title, colour, dash } = TRUTH_STYLE;
  const points = truthPoints(diagnostics, chart);
  if (points.length === 0) return [];
  const known = new Map(points.map(({ x, y }) => [x, y]));
  const others = shownOverlaid(shownLines(run)).flatMap((other): PlotSeries[] => {
    const own = truthPoints(other.diagnostics, chart);
    const shared = own.filter(({ x }) => known.has(x));
    if (own.length === 0 || (shared.length > 0 && shared.every(({ x, y }) => known.get(x) === y))) return [];
    return [
      {
        key: `${other.id} ${label}`,
        label: `${title}, ${other.title}`,
        endLabel: other.title,
        color: colour,
        dash: other.dash,
        thin: true,
        beside: label,
        points: own,
      },
    ];
  });
  return [{ key: label, label: title, color: colour, dash, thin: true, points }, ...others];
}

function table({ charts, ...given }: BudgetProps, overlaid: readonly OverlaidRun[]): DataTable {
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
    rows: methodRows(given, overlaid).flatMap(({ title, rows }) =>
      rows.flatMap(({ cycle, timeSeconds, consistency }) => {
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
  const ended = run.course.divergedMethods.value;
  const drawn = charts.flatMap((chart): DrawnChart[] => {
    const methods = styles.flatMap((style): PlotSeries[] => {
      const points = budgetPoints(diagnostics.get(style.label) ?? [], chart.of);
      const own = { key: style.label, label: style.title, ...lineStyleOf(run, style), points };
      return points.length === 0 ? [] : [{ ...own, ...(ended.has(style.label) && { ends: true }) }];
    });
    const beside = overlaidLines(shownLines(run), (rows) => budgetPoints(rows, chart.of));
    const series = [...truthLines(run, props, chart), ...methods, ...beside];
    return methods.length > 0 && saysSomething(series.map(({ points }) => points)) ? [{ chart, series }] : [];
  });
  const letters = labelLetters(styles, chartsOf(run).overlaid.value);
  return (
    <Figure
      id={id}
      title={title}
      help={helpOf(drawn)}
      table={() => table(props, shownOverlaid(shownLines(run)))}
      legend={legendOf(laboratory, [TRUTH_STYLE, ...styles], chartsOf(run).overlaid.value)}
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
            labelLetters={letters}
          />
        );
      })}
    </Figure>
  );
}
