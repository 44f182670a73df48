/**
 * A checkpoint as files: `checkpoint/<cycle>/<n>.npy` in float64, one an array, and `checkpoint.json` that names them. The
 * index is written last and the older arrays are removed after it, so that there is always one whole checkpoint.
 */
import { z } from 'zod';
import { CaseError } from '../errors.ts';
import type { Checkpoint } from '../experiment/index.ts';
import { formatNpy, parseNpy } from '../files/npy.ts';
import { readText } from './storage.ts';
import type { Storage } from './storage.ts';

const INDEX = 'checkpoint.json';
const FOLDER = 'checkpoint';

const indexSchema = z.object({
  cycle: z.number().int().min(0),
  fingerprint: z.string(),
  /** Path of each array, which does not leave the folder. */
  arrays: z.record(
    z.string(),
    z.string().regex(/^checkpoint\/\d+\/\d+\.npy$/, 'allowed is checkpoint/<cycle>/<n>.npy'),
  ),
});
type Index = z.output<typeof indexSchema>;

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new CaseError(`${INDEX}: not JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** The index as it lies there, which anybody may have changed. @throws CaseError naming the place and what is wrong */
async function readIndex(storage: Storage): Promise<Index | undefined> {
  const text = await readText(storage, INDEX);
  if (text === undefined) return undefined;
  const { data, error } = indexSchema.safeParse(parseJson(text));
  if (data) return data;
  const [{ path, message }] = error.issues;
  throw new CaseError(`${INDEX}: ${path.length === 0 ? '' : `${path.map(String).join('.')}: `}${message}`);
}

/** Replaces the stored checkpoint by another. */
export async function writeCheckpoint(storage: Storage, checkpoint: Checkpoint): Promise<void> {
  const { cycle, fingerprint } = checkpoint;
  const paths: Record<string, string> = {};
  for (const [n, [name, values]] of Object.entries(checkpoint.arrays).entries()) {
    paths[name] = `${FOLDER}/${cycle}/${n}.npy`;
    await storage.writeWhole(paths[name], formatNpy([values.length], values));
  }
  const index: Index = { cycle, fingerprint, arrays: paths };
  await storage.writeWhole(INDEX, `${JSON.stringify(index, null, 2)}\n`);
  for (const older of await storage.list(FOLDER)) {
    if (older !== String(cycle)) await storage.remove(`${FOLDER}/${older}`);
  }
}

/**
 * @returns the stored checkpoint, or undefined where the run had none yet
 * @throws CaseError when a file of it is missing or damaged
 */
export async function readCheckpoint(storage: Storage): Promise<Checkpoint | undefined> {
  const index = await readIndex(storage);
  if (!index) return undefined;
  const arrays: Record<string, Float64Array> = {};
  for (const [name, path] of Object.entries(index.arrays)) {
    arrays[name] = parseNpy((await storage.read(path)) ?? new Uint8Array(), path).data;
  }
  return { cycle: index.cycle, fingerprint: index.fingerprint, arrays };
}
