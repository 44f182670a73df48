/**
 * HTML and SVG as text. Values in a template are escaped unless they are markup themselves, so that names and words out of a run
 * folder, which anybody may have written, are never more than text.
 */
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';

/** Letters are made of that many bytes at a time: a function takes no more arguments than some ten thousand. */
const CHUNK = 8192;

/** @returns the bytes in base64 */
function base64Of(bytes: Uint8Array): string {
  let binary = '';
  for (let at = 0; at < bytes.length; at += CHUNK) binary += String.fromCharCode(...bytes.subarray(at, at + CHUNK));
  return btoa(binary);
}

/** @param type a MIME type. @returns an address that holds the bytes themselves */
export function dataUrl(type: string, bytes: Uint8Array): string {
  return `data:${type};base64,${base64Of(bytes)}`;
}

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

/** @returns lower-case hexadecimal digits */
export function sha256Of(text: string): string {
  return bytesToHex(sha256(new TextEncoder().encode(text)));
}

/** @returns the source by which a page's policy allows a style sheet that it contains */
export function policySource(text: string): string {
  return `'sha256-${base64Of(sha256(new TextEncoder().encode(text)))}'`;
}

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
