/** Tables of a page: their heads, and the frame in which a wide one is moved by hand and by keys. */
import { html } from '../markup.ts';
import type { Markup, Piece } from '../markup.ts';

/** A head of one row. @param titles what its columns are called */
export function tableHead(titles: readonly Piece[]): Markup {
  return html`<thead>
    <tr>
      ${titles.map((title) => html`<th scope="col">${title}</th>`)}
    </tr>
  </thead>`;
}

/** @param what the table is of, for those who do not see it: `results` */
export function scrolled(what: string, table: Markup): Markup {
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Table of ${what}">${table}</div>`;
}
