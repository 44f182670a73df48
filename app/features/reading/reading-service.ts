/** Reading in a worker: what is called there, what it asks the page for, and that side of it. */
import { fromPlainError, Given, memoryOf, serveCalls } from '../../../engine/index.ts';
import type { HostPort, OpenHdf5, PlainError } from '../../../engine/index.ts';
import type { ReportFonts } from '../../report/fonts.ts';
import type { OpenedFile } from '../../host/host.ts';
import { createPartAsker } from './parts.ts';
import type { PartAnswer, PartQuestion } from './parts.ts';
import { bundleRunFolder, readRunFolder } from './read-run.ts';
import type { OpenedRun } from './read-run.ts';
import { readScenario } from './read-scenario.ts';
import type { ReadScenario } from './read-scenario.ts';
import { readSweep } from './read-sweep.ts';
import { columnsOf } from './sweep-table.ts';
import type { SweepTable } from './sweep-table.ts';
import { writeReport } from './write-report.ts';
import type { ReportSource, WrittenReport } from './write-report.ts';

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
