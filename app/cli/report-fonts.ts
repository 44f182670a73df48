/** The fonts of a report, from the packages that the window has them of. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { REPORT_FONTS } from '../report/fonts.ts';
import type { ReportFonts } from '../report/fonts.ts';

/** @returns none of what is not installed: a page without it has the reader's own type */
export async function readReportFonts(): Promise<ReportFonts> {
  const { resolve } = createRequire(import.meta.url);
  const read = Object.entries(REPORT_FONTS).map(async ([name, { file }]) => {
    try {
      return [[name, new Uint8Array(await readFile(resolve(file)))]] as const;
    } catch {
      return [];
    }
  });
  return Object.fromEntries((await Promise.all(read)).flat());
}
