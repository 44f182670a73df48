/** Rank histograms: the rank of the truth among the members of the forecast. */
import { summariseRanks, sumRanks } from '../../../engine/index.ts';
import type { RankSummary } from '../../../engine/index.ts';
import { formatNumber, formatProbability } from '../../format/numbers.ts';
import { FEWEST_RANKS, rankPlot } from '../../figures/rank-plot.ts';
import { RANK_SHAPES } from '../../figures/rank-shapes.ts';
import { ranksOf } from '../../document/views/series.ts';
import type { MethodStyle } from '../../document/views/method-style.ts';
import { colourOf } from '../colours.ts';
import { figure, figures } from '../figures/figure.ts';
import { EM, plotAxes, PLOT_WIDTH, tenth } from '../figures/plot.ts';
import { html } from '../markup.ts';
import type { Markup } from '../markup.ts';
import { countedCycles, headOf } from '../report.ts';
import type { Report, Section } from '../report.ts';
import type { ReportedRun } from '../run/reported-run.ts';

const HEIGHT = 210;

function histogramSvg(ranks: number, found: RankSummary, style: MethodStyle, summary: string): Markup {
  const { x, y, layout, bars, level } = rankPlot(ranks, found, { width: PLOT_WIDTH, height: HEIGHT, em: EM });
  const drawn = bars.map(
    (bar) =>
      html`<rect x="${tenth(bar.x)}" y="${tenth(bar.y)}" width="${tenth(bar.width)}" height="${tenth(bar.height)}" />`,
  );
  const height = tenth(level);
  return html`<svg class="chart" role="img" aria-label="${summary}" viewBox="0 0 ${PLOT_WIDTH} ${HEIGHT}">
    ${plotAxes(layout, x, y)}
    <g class="bars" fill="${colourOf(style)}">${drawn}</g>
    <line class="reference" x1="${layout.left}" x2="${layout.right}" y1="${height}" y2="${height}" />
  </svg>`;
}

function histograms(report: Report, run: ReportedRun): Markup[] {
  const { from, to } = countedCycles(run);
  const head = headOf(report, run);
  return report.comparison.variables.flatMap((variable) =>
    run.styles.flatMap((style) => {
      const counts = sumRanks(ranksOf(run.rows.get(style.label) ?? [], variable, from, to));
      if (counts.length < FEWEST_RANKS) return [];
      const found = summariseRanks(counts);
      const words = `χ² ${formatNumber(found.chiSquare)} with ${found.degrees} degrees of freedom, p ${formatProbability(found.probability)}: ${RANK_SHAPES[found.shape]}`;
      const what = `${style.title}, ${variable}`;
      const svg = histogramSvg(
        counts.length,
        found,
        style,
        `Rank histogram of ${what}, ${found.total} ranks. ${words}.`,
      );
      const caption = html`${head !== undefined && html`<b>${head}.</b> `}<b>${what}.</b> ${words}.`;
      return [figure(svg, { caption })];
    }),
  );
}

export function ranksSection(report: Report): Section | undefined {
  const drawn = report.figured.flatMap((run) => histograms(report, run));
  if (drawn.length === 0) return undefined;
  const [{ from, to }] = report.figured.map(countedCycles);
  return {
    id: 'ranks',
    title: 'Rank histograms',
    body: html`<p>
        Where the truth ranks among the members of the forecast, every eighth cell that is wet, over the cycles ${from}
        to ${to}. Flat: truth and members are alike. High at both ends: too little spread; in the middle: too much.
        Neighbouring cells and cycles are correlated, so p is too small.
      </p>
      ${figures(drawn)}`,
  };
}
