/**
 * A checkpoint as files: `checkpoint/<cycle>/<n>.npy` in float64, one an array, and `checkpoint.json` that names them with
 * their checksums and says what of the files that grow was there. The index is written last and the older arrays are removed
 * after it, so that there is always one whole checkpoint; rows are written before the checkpoint that counts them.
 */
import { z } from 'zod';
import { ScenarioError, type Path } from '../errors.ts';
import type { Checkpoint, CycleDiagnostics } from '../experiment/index.ts';
import { formatNpy, parseNpy } from '../files/array-files.ts';
import { parseWrittenJson } from '../scenario/index.ts';
import { extentOf, extentProblem, readText, type Extent, type Storage } from './stored-files.ts';
import type { RunRecord } from './run-record.ts';

const NOTHING: Extent = {
  bytes: 0,
  sha256: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
};

/** @returns the further one of what `run.json` and the checkpoint say of a file: both were written after it */
export function furthest(record: RunRecord, ground: CheckpointGround | undefined, file: string): Extent {
  const said = [record.files?.[file], ground?.files[file], NOTHING].filter((extent) => extent !== undefined);
  return said.reduce((far, extent) => (extent.bytes > far.bytes ? extent : far));
}

/**
 * By method. One that was omitted half-way has fewer rows than the others; a run that continued without its first rows begins
 * later.
 */
export type RowCounts = Readonly<Record<string, { readonly first: number; readonly count: number }>>;

/** @returns the counts with one more row, or undefined when it is not the next of its method */
export function countRow(counts: RowCounts, { method, cycle }: CycleDiagnostics): RowCounts | undefined {
  const before = Object.hasOwn(counts, method) ? counts[method] : undefined;
  if (!before) return { ...counts, [method]: { first: cycle, count: 1 } };
  if (cycle !== before.first + before.count) return undefined;
  return { ...counts, [method]: { first: before.first, count: before.count + 1 } };
}

/** @returns why rows do not lead up to a cycle, or undefined when they do */
function countsProblem(counts: RowCounts, cycle: number): string | undefined {
  const ends = Object.values(counts).map(({ first, count }) => first + count);
  if (ends.length === 0 || Math.max(...ends) === cycle) return undefined;
  return `its cycle is ${cycle}, but its rows end before cycle ${Math.max(...ends)}`;
}

/** @returns how found rows differ from those that were counted, or undefined when they do not */
export function countsDifference(found: RowCounts, counted: RowCounts): string | undefined {
  for (const method of new Set([...Object.keys(counted), ...Object.keys(found)])) {
    const [there, written] = [found, counted].map((counts) =>
      Object.hasOwn(counts, method) ? `${counts[method].count} from cycle ${counts[method].first}` : 'none',
    );
    if (there !== written) return `found rows of ${method}: ${there}; the checkpoint has ${written}`;
  }
  return undefined;
}

const INDEX = 'checkpoint.json';
const FOLDER = 'checkpoint';

/** What a checkpoint relies on: how far the files that grow had come, and whose rows were in them. */
export interface CheckpointGround {
  readonly rows: RowCounts;
  readonly files: Readonly<Record<string, Extent>>;
}

/** A checkpoint as it is stored in a folder. */
export interface StoredCheckpoint {
  readonly checkpoint: Checkpoint;
  readonly ground: CheckpointGround;
}

const extentShape = { bytes: z.number().int().min(0), sha256: z.string() };

const indexSchema = z.looseObject({
  format: z.literal(2, 'the checkpoint is of an earlier version of run folders, which is not continued'),
  cycle: z.number().int().min(0).max(Number.MAX_SAFE_INTEGER),
  fingerprint: z.string(),
  /** Each array's file, which does not leave the folder. */
  arrays: z.record(
    z.string(),
    z.object({
      file: z.string().regex(/^checkpoint\/\d+\/\d+\.npy$/, 'allowed: checkpoint/<cycle>/<n>.npy'),
      ...extentShape,
    }),
  ),
  rows: z.record(z.string(), z.object({ first: z.number().int().min(0), count: z.number().int().min(1) })),
  files: z.record(z.string(), z.object(extentShape)),
  /** Checksum of the rest of this file. */
  sha256: z.string(),
});
type Index = z.output<typeof indexSchema>;

