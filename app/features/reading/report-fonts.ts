/** The fonts of a report, which are those of the page. */
import greek from '@fontsource-variable/inter/files/inter-greek-wght-normal.woff2?url';
import words from '@fontsource-variable/inter/files/inter-latin-wght-normal.woff2?url';
import numbers from '@fontsource-variable/jetbrains-mono/files/jetbrains-mono-latin-wght-normal.woff2?url';
import type { ReportFontName, ReportFonts } from '../../report/fonts.ts';

const ADDRESSES = { words, greek, numbers } as const satisfies Record<ReportFontName, string>;

/** @throws Error where the page cannot load a part of itself */
export async function loadReportFonts(): Promise<ReportFonts> {
  const loaded = Object.entries(ADDRESSES).map(async ([name, address]) => {
    const answer = await fetch(new URL(address, import.meta.url));
    if (!answer.ok) throw new Error(`a font of the page was not found: ${address}`);
    return [name, new Uint8Array(await answer.arrayBuffer())] as const;
  });
  return Object.fromEntries(await Promise.all(loaded));
}
