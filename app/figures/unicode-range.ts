/** Which characters a font's file is for, as its `unicode-range` says. */

export interface Range {
  readonly from: number;
  readonly to: number;
}

/** @returns the code points of a `unicode-range`: `U+0000-00FF, U+0131, U+30??`; all of them where it is empty */
export function parseUnicodeRange(text: string): Range[] {
  if (text.trim() === '') return [{ from: 0, to: 0x10ffff }];
  return text.split(',').flatMap((part) => {
    const match = /^u\+([\da-f]+)(\?*)(?:-([\da-f]+))?$/i.exec(part.trim());
    if (match === null) return [];
    const [, first, wild, last] = match;
    const from = Number.parseInt(first + '0'.repeat(wild.length), 16);
    return [{ from, to: Number.parseInt(last ?? first + 'F'.repeat(wild.length), 16) }];
  });
}

/** Whether any character of a text lies in one of the ranges. */
export function usesRange(text: string, ranges: readonly Range[]): boolean {
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    if (ranges.some(({ from, to }) => code >= from && code <= to)) return true;
  }
  return false;
}
