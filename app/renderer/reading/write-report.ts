/** A run folder as a page for others, as `shoal report` writes it. */
import { createMemoryStorage } from '../../../engine/index.ts';
import type { OpenHdf5 } from '../../../engine/index.ts';
import type { ReportFonts } from '../../report/fonts.ts';
import { reportPage } from '../../report/page.ts';
import { createReport } from '../../report/report.ts';
import { readReportedRun } from '../../report/run/reported-run.ts';
import { NO_RUN } from './read-run.ts';

/** What a report is made of. */
export interface ReportSource {
  /** What the run is called. */
  readonly name: string;
  /** Of the run folder, by their paths inside it. */
  readonly files: Readonly<Record<string, Uint8Array>>;
  /** Of this program. */
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
  { name, files, version }: ReportSource,
  openHdf5: OpenHdf5,
  fonts: ReportFonts = {},
): Promise<WrittenReport> {
  const storage = createMemoryStorage();
  for (const [path, bytes] of Object.entries(files)) await storage.writeWhole(path, bytes);
  const run = await readReportedRun(storage, name, openHdf5);
  if (!run) throw new Error(NO_RUN);
  const made = new Date().toISOString();
  const page = reportPage(createReport([run], { made, version, fonts, command: undefined }));
  const { scenario, record } = run;
  return { name: `${scenario.name}-${record.seed}-report.html`, page: new TextEncoder().encode(page) };
}
