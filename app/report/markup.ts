/**
 * HTML and SVG as text. Values in a template are escaped unless they are markup themselves, so that names and words out of a run
 * folder, which anybody may have written, are never more than text.
 */

/** Text that is markup. Made by `html`, and of nothing that anybody has written. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  toString(): string {
    return this.text;
  }
}

/** A value in a template; undefined and false give nothing. */
export type Piece = Markup | string | number | undefined | false | readonly Piece[];

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Controls that no page may have, and marks of direction, which let a line read as another one. */
const UNSEEN = /[^\P{Cc}\t\n\r]|[\u202a-\u202e\u2066-\u2069]|\p{Cs}/gu;

/** @returns text as it may be written in an element or in a quoted attribute */
export function escapeText(text: string): string {
  return text.replaceAll(UNSEEN, '\uFFFD').replaceAll(/[&<>"']/g, (letter) => ENTITIES[letter]);
}

function textOf(piece: Piece): string {
  if (piece === undefined || piece === false) return '';
  if (piece instanceof Markup) return piece.text;
  if (typeof piece === 'object') return piece.map(textOf).join('');
  return escapeText(String(piece));
}

/** A template of markup: what is put into it is escaped; attributes have to be quoted. */
export function html(strings: TemplateStringsArray, ...pieces: readonly Piece[]): Markup {
  return new Markup(strings.reduce((text, string, index) => text + textOf(pieces[index - 1]) + string));
}
