/** The type of the window inside a report, so that it reads alike wherever it is opened. */
import { dataUrl } from './markup.ts';

/** A font, and the letters that it is for, as style sheets write them. */
interface ReportFont {
  readonly family: string;
  readonly range: string;
}

const LATIN =
  'U+0000-00FF,U+0131,U+0152-0153,U+02BB-02BC,U+02C6,U+02DA,U+02DC,U+0304,U+0308,U+0329,U+2000-206F,U+20AC,U+2122,U+2191,U+2193,U+2212,U+2215,U+FEFF,U+FFFD';
const GREEK = 'U+0370-0377,U+037A-037F,U+0384-038A,U+038C,U+038E-03A1,U+03A3-03FF';

/** What a report's words and numbers are made of; other letters are the reader's own. */
const REPORT_FONTS = {
  words: {
    family: 'Inter Variable',
    range: LATIN,
  },
  greek: {
    family: 'Inter Variable',
    range: GREEK,
  },
  numbers: {
    family: 'JetBrains Mono Variable',
    range: LATIN,
  },
} as const satisfies Readonly<Record<string, ReportFont>>;

export type ReportFontName = keyof typeof REPORT_FONTS;

/** The contents of the files; without them the page has the reader's own type. */
export type ReportFonts = Readonly<Partial<Record<ReportFontName, Uint8Array>>>;

/** @returns the rules of a style sheet */
export function fontRules(fonts: ReportFonts): string {
  return Object.entries(REPORT_FONTS)
    .flatMap(([name, { family, range }]) => {
      const bytes = fonts[name as ReportFontName];
      if (!bytes) return [];
      return `@font-face{font-family:'${family}';font-weight:100 900;unicode-range:${range};src:url(${dataUrl('font/woff2', bytes)}) format('woff2')}`;
    })
    .join('');
}
