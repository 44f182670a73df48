/**
 * Reading in a worker: what is called there, what it asks the page for, and that side of it. A run folder, as `shoal run` or "Save run
 * as folder" writes it, gives its scenario, its results, and where it can continue.
 */
import {
  fromPlainError,
  Given,
  memoryOf,
  serveCalls,
  parseScenario,
  readScenarioFiles,
  type HostPort,
  type OpenHdf5,
  type PlainError,
  type ParsedScenario,
  createBundle,
  cyclesBefore,
  judgeVersions,
  readRun,
  readRunCheckpoint,
  readScenarioCopies,
  ScenarioError,
  type Checkpoint,
  type CycleDiagnostics,
  type KernelRecord,
  type MethodDivergence,
  type RunRecord,
  type Storage,
  type StoredTrace,
} from '../../../engine/index.ts';
import type { ReportFonts } from '../../report/style.ts';
import type { OpenedFile } from '../../host/host.ts';
import { createPartAsker, folderStorage, type PartAnswer, type PartQuestion, type ReadPart } from './parts.ts';
import { readSweep, columnsOf, type SweepTable } from './sweep-table.ts';
import { unpackBundle, packBundle } from '../../bundle/bundle-file.ts';
import { isBundleName } from '../../bundle/bundle-name.ts';
import { reportPage } from '../../report/page.ts';
import { createReport } from '../../report/report.ts';
import { readReportedRun } from '../../report/run/reported-run.ts';
import type { RunTimes } from '../../document/run/run-times.ts';
import type { KernelCycle, StoredRunKernels } from '../../document/run/run-kernels.ts';
import { versionsHere } from '../../page/versions-here.ts';

export interface OpenedRun {
  /** What the folder says about it; its scenario as it is written there. */
  readonly record: RunRecord;
  readonly parsed: ParsedScenario;
  readonly rows: readonly CycleDiagnostics[];
  readonly divergences: readonly MethodDivergence[];
  readonly kernels: StoredRunKernels;
  /** Trace of the cycles before the one that it continues with. */
  readonly trace: StoredTrace;
  /** Where the run continues; undefined where the folder has none, or none that can be used. */
  readonly checkpoint: Checkpoint | undefined;
  /** What the scenario names, by name. */
  readonly files: Readonly<Record<string, Uint8Array>>;
  readonly times: RunTimes;
  /** What to report: why it begins again, or that its last bits may differ when it continues. */
  readonly remarks: readonly string[];
}

/** What is said of a folder that holds no run. */
const NO_RUN = 'found no run.json in the folder; a run folder is what "shoal run" writes';

/** Where a run continues, and what to report about it. */
type Continuation = Pick<OpenedRun, 'checkpoint' | 'remarks'>;

/** @param fields those of a run that kept states are played first */
function fromStart(why: string, fields: RunRecord['fields']): Continuation {
  const when = fields ? 'is started again' : 'is played';
  return { checkpoint: undefined, remarks: [`The run restarts when it ${when}: ${why}`] };
}

/** A folder whose checkpoint cannot be used still shows what was found; the run then begins again. */
async function continuationOf(
  storage: Storage,
  { versions, fields }: RunRecord,
  { notes }: ParsedScenario,
): Promise<Continuation> {
  const { refusal, warning } = judgeVersions(versions, versionsHere());
  if (notes.length > 0) return fromStart('its scenario is of an earlier version', fields);
  if (refusal !== undefined) return fromStart(`it was ${refusal}`, fields);
  try {
    const checkpoint = await readRunCheckpoint(storage);
    return { checkpoint, remarks: checkpoint && warning !== undefined ? [`The run is ${warning}`] : [] };
  } catch (error) {
    if (!(error instanceof ScenarioError)) throw error;
    return fromStart(error.message, fields);
  }
}

function byCycle(records: readonly KernelRecord[]): KernelCycle[] {
  const cycles = new Map<number, KernelRecord[]>();
  for (const record of records) {
    const timings = cycles.get(record.cycle);
    if (timings) timings.push(record);
    else cycles.set(record.cycle, [record]);
  }
  return [...cycles].map(([cycle, timings]) => ({ cycle, timings })).sort((a, b) => a.cycle - b.cycle);
}

/**
 * @param files of the folder, by their paths inside it
 * @returns the run as a bundle, packed
 * @throws Error where the folder holds no run, ScenarioError where it has no complete cycle, or a file is broken
 */
export async function bundleRunFolder(files: Readonly<Record<string, Uint8Array>>): Promise<Uint8Array> {
  const bundled = await createBundle(await folderStorage(files));
  if (!bundled) throw new Error(NO_RUN);
  return packBundle(bundled);
}

/**
 * @param files of the folder, by their paths inside it
 * @throws Error where the folder holds no run, ScenarioError where its scenario is none of this version or a file is broken
 */
export async function readRunFolder(files: Readonly<Record<string, Uint8Array>>): Promise<OpenedRun> {
  const storage = await folderStorage(files);
  const run = await readRun(storage);
  if (!run) throw new Error(NO_RUN);
  const { parsed } = run;
  const named = await readScenarioCopies(storage, { ...run.record, scenario: parsed.scenario });
  const { checkpoint, remarks } = await continuationOf(storage, run.record, parsed);
  const { records, totals, ceilings } = run.kernels;
  const { start, end, resumed } = run.record;
  return {
    record: run.record,
    parsed,
    rows: run.rows,
    divergences: run.record.diverged ?? [],
    kernels: { totals, recent: byCycle(records), ceilings },
    trace: cyclesBefore(run.trace, checkpoint?.cycle ?? 0),
    checkpoint,
    files: named,
    times: { start, end, resumed },
    remarks,
  };
}

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
