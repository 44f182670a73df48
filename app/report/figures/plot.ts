/** Charts of lines, bands and bars as SVG, laid out as those of the window are, with their captions. */
import { layoutBars } from '../../plot/bars.ts';
import { layoutPlot, type PlotLayout, type PlotSeries, type ReferenceLine } from '../../plot/layout.ts';
import type { AxisSpec } from '../../plot/scales.ts';
import { withUnit } from '../../fields/fields.ts';
import { html, type Markup, type Piece } from '../markup.ts';
import { valueAxis, type BarPanel, type FigureData, type LegendEntry } from '../../figures/figure-data.ts';
import { colourOf } from '../style.ts';

/** Width of the drawing, pixels: half of a page on a screen, and as wide as a telephone. */
export const PLOT_WIDTH = 460;
const PLOT_HEIGHT = 264;
/** Size of the labels' type. */
export const EM = 12;

interface Plot {
  /** What the chart says, in a sentence: for those who do not see it. */
  readonly summary: string;
  readonly x: AxisSpec;
  readonly y: AxisSpec;
  readonly series: readonly PlotSeries[];
  readonly references?: readonly ReferenceLine[];
}

type Axes = Pick<PlotLayout, 'left' | 'right' | 'bottom' | 'x' | 'y'>;

/** @returns a place in a drawing, to a tenth of a pixel */
export function tenth(pixels: number): number {
  return Math.round(10 * pixels) / 10;
}

function gridLines({ left, right, y }: Axes): Markup[] {
  return y.ticks.map(({ value, text }) => {
    const at = tenth(y.at(value));
    return html`<line class="grid" x1="${left}" x2="${right}" y1="${at}" y2="${at}" /><text
        class="tick"
        x="${left - 5}"
        y="${at}"
        dy="0.32em"
        text-anchor="end"
        >${text}</text
      >`;
  });
}

function ticks({ bottom, x }: Axes): Markup[] {
  return x.ticks.map(({ value, text }) => {
    const at = tenth(x.at(value));
    return html`<line class="axis" x1="${at}" x2="${at}" y1="${bottom}" y2="${bottom + 4}" /><text
        class="tick"
        x="${at}"
        y="${tenth(bottom + 4 + 0.95 * EM)}"
        text-anchor="middle"
        >${text}</text
      >`;
  });
}

/** Few ticks, a light grid, the quantities with their units; the title of the values is above them. */
function plotAxes(layout: Axes, x: AxisSpec, y: AxisSpec): Markup {
  const { left, right, bottom } = layout;
  const [middle, foot] = [tenth((left + right) / 2), tenth(bottom + 4 + 2.15 * EM)];
  return html`${gridLines(layout)}<line
      class="axis"
      x1="${left}"
      x2="${right}"
      y1="${bottom}"
      y2="${bottom}"
    />${ticks(layout)}
    <text class="axis-title" x="${middle}" y="${foot}" text-anchor="middle">${withUnit(x.label, x.unit)}</text>
    <text class="axis-title" x="0" y="${0.95 * EM}">${withUnit(y.label, y.unit)}</text>`;
}

function crossAt(x: number, y: number, size: number): string {
  return `M${x - size},${y - size}L${x + size},${y + size}M${x - size},${y + size}L${x + size},${y - size}`;
}

/** Their meaning is in the caption: words would cover the lines. */
function referenceLines({ left, right, references }: PlotLayout): Markup[] {
  return references.map(
    ({ y }) => html`<line class="reference" x1="${left}" x2="${right}" y1="${tenth(y)}" y2="${tenth(y)}" />`,
  );
}

type SeriesLayout = PlotLayout['series'][number];

function bandOf({ series: { color }, band }: SeriesLayout): Markup {
  return html`${band !== '' && html`<path class="band" d="${band}" fill="${color}" stroke="${color}" />`}`;
}

function lineOf({ series: { color, dash, thin }, line, dots, errorBars }: SeriesLayout): Markup {
  const bars = errorBars.map(
    ({ x, from, to }) =>
      html`<line
        class="bar"
        x1="${tenth(x)}"
        x2="${tenth(x)}"
        y1="${tenth(from)}"
        y2="${tenth(to)}"
        stroke="${color}"
      />`,
  );
  const points = dots.map(
    ({ x, y }) => html`<circle cx="${tenth(x)}" cy="${tenth(y)}" r="${0.22 * EM}" fill="${color}" />`,
  );
  const path = html`<path
    class="${thin === true ? 'line thin' : 'line'}"
    d="${line}"
    stroke="${color}"
    stroke-dasharray="${dash === '' ? 'none' : dash}"
  />`;
  return html`${line !== '' && path}${bars}${points}`;
}

/** Lines within a viewport of their own, which clips what a fixed axis leaves outside. */
function lines(layout: PlotLayout): Markup {
  const { left, right, top, bottom, series } = layout;
  const [width, height] = [right - left, bottom - top + 6];
  return html`<svg
    x="${left}"
    y="${top - 3}"
    width="${width}"
    height="${height}"
    viewBox="${left} ${top - 3} ${width} ${height}"
  >
    ${series.map(bandOf)}${series.map(lineOf)}
  </svg>`;
}

