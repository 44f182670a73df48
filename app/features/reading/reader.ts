/** Reads what the user opens: in this thread, which tests do; the page has it done beside itself (`worker-reader.ts`). */
import { readHdf5Here } from '../../../engine/index.ts';
import type { OpenedFile, OpenedFolder } from '../../host/host.ts';
import { sizesOf } from './parts.ts';
import { bundleRunFolder, readRunFolder } from './read-run.ts';
import type { OpenedRun } from './read-run.ts';
import { readScenario } from './read-scenario.ts';
import type { ReadScenario } from './read-scenario.ts';
import { readSweep } from './read-sweep.ts';
import type { SweepTable } from './sweep-table.ts';
import { writeReport } from './write-report.ts';
import type { ReportSource, WrittenReport } from './write-report.ts';

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

/** Reads in this thread. */
export const readerHere: Reader = {
  scenario: (file) => readScenario(file, readHdf5Here),
  run: readRunFolder,
  bundle: bundleRunFolder,
  sweep: async (file) => readSweep(file),
  report: (source, parted = {}) =>
    writeReport({ ...source, sizes: sizesOf(parted) }, readHdf5Here, {}, (path, from, bytes) =>
      parted[path].read(from, bytes),
    ),
};
