/** What analyses do to the water: its mass, its energy, its potential enstrophy and its calm, by cycle. */
import type { Budget, CycleDiagnostics } from '../../../engine/index.ts';
import type { Point } from '../../renderer/charts/plot/decimate.ts';
import type { PlotSeries } from '../../renderer/charts/plot/layout.ts';
import { needsDecades } from '../../renderer/charts/plot/scales.ts';
import { TRUTH_STYLE } from '../../renderer/state/method-style.ts';
import type { MethodStyle } from '../../renderer/state/method-style.ts';
import { colourOf } from '../colours.ts';
import { figure, figures } from '../figures/figure.ts';
import { plotSvg } from '../figures/plot.ts';
import { html } from '../markup.ts';
import type { Markup } from '../markup.ts';
import { headOf } from '../report.ts';
import type { Report, Section } from '../report.ts';
import type { ReportedRun } from '../run/reported-run.ts';
import { overStretches, stretchOf, stretchWords } from '../stretches.ts';

type Budgets = NonNullable<NonNullable<CycleDiagnostics['consistency']>['budgets']>;

interface BudgetChart {
  readonly title: string;
  readonly unit: string;
  readonly caption: string;
  /** Undefined where it is drawn against the truth, which is then no line of its own. */
  readonly ofTruth: ((truth: Budget) => number) | undefined;
  readonly of: (budgets: Budgets) => number;
}

const CHARTS: readonly BudgetChart[] = [
  {
    title: 'Mass over the truth’s, less 1',
    unit: '%',
    caption: 'Mass of the analysis against that of the truth: 0 where increments neither fill nor empty the basin.',
    ofTruth: undefined,
    of: ({ analysis, truth }) => 100 * (analysis.mass / truth.mass - 1),
  },
  {
    title: 'Energy',
    unit: 'm⁵/s²',
    caption:
      'Energy over density, above that of the same water at rest. A mean of members that disagree has less than the truth: waves are averaged away.',
    ofTruth: ({ energy }) => energy,
    of: ({ analysis }) => analysis.energy,
  },
  {
    title: 'Potential enstrophy',
    unit: 'm/s²',
    caption: 'Potential enstrophy: above the truth’s the analyses add eddies or noise, below it they smooth them away.',
    ofTruth: ({ potentialEnstrophy }) => potentialEnstrophy,
    of: ({ analysis }) => analysis.potentialEnstrophy,
  },
  {
    title: 'Mean |∂η/∂t| after the analysis',
    unit: 'm/s',
    caption: 'How fast the surface moves after the analysis: above the truth’s it has waves of its own.',
    ofTruth: ({ tendency }) => tendency,
    of: ({ analysis }) => analysis.tendency,
  },
];

function pointsOf(rows: readonly CycleDiagnostics[], of: (budgets: Budgets) => number): Point[] {
  return rows.flatMap(({ cycle, consistency }) => {
    const budgets = consistency?.budgets;
    return budgets ? [{ x: cycle, y: of(budgets) }] : [];
  });
}

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
    const points = overStretches(pointsOf(run.rows.get(style.label) ?? [], of), stretch);
    return points.length > 0 ? [lineOf(style, points)] : [];
  });
  const [longest = []] = [...run.rows.values()].sort((a, b) => b.length - a.length);
  const truth =
    ofTruth &&
    lineOf(
      TRUTH_STYLE,
      overStretches(
        pointsOf(longest, ({ truth: found }) => ofTruth(found)),
        stretch,
      ),
      true,
    );
  const series = [...(truth ? [truth] : []), ...methods];
  const values = series.flatMap(({ points }) => points.map(({ y }) => y));
  // What is zero throughout, as potential enstrophy of water without eddies, says nothing.
  if (methods.length === 0 || values.every((value) => value === 0)) return [];
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
  const drawn = CHARTS.flatMap((chart) => report.figured.flatMap((run) => chartOf(run, chart, headOf(report, run))));
  return drawn.length === 0 ? undefined : { id: 'budgets', title: 'Budgets', body: figures(drawn) };
}
