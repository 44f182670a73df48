/** Reading in a worker: what is called there, what it asks the page for, and that side of it. */
import {
  fromPlainError,
  Given,
  memoryOf,
  serveCalls,
  parseScenario,
  readScenarioFiles,
} from '../../../engine/index.ts';
import type { HostPort, OpenHdf5, PlainError, ParsedScenario } from '../../../engine/index.ts';
import type { ReportFonts } from '../../report/fonts.ts';
import type { OpenedFile } from '../../host/host.ts';
import { createPartAsker, folderStorage, type PartAnswer, type PartQuestion, type ReadPart } from './parts.ts';
import { bundleRunFolder, readRunFolder, NO_RUN, type OpenedRun } from './read-run.ts';
import { readSweep, columnsOf, type SweepTable } from './sweep-table.ts';
import { unpackBundle } from '../../bundle/bundle-file.ts';
import { isBundleName } from '../../bundle/bundle-name.ts';
import { reportPage } from '../../report/page.ts';
import { createReport } from '../../report/report.ts';
import { readReportedRun } from '../../report/run/reported-run.ts';

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

/** A scenario file with the files that it names, or a bundle, which has them: all read and checked. */
export interface ReadScenario {
  readonly parsed: ParsedScenario;
  /** By the names that the scenario gives them. */
  readonly files: Readonly<Record<string, Uint8Array>>;
}

/**
 * @param openHdf5 reads NetCDF-4 files where it can be stopped; where it is missing they are refused
 * @throws ScenarioError that says everything that is wrong with them
 */
export async function readScenario(
  { name, bytes, siblings }: OpenedFile,
  openHdf5: OpenHdf5 | undefined,
): Promise<ReadScenario> {
  if (isBundleName(name)) {
    const { parsed, files } = await unpackBundle(bytes, name);
    return { parsed, files };
  }
  const parsed = parseScenario(bytes, name);
  const files: Record<string, Uint8Array> = {};
  const read = async (file: string, most: number): Promise<Uint8Array> => {
    const found = await siblings(file, most);
    if (!found) throw new Error(`${file} is not beside ${name}`);
    files[file] = found;
    return found;
  };
  await readScenarioFiles(parsed.scenario, read, name, openHdf5);
  return { parsed, files };
}

/** What the worker asks for: a file that the scenario names, of so many bytes at most. */
export interface FileQuestion {
  readonly question: number;
  readonly file: string;
  readonly most: number;
}

/** `bytes` is undefined if there is no such file. */
export type FileAnswer =
  | { readonly question: number; readonly bytes: Uint8Array | undefined }
  | { readonly question: number; readonly failure: PlainError };

// A type, not an interface: it has to be a record of functions.
export type ReadingCommands = {
  readonly scenario: (file: Pick<OpenedFile, 'name' | 'bytes'>) => ReadScenario;
  readonly run: (files: Readonly<Record<string, Uint8Array>>) => OpenedRun;
  readonly bundle: (files: Readonly<Record<string, Uint8Array>>) => Uint8Array;
  readonly sweep: (file: Pick<OpenedFile, 'name' | 'bytes'>) => SweepTable;
  readonly report: (source: ReportSource) => WrittenReport;
  readonly file: (answer: FileAnswer) => void;
  readonly part: (answer: PartAnswer) => void;
};

/** What the worker asks the page for. */
export type ReadingQuestion = FileQuestion | PartQuestion;

/**
 * Reads what is asked for over a port. What is read is given away.
 *
 * @param openHdf5 reads NetCDF-4 files where it can be stopped
 * @param loadFonts of the page, for reports; none in a test
 */
export function serveReading(
  port: HostPort<ReadingCommands, ReadingQuestion>,
  openHdf5: OpenHdf5,
  loadFonts: () => Promise<ReportFonts> = () => Promise.resolve({}),
): void {
  const waiting: ((answer: FileAnswer) => void)[] = [];
  const asker = createPartAsker((question) => tell(question));
  const siblings = async (file: string, most: number): Promise<Uint8Array | undefined> => {
    const answer = await new Promise<FileAnswer>((resolve) => {
      const question = waiting.push(resolve) - 1;
      tell({ question, file, most });
    });
    if ('failure' in answer) throw fromPlainError(answer.failure);
    return answer.bytes;
  };
  const tell = serveCalls<ReadingCommands, ReadingQuestion>(port, {
    async scenario({ name, bytes }) {
      const read = await readScenario({ name, bytes, siblings }, openHdf5);
      return new Given(read, memoryOf(Object.values(read.files)));
    },
    async run(files) {
      const opened = await readRunFolder(files);
      const arrays = [...Object.values(opened.checkpoint?.arrays ?? {}), ...Object.values(opened.files)];
      return new Given(opened, memoryOf(arrays));
    },
    async bundle(files) {
      const packed = await bundleRunFolder(files);
      return new Given(packed, memoryOf([packed]));
    },
    sweep(file) {
      const table = readSweep(file);
      return new Given(table, memoryOf(columnsOf(table)));
    },
    async report(source) {
      const written = await writeReport(source, openHdf5, await loadFonts(), asker.read);
      return new Given(written, memoryOf([written.page]));
    },
    file: (answer) => waiting[answer.question](answer),
    part: (answer) => asker.answer(answer),
  });
}
