/** Figures with their captions, and the meaning of their lines. */
import { valueAxis } from '../../figures/figure-data.ts';
import type { FigureData, LegendEntry } from '../../figures/figure-data.ts';
import type { AxisSpec } from '../../plot/scales.ts';
import { colourOf } from '../colours.ts';
import { html } from '../markup.ts';
import type { Markup, Piece } from '../markup.ts';
import { barSvg, plotSvg } from './plot.ts';

export interface FigureParts {
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
