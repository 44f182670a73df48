/** When two names look the same to a reader. */

/** @returns what names that look alike have in common: composed or decomposed letters, full or half width, spaces around */
export function nameKey(name: string): string {
  return name.normalize('NFKC').trim();
}