function refuse(message: string, path: Path = []): never {
  throw new ScenarioError([{ file: INDEX, path, message }]);
}

/** The checksum of an index without its own. */
async function checksumOf(index: object): Promise<string> {
  const { sha256 } = await extentOf(new TextEncoder().encode(JSON.stringify(index)));
  return sha256;
}

/** The index as stored, which anybody may have changed. @throws ScenarioError naming the place and what is wrong */
async function readIndex(storage: Storage): Promise<Index | undefined> {
  const text = await readText(storage, INDEX);
  if (text === undefined) return undefined;
  const { data, error } = indexSchema.safeParse(parseWrittenJson(text, INDEX));
  if (!data) {
    const [{ path, message }] = error.issues;
    return refuse(
      message,
      path.map((key) => (typeof key === 'symbol' ? String(key) : key)),
    );
  }
  const wrong = countsProblem(data.rows, data.cycle);
  if (wrong !== undefined) refuse(wrong);
  const { sha256, ...rest } = data;
  if ((await checksumOf(rest)) !== sha256) refuse('its content is not what was written (checksum)');
  return data;
}

/** @returns what the stored checkpoint relies on; undefined if there is none that can be read */
export async function readCheckpointGround(storage: Storage): Promise<CheckpointGround | undefined> {
  try {
    return await readIndex(storage);
  } catch {
    return undefined;
  }
}

/** Replaces the stored checkpoint by another. */
export async function writeCheckpoint(
  storage: Storage,
  { arrays: values, ...rest }: Checkpoint,
  { rows, files }: CheckpointGround,
): Promise<void> {
  const arrays: Index['arrays'] = {};
  for (const [n, [name, numbers]] of Object.entries(values).entries()) {
    const file = `${FOLDER}/${rest.cycle}/${n}.npy`;
    const bytes = formatNpy([numbers.length], numbers);
    await storage.writeWhole(file, bytes);
    arrays[name] = { file, ...(await extentOf(bytes)) };
  }
  // In the order of the schema, in which the checksum is formed again when it is read.
  const index = indexSchema.omit({ sha256: true }).parse({ format: 2, ...rest, arrays, rows, files });
  const sealed = { ...index, sha256: await checksumOf(index) };
  await storage.writeWhole(INDEX, `${JSON.stringify(sealed, null, 2)}\n`);
  await removeOtherCheckpoints(storage, rest.cycle);
}

/** Removes arrays of checkpoints that are not the one of a cycle: older ones, and what was left half-way. */
export async function removeOtherCheckpoints(storage: Storage, cycle: number | undefined): Promise<void> {
  for (const other of await storage.list(FOLDER)) {
    if (other !== String(cycle)) await storage.remove(`${FOLDER}/${other}`);
  }
}

/**
 * @returns the stored checkpoint, or undefined where the run had none yet
 * @throws ScenarioError when a file of it is missing, damaged or of another checkpoint
 */
export async function readCheckpoint(storage: Storage): Promise<StoredCheckpoint | undefined> {
  const index = await readIndex(storage);
  if (!index) return undefined;
  const { format: _format, arrays: stored, rows, files, sha256: _sha256, ...rest } = index;
  const arrays: Record<string, Float64Array> = {};
  for (const [name, written] of Object.entries(stored)) {
    const { file } = written;
    const bytes = await storage.read(file);
    if (!bytes) throw new ScenarioError([{ file, path: [], message: 'this file of the checkpoint is missing' }]);
    const problem = extentProblem(await extentOf(bytes), written);
    if (problem !== undefined) throw new ScenarioError([{ file, path: [], message: problem }]);
    arrays[name] = parseNpy(bytes, file).data;
  }
  return { checkpoint: { ...rest, arrays }, ground: { rows, files } };
}
