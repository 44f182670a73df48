/** A run folder as a page for others, as `shoal report` writes it. */
import type { OpenHdf5 } from '../../../engine/index.ts';
import type { ReportFonts } from '../../report/fonts.ts';
import { reportPage } from '../../report/page.ts';
import { createReport } from '../../report/report.ts';
import { readReportedRun } from '../../report/run/reported-run.ts';
import { folderStorage } from './parts.ts';
import type { ReadPart } from './parts.ts';
import { NO_RUN } from './read-run.ts';

/** What a report is made of. */
export interface ReportSource {
  /** What the run is called. */
  readonly name: string;
  /** Files of the run folder, by their paths inside it. */
  readonly files: Readonly<Record<string, Uint8Array>>;
  /** Bytes of those that are read in parts, by their paths. */
  readonly sizes?: Readonly<Record<string, number>>;
  /** Version of this program. */
  readonly version: string;
}

export interface WrittenReport {
  /** That the file suggests. */
  readonly name: string;
  /** UTF-8. */
  readonly page: Uint8Array;
}

/**
 * @param openHdf5 reads NetCDF-4 files where it can be stopped
 * @param fonts of the page
 * @throws Error where the folder holds no run, ScenarioError where a file of it is broken
 */
export async function writeReport(
  { name, files, sizes, version }: ReportSource,
  openHdf5: OpenHdf5,
  fonts: ReportFonts = {},
  readPart?: ReadPart,
): Promise<WrittenReport> {
  const run = await readReportedRun(await folderStorage(files, sizes, readPart), name, openHdf5);
  if (!run) throw new Error(NO_RUN);
  const made = new Date().toISOString();
  const page = reportPage(createReport([run], { made, version, fonts, command: undefined }));
  const { scenario, record } = run;
  return { name: `${scenario.name}-${record.seed}-report.html`, page: new TextEncoder().encode(page) };
}
