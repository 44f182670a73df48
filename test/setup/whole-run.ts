/** A run folder as the engine leaves it, with rows, a checkpoint, and a file that its scenario names. */
import {
  createExperiment,
  createMemoryStorage,
  createReferenceBackend,
  createRunFolder,
  extentOf,
  fileReader,
  readScenarioFiles,
} from '../../engine/index.ts';
import { tinyScenario } from '../unit/document/run/tiny-scenario.ts';

/** Files by their paths in the folder. */
export type RunFiles = Readonly<Record<string, Uint8Array>>;

/** The file that the scenario names. */
export const GAUGES = { name: 'gauges.csv', text: 'x,y,time,value\n1,2,0.5,2.01\n3,4,1,1.99\n5,5,1,\n' };
/** Cycles that are done. */
export const DONE = 3;

export const runScenario = tinyScenario({
  observations: [
    { name: 'gauges', variable: 'h', network: { kind: 'regular', stride: [3, 3] } },
    { name: 'tables', variable: 'h', network: { kind: 'file', file: GAUGES.name } },
  ],
});

/** @returns the folder of a run that was stopped */
export async function stoppedRun(): Promise<RunFiles> {
  const storage = createMemoryStorage();
  const backend = createReferenceBackend();
  const { name, adapter } = backend;
  const read = fileReader({ [GAUGES.name]: new TextEncoder().encode(GAUGES.text) });
  const folder = createRunFolder(storage, {
    identity: { scenario: runScenario, seed: runScenario.seed, backend: { name, adapter } },
    versions: { shoal: '1' },
    now: () => new Date(0),
    scenarioFiles: (file) => read(file, Infinity),
  });
  await folder.begin();
  const files = await readScenarioFiles(runScenario, read, 'tiny.json', undefined);
  const experiment = await createExperiment(backend, runScenario, { files, listener: (event) => folder.listen(event) });
  for (let cycle = 0; cycle < DONE; cycle++) await experiment.step();
  await folder.save(await experiment.checkpoint());
  await folder.finish('stopped');
  experiment.dispose();
  backend.dispose();
  return Object.fromEntries(storage.files);
}

function parsed(bytes: Uint8Array): Record<string, unknown> {
  return JSON.parse(new TextDecoder().decode(bytes)) as Record<string, unknown>;
}

const written = (value: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(value));

/** @returns an index of a checkpoint with the checksum of what else it says */
export async function sealedIndex(bytes: Uint8Array): Promise<Uint8Array> {
  let index: unknown;
  try {
    index = JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return bytes;
  }
  if (typeof index !== 'object' || index === null || Array.isArray(index)) return bytes;
  const { sha256: _old, ...rest } = index as Record<string, unknown>;
  const { sha256 } = await extentOf(written(rest));
  return written({ ...rest, sha256 });
}

/** @returns a folder whose record and checkpoint have the checksums of what is there: by somebody who knows how */
export async function sealed(files: RunFiles): Promise<RunFiles> {
  const record = parsed(files['run.json']);
  const index = parsed(files['checkpoint.json']);
  const extents = record['files'] as Record<string, unknown>;
  for (const path of Object.keys(extents)) extents[path] = await extentOf(files[path]);
  const arrays = index['arrays'] as Record<string, { file: string }>;
  for (const [name, { file }] of Object.entries(arrays)) arrays[name] = { file, ...(await extentOf(files[file])) };
  index['files'] = extents;
  const copies = record['scenarioFiles'] as Record<string, unknown>;
  for (const name of Object.keys(copies)) copies[name] = await extentOf(files[`scenario-files/${name}`]);
  return { ...files, 'run.json': written(record), 'checkpoint.json': await sealedIndex(written(index)) };
}
