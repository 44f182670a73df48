/** Fonts of the page as data, for pictures that are drawn apart from it: an SVG that is drawn as an image loads nothing. */

import { parseUnicodeRange, usesRange } from './unicode-range.ts';

async function dataUrl(url: string): Promise<string> {
  const bytes = new Uint8Array(await (await fetch(url)).arrayBuffer());
  let binary = '';
  for (const byte of bytes) binary += String.fromCodePoint(byte);
  return `data:font/woff2;base64,${btoa(binary)}`;
}

function fontFaceRules(): { readonly rule: CSSFontFaceRule; readonly base: string }[] {
  return [...document.styleSheets].flatMap((sheet) => {
    const base = sheet.href ?? document.baseURI;
    return [...sheet.cssRules].flatMap((rule) => (rule instanceof CSSFontFaceRule ? [{ rule, base }] : []));
  });
}

/** @returns `@font-face` rules with the fonts inside them, those that a text needs */
export async function embeddedFonts(text: string): Promise<string> {
  const wanted = fontFaceRules().filter(({ rule: { style } }) => {
    const family = style.getPropertyValue('font-family').replaceAll(/["']/g, '');
    const ranges = parseUnicodeRange(style.getPropertyValue('unicode-range'));
    return style.getPropertyValue('font-style') !== 'italic' && text.includes(family) && usesRange(text, ranges);
  });
  const rules = wanted.map(async ({ rule: { style }, base }) => {
    const source = /url\(["']?([^"')]+)["']?\)/.exec(style.getPropertyValue('src'))?.[1];
    if (source === undefined) return '';
    const family = style.getPropertyValue('font-family');
    const weight = style.getPropertyValue('font-weight') || 'normal';
    const range = style.getPropertyValue('unicode-range');
    const limit = range === '' ? '' : `unicode-range:${range};`;
    const url = await dataUrl(new URL(source, base).href);
    return `@font-face{font-family:${family};font-weight:${weight};${limit}src:url(${url}) format("woff2")}`;
  });
  return (await Promise.all(rules)).join('');
}
