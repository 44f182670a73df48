/** `shoal report`: runs as one page that needs nothing beside it. */
import { dirname, resolve } from 'node:path';
import type { OpenHdf5 } from '../../../engine/index.ts';
import { formatBytes } from '../../format/numbers.ts';
import { disk } from '../../files/disk.ts';
import { reportPage } from '../../report/page.ts';
import { createReport } from '../../report/report.ts';
import { readReportedRun } from '../../report/run/reported-run.ts';
import type { ReportedRun } from '../../report/run/reported-run.ts';
import { EXIT } from '../context.ts';
import type { CommonOptions, Context, ExitCode } from '../context.ts';
import { UsageError } from '../failure.ts';
import { hdf5In } from '../hdf5.ts';
import { createNodeStorage } from '../node-storage.ts';
import { readReportFonts } from '../report-fonts.ts';
import { assertDifferent, namesInFolder, noRunIn } from '../run/compared-run.ts';
import { inFolder } from '../run/folder.ts';
import { shellWords } from '../../files/shell-words.ts';
import { RECORD_FILE } from '../sweep/case-folders.ts';
import { packageOf, programWords } from '../installation.ts';

export interface ReportOptions extends CommonOptions {
  readonly out: string;
}

/** @throws UsageError where the folder holds no run; ScenarioError where one of its files is broken */
async function readRunFolder(folder: string, openHdf5: OpenHdf5): Promise<ReportedRun> {
  const names = await namesInFolder(folder);
  if (names.includes(RECORD_FILE)) {
    throw new UsageError(`${folder}: it is a case of a sweep, which keeps no states; "shoal compare" takes those`);
  }
  const run = await inFolder(folder, readReportedRun(createNodeStorage(folder), folder, openHdf5));
  if (run) return run;
  throw noRunIn(folder, names);
}

export default async function report(
  { terminal, installation, argv }: Context,
  folders: readonly string[],
  { out }: ReportOptions,
): Promise<ExitCode> {
  await assertDifferent(folders);
  const runs: ReportedRun[] = [];
  const openHdf5 = hdf5In(installation.bundleFolder);
  for (const folder of folders) runs.push(await readRunFolder(folder, openHdf5));
  const page = reportPage(
    createReport(runs, {
      made: new Date().toISOString(),
      version: packageOf(installation).version,
      fonts: await readReportFonts(),
      command: `${programWords(installation)} ${shellWords(argv)}`,
    }),
  );
  const file = resolve(out);
  await disk.makeFolder(dirname(file));
  await disk.writeWhole(file, page);
  const bytes = new TextEncoder().encode(page).length;
  terminal.print(`report: ${out} (${formatBytes(bytes)})`);
  terminal.printJson({ report: out, bytes, runs: folders });
  return EXIT.done;
}
