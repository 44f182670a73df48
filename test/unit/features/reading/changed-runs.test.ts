/** Run folders in which a file was changed, by chance or by somebody: used as they are, or refused by name. */
import { beforeAll, expect, it } from 'vitest';
import {
  createExperiment,
  createReferenceBackend,
  fileReader,
  isOwnCheckpoint,
  readHdf5Here,
  readRunSummary,
  readRunToContinue,
  readScenarioCopies,
  readScenarioFiles,
} from '../../../../engine/index.ts';
import { folderStorage } from '../../../../app/features/reading/parts.ts';
import { bundleRunFolder, readRunFolder, writeReport } from '../../../../app/features/reading/reading-service.ts';
import { BYTES, JSON_TEXT, readMutants, TEXT } from '../../../setup/mutants.ts';
import type { Mutation } from '../../../setup/mutants.ts';
import { runScenario, sealed, sealedIndex, stoppedRun } from '../../../setup/whole-run.ts';
import type { RunFiles } from '../../../setup/whole-run.ts';

let whole: RunFiles;
beforeAll(async () => {
  whole = await stoppedRun();
});

/** Continues for a cycle, as `shoal run --resume` does. */
async function goOn(files: RunFiles): Promise<void> {
  const storage = await folderStorage(files);
  const kept = await readRunToContinue(storage, runScenario);
  const backend = createReferenceBackend();
  if (!kept?.checkpoint || !isOwnCheckpoint(kept.checkpoint, runScenario, backend)) return;
  const copies = await readScenarioCopies(storage, { ...kept.record, scenario: runScenario });
  const experiment = await createExperiment(backend, runScenario, {
    files: await readScenarioFiles(runScenario, fileReader(copies), 'scenario-files', undefined),
    listener: () => undefined,
    checkpoint: kept.checkpoint,
  });
  await experiment.step();
  experiment.dispose();
  backend.dispose();
}

/** What is done with a folder. */
const USES = {
  opened: async (files: RunFiles) => structuredClone(await readRunFolder(files)),
  bundled: bundleRunFolder,
  reported: (files: RunFiles) => writeReport({ name: 'tiny', files, version: '1' }, readHdf5Here),
  compared: async (files: RunFiles) => {
    const run = await readRunSummary(await folderStorage(files));
    return run && [run.summary.results(run.record.methods), run.summary.comparisons(run.record.methods)];
  },
  'continued with': goOn,
} as const;

const LINES: Readonly<Record<string, Mutation>> = { ...BYTES, ...TEXT };
/** Files of the folder: how they are changed, and what is done then. */
const FILES: readonly (readonly [string, Readonly<Record<string, Mutation>>, readonly (keyof typeof USES)[]])[] = [
  ['run.json', JSON_TEXT, ['opened', 'bundled', 'reported', 'compared', 'continued with']],
  ['checkpoint.json', JSON_TEXT, ['opened', 'reported', 'continued with']],
  ['checkpoint/3/0.npy', BYTES, ['reported', 'continued with']],
  ['diagnostics.csv', LINES, ['opened', 'bundled', 'reported', 'compared', 'continued with']],
  ['kernels.ndjson', LINES, ['opened', 'continued with']],
  ['kernel-totals.json', JSON_TEXT, ['opened', 'continued with']],
  ['trace.json', JSON_TEXT, ['opened', 'continued with']],
  ['scenario-files/gauges.csv', LINES, ['opened', 'reported', 'continued with']],
];
/** Beside files: what a checkpoint has, and what diverges as it is continued with. */
const REFUSAL =
  /^(?:(?:run|checkpoint|kernel-totals|trace)\.json|diagnostics\.csv|kernels\.ndjson|checkpoint\/\d+\/\d+\.npy|scenario-files|tiny|the checkpoint has|[\w -]+, cycle 3)/;

/** @returns the folder with the mutant in place of a file, and checksums that are right again where somebody could see to it */
async function folderWith(path: string, mutant: Uint8Array): Promise<RunFiles> {
  const files = { ...whole, [path]: mutant };
  if (path === 'run.json') return files;
  return path === 'checkpoint.json' ? { ...files, [path]: await sealedIndex(mutant) } : sealed(files);
}

it.each(FILES)('%s: used as it is, or refused', async (path, kinds, uses) => {
  let refusals = 0;
  for (const use of uses) {
    await USES[use](whole);
    const { faults, refused } = await readMutants({
      name: `${path}, ${use}`,
      bytes: whole[path],
      kinds,
      read: async (mutant) => USES[use](await folderWith(path, mutant)),
      refusal: REFUSAL,
    });
    expect(faults).toEqual([]);
    refusals += refused;
  }
  expect(refusals).toBeGreaterThan(0);
});
