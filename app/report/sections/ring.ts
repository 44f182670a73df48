/** The states of a ring, which has one dimension: the variables round it, at chosen cycles. */
import type { PlotSeries } from '../../plot/layout.ts';
import { TRUTH_STYLE } from '../../document/views/method-style.ts';
import type { MethodStyle } from '../../document/views/method-style.ts';
import { colourOf } from '../colours.ts';
import { figure, figures } from '../figures/figure.ts';
import { plotSvg } from '../figures/plot.ts';
import { html } from '../markup.ts';
import type { Markup } from '../markup.ts';
import type { ReportedRun } from '../run/reported-run.ts';
import type { CycleState, Plane } from '../run/states.ts';

function lineOf({ label, title, dash, ...shades }: MethodStyle, plane: Plane): PlotSeries {
  const points = Array.from(plane, (y, x) => ({ x, y }));
  return { key: label, label: title, color: colourOf(shades), dash, points, unlabelled: true };
}

function linesOf({ styles }: ReportedRun, { truth, methods }: CycleState): PlotSeries[] {
  const found = methods.flatMap(({ label, analysis }) => {
    const style = styles.find((each) => each.label === label);
    return style ? [lineOf(style, analysis)] : [];
  });
  return [lineOf(TRUTH_STYLE, truth), ...found];
}

export function ringCurves(run: ReportedRun, head: string | undefined): Markup {
  const drawn = (run.states?.states ?? []).map((state) => {
    const { svg } = plotSvg({
      summary: `The variables round the ring in cycle ${state.cycle}: truth and analyses.`,
      x: { label: 'Place on the ring', unit: '', scale: 'linear', whole: true },
      y: { label: 'x', unit: '', scale: 'linear' },
      series: linesOf(run, state),
    });
    const what = `Truth and analyses round the ring in cycle ${state.cycle}.`;
    return figure(svg, {
      caption: html`${head !== undefined && html`<b>${head}.</b> `}${what}`,
      legend: [TRUTH_STYLE, ...run.styles],
    });
  });
  return figures(drawn);
}
