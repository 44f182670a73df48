/** The fonts of a report, which are parts of the bundle and are loaded when a report is written. */
import type { ReportFontName, ReportFonts } from '../report/fonts.ts';

/** Each as a data URL. */
const FILES: Readonly<Record<ReportFontName, () => Promise<{ readonly default: string }>>> = {
  words: () => import('@fontsource-variable/inter/files/inter-latin-wght-normal.woff2?inline'),
  greek: () => import('@fontsource-variable/inter/files/inter-greek-wght-normal.woff2?inline'),
  numbers: () => import('@fontsource-variable/jetbrains-mono/files/jetbrains-mono-latin-wght-normal.woff2?inline'),
};

/** @returns the contents of the files of the fonts */
export async function readReportFonts(): Promise<ReportFonts> {
  const read = Object.entries(FILES).map(async ([name, load]) => {
    const { default: url } = await load();
    return [name, new Uint8Array(Buffer.from(url.slice(url.indexOf(',') + 1), 'base64'))] as const;
  });
  return Object.fromEntries(await Promise.all(read));
}
