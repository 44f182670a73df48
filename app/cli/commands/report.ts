/** `shoal report`: runs as one page that needs nothing beside it. */
import { dirname, resolve } from 'node:path';
import type { OpenHdf5 } from '../../../engine/index.ts';
import { formatBytes } from '../../format/numbers.ts';
import { disk } from '../../files/disk.ts';
import { reportPage } from '../../report/page.ts';
import { createReport } from '../../report/report.ts';
import { readReportedRun, type ReportedRun } from '../../report/run/reported-run.ts';
import { EXIT, type CommonOptions, type Context, type ExitCode, UsageError } from '../context.ts';
import { hdf5In } from '../thread.ts';
import { createNodeStorage } from '../node-storage.ts';
import { assertDifferent, namesInFolder, noRunIn, inFolder } from '../run/folder.ts';
import { shellWords } from '../../format/paths.ts';
import { RECORD_FILE } from '../sweep/case-folders.ts';
import { packageOf, programWords } from '../installation.ts';
import type { ReportFontName, ReportFonts } from '../../report/style.ts';

/** Each as a data URL. */
const FILES: Readonly<Record<ReportFontName, () => Promise<{ readonly default: string }>>> = {
  words: () => import('@fontsource-variable/inter/files/inter-latin-wght-normal.woff2?inline'),
  greek: () => import('@fontsource-variable/inter/files/inter-greek-wght-normal.woff2?inline'),
  numbers: () => import('@fontsource-variable/jetbrains-mono/files/jetbrains-mono-latin-wght-normal.woff2?inline'),
};

/** @returns the contents of the files of the fonts */
async function readReportFonts(): Promise<ReportFonts> {
  const read = Object.entries(FILES).map(async ([name, load]) => {
    const { default: url } = await load();
    return [name, new Uint8Array(Buffer.from(url.slice(url.indexOf(',') + 1), 'base64'))] as const;
  });
  return Object.fromEntries(await Promise.all(read));
}

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
