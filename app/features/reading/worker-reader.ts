/**
 * Reading beside the page: a large file would otherwise hold up whatever the person does meanwhile. What takes less than a
 * frame is read here, sooner than a worker starts.
 */
import { fileReferences, memoryOf, parseScenario, toPlainError, type ServicePort } from '../../../engine/index.ts';
import { isBundleName } from '../../bundle/bundle-name.ts';
import type { OpenedFile, OpenedFolder } from '../../host/host.ts';
import type {
  OpenedRun,
  ReadScenario,
  FileAnswer,
  FileQuestion,
  ReadingCommands,
  ReadingQuestion,
  WrittenReport,
  ReportSource,
} from './reading-service.ts';
import { answerPart, sizesOf } from './parts.ts';
import type { SweepTable } from './sweep-table.ts';
import { inWorker, workerPort } from '../../workers/worker-port.ts';
import { type Laboratory, slot } from '../../page/laboratory.ts';

/** Reads what the user opens: in this thread, which tests do; the page has it done beside itself (`worker-reader.ts`). */
export interface Reader {
  /** @throws ScenarioError that says everything that is wrong with the file, or with one that it names */
  scenario(file: OpenedFile): Promise<ReadScenario>;
  /**
   * @param files of a run folder, by their paths inside it; they are given away
   * @throws Error where the folder holds no run, ScenarioError where its scenario is none or a file is broken
   */
  run(files: Readonly<Record<string, Uint8Array>>): Promise<OpenedRun>;
  /**
   * @param files of a run folder, by their paths inside it; they are given away
   * @returns the run as a bundle, packed
   * @throws ScenarioError where the folder holds no run, no complete cycle, or a file is broken
   */
  bundle(files: Readonly<Record<string, Uint8Array>>): Promise<Uint8Array>;
  /**
   * @param file of the results of a sweep; its bytes are given away
   * @throws ScenarioError that names the place and what is wrong there
   */
  sweep(file: Pick<OpenedFile, 'name' | 'bytes'>): Promise<SweepTable>;
  /**
   * @param source a run folder; its files are given away
   * @param parted its files that are read in parts
   * @throws Error where the folder holds no run, ScenarioError where a file of it is broken
   */
  report(source: Omit<ReportSource, 'sizes'>, parted?: OpenedFolder['parted']): Promise<WrittenReport>;
}

/** A scenario of that length is parsed in a few milliseconds. */
const SHORT_BYTES = 2 ** 14;

function startWorker(): ServicePort<ReadingCommands, ReadingQuestion> {
  return workerPort(
    new Worker(new URL('./reading-worker.ts', import.meta.url), { type: 'module', name: 'shoal reader' }),
  );
}

/** @returns the scenario where it is short, and a file by itself that names no other */
function readHere({ name, bytes }: OpenedFile): ReadScenario | undefined {
  if (bytes.length > SHORT_BYTES || isBundleName(name)) return undefined;
  const parsed = parseScenario(bytes, name);
  return fileReferences(parsed.scenario).length === 0 ? { parsed, files: {} } : undefined;
}

/** What the page finds beside a scenario, for the worker. */
async function answer({ question, file, most }: FileQuestion, siblings: OpenedFile['siblings']): Promise<FileAnswer> {
  try {
    return { question, bytes: await siblings(file, most) };
  } catch (error) {
    return { question, failure: toPlainError(error) };
  }
}

export function createWorkerReader(start = startWorker): Reader {
  return {
    async scenario(file) {
      const here = readHere(file);
      if (here) return here;
      const { name, bytes, siblings } = file;
      return inWorker<ReadingCommands, ReadingQuestion, ReadScenario>(
        start(),
        // The bytes stay: recent files are remembered by them.
        (service) => service.call('scenario', { name, bytes }),
        async (question, service) => {
          if ('part' in question) return;
          const found = await answer(question, siblings);
          const given = 'bytes' in found && found.bytes ? memoryOf([found.bytes]) : [];
          await service.call('file', found, given);
        },
      );
    },
    run: (files) =>
      inWorker<ReadingCommands, ReadingQuestion, OpenedRun>(start(), (service) =>
        service.call('run', files, memoryOf(Object.values(files))),
      ),
    bundle: (files) =>
      inWorker<ReadingCommands, ReadingQuestion, Uint8Array>(start(), (service) =>
        service.call('bundle', files, memoryOf(Object.values(files))),
      ),
    sweep: ({ name, bytes }) =>
      inWorker<ReadingCommands, ReadingQuestion, SweepTable>(start(), (service) =>
        service.call('sweep', { name, bytes }, memoryOf([bytes])),
      ),
    report: (source, parted = {}) =>
      inWorker<ReadingCommands, ReadingQuestion, WrittenReport>(
        start(),
        (service) =>
          service.call('report', { ...source, sizes: sizesOf(parted) }, memoryOf(Object.values(source.files))),
        async (question, service) => {
          if ('part' in question) service.send('part', await answerPart(question, parted));
        },
      ),
  };
}

export function createReaderOf(): Reader {
  return createWorkerReader();
}

/** @returns what reads files for a page */
export const readerOf = slot<Laboratory, Reader>(createReaderOf);
