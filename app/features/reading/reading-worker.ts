/** The module worker that reads what the user opens; `worker-reader.ts` starts it. It asks the page for the files of a scenario. */
import '../../workers/strict-policy.ts';
import { openHdf5 } from '../../workers/hdf5.ts';
import { portOfThisWorker } from '../../workers/worker-port.ts';
import { serveReading } from './reading-service.ts';
import greek from '@fontsource-variable/inter/files/inter-greek-wght-normal.woff2?url?url';
import words from '@fontsource-variable/inter/files/inter-latin-wght-normal.woff2?url?url';
import numbers from '@fontsource-variable/jetbrains-mono/files/jetbrains-mono-latin-wght-normal.woff2?url?url';
import type { ReportFontName, ReportFonts } from '../../report/style.ts';

const ADDRESSES = { words, greek, numbers } as const satisfies Record<ReportFontName, string>;

/** @throws Error where the page cannot load a part of itself */
async function loadReportFonts(): Promise<ReportFonts> {
  const loaded = Object.entries(ADDRESSES).map(async ([name, address]) => {
    const answer = await fetch(new URL(address, import.meta.url));
    if (!answer.ok) throw new Error(`a font of the page was not found: ${address}`);
    return [name, new Uint8Array(await answer.arrayBuffer())] as const;
  });
  return Object.fromEntries(await Promise.all(loaded));
}

serveReading(portOfThisWorker(), openHdf5, loadReportFonts);
