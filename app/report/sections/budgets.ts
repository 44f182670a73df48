/** What analyses do to the water: its mass, its energy, its potential enstrophy and its calm, by cycle. */
import { BUDGET_CHARTS, budgetPoints, saysSomething } from '../../figures/budget-charts.ts';
import type { BudgetChart } from '../../figures/budget-charts.ts';
import type { Point } from '../../plot/decimate.ts';
import type { PlotSeries } from '../../plot/layout.ts';
import { needsDecades } from '../../plot/scales.ts';
import { TRUTH_STYLE } from '../../document/views/method-style.ts';
import type { MethodStyle } from '../../document/views/method-style.ts';
import { colourOf } from '../colours.ts';
import { figure, figures } from '../figures/figure.ts';
import { plotSvg } from '../figures/plot.ts';
import { html } from '../markup.ts';
import type { Markup } from '../markup.ts';
import { headOf } from '../report.ts';
import type { Report, Section } from '../report.ts';
import type { ReportedRun } from '../run/reported-run.ts';
import { overStretches, stretchOf, stretchWords } from '../stretches.ts';

function lineOf({ label, title, dash, ...shades }: MethodStyle, points: readonly Point[], thin = false): PlotSeries {
  return { key: label, label: title, color: colourOf(shades), dash, points, ...(thin && { thin }) };
}

function chartOf(
  run: ReportedRun,
  { title, unit, caption, ofTruth, of }: BudgetChart,
  head: string | undefined,
): Markup[] {
  const stretch = stretchOf(run.record.cycles);
  const methods = run.styles.flatMap((style) => {
    const points = overStretches(budgetPoints(run.rows.get(style.label) ?? [], of), stretch);
    return points.length > 0 ? [lineOf(style, points)] : [];
  });
  const [longest = []] = [...run.rows.values()].sort((a, b) => b.length - a.length);
  const truth =
    ofTruth &&
    lineOf(
      TRUTH_STYLE,
      overStretches(
        budgetPoints(longest, ({ truth: found }) => ofTruth(found)),
        stretch,
      ),
      true,
    );
  const series = [...(truth ? [truth] : []), ...methods];
  const values = series.flatMap(({ points }) => points.map(({ y }) => y));
  if (methods.length === 0 || !saysSomething(series.map(({ points }) => points))) return [];
  const { svg, needsLegend } = plotSvg({
    summary: `${title} by cycle for ${series.map(({ label }) => label).join(', ')}.`,
    x: { label: 'Cycle', unit: '', scale: 'linear', whole: true },
    y: { label: title, unit, scale: ofTruth && needsDecades(values) ? 'log' : 'linear' },
    series,
    ...(!ofTruth && { references: [{ y: 0, label: '' }] }),
  });
  const legend = [...(truth ? [TRUTH_STYLE] : []), ...run.styles];
  return [
    figure(svg, {
      caption: html`${head !== undefined && html`<b>${head}.</b> `}${caption}${stretchWords(stretch)}`,
      ...(needsLegend && { legend }),
    }),
  ];
}

export function budgetsSection(report: Report): Section | undefined {
  const drawn = BUDGET_CHARTS.flatMap((chart) =>
    report.figured.flatMap((run) => chartOf(run, chart, headOf(report, run))),
  );
  return drawn.length === 0 ? undefined : { id: 'budgets', title: 'Budgets', body: figures(drawn) };
}