function ends({ series }: PlotLayout): Markup[] {
  return series.flatMap(({ series: { color }, end }) =>
    end ? [html`<path class="end" d="${crossAt(tenth(end.x), tenth(end.y), 0.36 * EM)}" stroke="${color}" />`] : [],
  );
}

function labels({ labels: placed, lineHeight }: PlotLayout): Markup[] {
  return placed.map(({ lines: own, color, x, y }) => {
    const rows = own.map(
      (text, n) => html`<tspan x="${tenth(x)}" y="${tenth(y + n * lineHeight)}" dy="0.32em">${text}</tspan>`,
    );
    return html`<text class="label" fill="${color}">${rows}</text>`;
  });
}

/** @returns the drawing, and the lines that have no label at their ends: a legend has to name them */
function plotSvg({ summary, x, y, series, references }: Plot): {
  readonly svg: Markup;
  readonly needsLegend: boolean;
} {
  const layout = layoutPlot({
    width: PLOT_WIDTH,
    height: PLOT_HEIGHT,
    em: EM,
    x,
    y,
    series,
    ...(references && { references }),
  });
  const svg = html`<svg class="chart" role="img" aria-label="${summary}" viewBox="0 0 ${PLOT_WIDTH} ${PLOT_HEIGHT}">
    ${plotAxes(layout, x, y)}${referenceLines(layout)}${lines(layout)}${ends(layout)}${labels(layout)}
  </svg>`;
  return { svg, needsLegend: layout.needsLegend };
}

const BARS_HEIGHT = 210;

function barSvg(panel: BarPanel): Markup {
  const { layout, bars, level } = layoutBars(panel, { width: PLOT_WIDTH, height: BARS_HEIGHT, em: EM });
  const drawn = bars.map(
    (bar) =>
      html`<rect x="${tenth(bar.x)}" y="${tenth(bar.y)}" width="${tenth(bar.width)}" height="${tenth(bar.height)}" />`,
  );
  const height = tenth(level);
  return html`<svg class="chart" role="img" aria-label="${panel.summary}" viewBox="0 0 ${PLOT_WIDTH} ${BARS_HEIGHT}">
    ${plotAxes(layout, panel.x, panel.y)}
    <g class="bars" fill="${panel.colour}">${drawn}</g>
    <line class="reference" x1="${layout.left}" x2="${layout.right}" y1="${height}" y2="${height}" />
  </svg>`;
}

/** Figures with their captions, and the meaning of their lines. */
interface FigureParts {
  /** What is seen, as a caption says it, with its unit and what it is over. */
  readonly caption: Piece;
  readonly legend?: readonly LegendEntry[];
  /** Takes the whole width of the page. */
  readonly wide?: boolean;
  /** May be cut between its rows on paper. */
  readonly long?: boolean;
}

/** A line as it is drawn, before the name that it represents. */
export function swatch(style: Omit<LegendEntry, 'title'>): Markup {
  const dash = style.dash === '' ? 'none' : style.dash;
  return html`<svg class="swatch" viewBox="0 0 22 8" aria-hidden="true">
    <path d="M0 4H22" stroke="${colourOf(style)}" stroke-width="2" stroke-dasharray="${dash}" />
  </svg>`;
}

function legendOf(styles: readonly LegendEntry[]): Markup {
  return html`<ul class="legend">
    ${styles.map((style) => html`<li>${swatch(style)}${style.title}</li>`)}
  </ul>`;
}

export function figure(content: Piece, { caption, legend, wide = false, long = false }: FigureParts): Markup {
  return html`<figure class="${[wide && 'wide', long && 'long'].filter(Boolean).join(' ')}">
    ${legend && legendOf(legend)}${content}
    <figcaption>${caption}</figcaption>
  </figure>`;
}

/** Figures beside each other if there is room. */
export function figures(parts: readonly Piece[]): Markup {
  return html`<div class="figures">${parts}</div>`;
}

/**
 * A figure of the registry: its panels, the legend if a line has no label, and its words as the caption.
 *
 * @param head the run, if the report has several
 * @param axis of values that it shares with the same figure of other runs
 */
export function drawnFigure(data: FigureData, head: string | undefined, axis?: AxisSpec): Markup {
  const { title, help, note, panels, legend } = data;
  const drawn = panels.map((panel) => {
    const summary = head === undefined ? panel.summary : `${head}: ${panel.summary}`;
    return panel.kind === 'lines'
      ? plotSvg({ ...panel, summary, y: axis ?? valueAxis([panel]) })
      : { svg: barSvg({ ...panel, summary }), needsLegend: false };
  });
  const before = [head, title].filter(Boolean).map((text) => html`<b>${text}.</b> `);
  return figure(
    drawn.map(({ svg }) => svg),
    {
      caption: html`${before}${help}${note !== undefined && ` ${note}`}`,
      ...(legend && drawn.some(({ needsLegend }) => needsLegend) && { legend }),
    },
  );
}
