/** Reads what the user opens in this thread; the page has it done beside itself. */
import { readHdf5Here } from '../../../../engine/index.ts';
import { sizesOf } from '../../../../app/features/reading/parts.ts';
import {
  bundleRunFolder,
  readRunFolder,
  readScenario,
  writeReport,
} from '../../../../app/features/reading/reading-service.ts';
import { readSweep } from '../../../../app/features/reading/sweep-table.ts';
import type { Reader } from '../../../../app/features/reading/worker-reader.ts';

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
