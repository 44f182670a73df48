/** A figure with its caption, and the meaning of its lines. */
import type { MethodStyle } from '../../document/views/method-style.ts';
import { colourOf } from '../colours.ts';
import { html } from '../markup.ts';
import type { Markup, Piece } from '../markup.ts';

export interface FigureParts {
  /** What is seen, as a caption says it, with its unit and what it is over. */
  readonly caption: Piece;
  readonly legend?: readonly MethodStyle[];
  /** Takes the whole width of the page. */
  readonly wide?: boolean;
  /** May be cut between its rows on paper. */
  readonly long?: boolean;
}

/** A line as it is drawn, before the name that it represents. */
export function swatch(style: Pick<MethodStyle, 'dark' | 'light' | 'dash'>): Markup {
  const dash = style.dash === '' ? 'none' : style.dash;
  return html`<svg class="swatch" viewBox="0 0 22 8" aria-hidden="true">
    <path d="M0 4H22" stroke="${colourOf(style)}" stroke-width="2" stroke-dasharray="${dash}" />
  </svg>`;
}

function legendOf(styles: readonly MethodStyle[]): Markup {
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
