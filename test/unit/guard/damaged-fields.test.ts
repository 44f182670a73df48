/**
 * Damaged files of a run's states: bytes changed, cut off, overwritten, at places of a fixed seed. What is read of each is what was
 * written, or an error that names the file; nothing else, and never without an end.
 */
import { File, ready } from 'h5wasm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { CaseError, createMemoryStorage, guardHdf5, openFields, ScenarioError, TRUTH } from '../../../engine/index.ts';
import type { FieldsReader, OpenHdf5, Storage } from '../../../engine/index.ts';
import { NETCDF_FILE } from '../../../engine/output/fields/netcdf-parts.ts';
import { randomStream } from '../../../engine/random/stream.ts';
import { buildHdf5Thread } from '../../setup/hdf5-thread.ts';
import type { Hdf5Threads } from '../../setup/hdf5-thread.ts';
import { CYCLES, storedRun } from '../../setup/stored-run.ts';

/** Number of files of each kind; many more were tried by hand. */
const COUNT = Number(process.env['SHOAL_DAMAGED_FILES'] ?? 4);

let threads: Hdf5Threads;
let openHdf5: OpenHdf5;
let run: Storage;
let whole: Uint8Array;

beforeAll(async () => {
  threads = await buildHdf5Thread();
  openHdf5 = guardHdf5(() => threads.start());
  run = await storedRun('netcdf');
  whole = (await run.read(NETCDF_FILE)) ?? new Uint8Array();
});
afterAll(() => threads.dispose());

async function planesOf(reader: FieldsReader): Promise<unknown> {
  const found: unknown[] = [reader.cycles, reader.members];
  for (const cycle of CYCLES) {
    for (const variable of reader.variables) {
      found.push(await reader.readPlane({ cycle, of: TRUTH, variable }));
      for (const of of reader.methods) {
        for (const when of ['forecast', 'analysis-spread'] as const) {
          found.push(await reader.readPlane({ cycle, of, variable, when }));
        }
        for (const member of reader.members) found.push(await reader.readPlane({ cycle, of, variable, member }));
      }
    }
  }
  return found;
}

/** @returns what is read of a file's planes, or the error */
async function outcomeOf(bytes: Uint8Array): Promise<unknown> {
  const storage = createMemoryStorage();
  for (const path of ['run.json']) await storage.writeWhole(path, (await run.read(path)) ?? '');
  await storage.writeWhole(NETCDF_FILE, bytes);
  let reader: FieldsReader | undefined;
  try {
    reader = await openFields(storage, openHdf5);
    return reader && (await planesOf(reader));
  } catch (error) {
    return error;
  } finally {
    reader?.dispose();
  }
}

const KINDS = {
  'one bit': (bytes: Uint8Array, place: number, number: number) => {
    bytes[place] ^= 1 << (number % 8);
    return bytes;
  },
  'one byte': (bytes: Uint8Array, place: number, number: number) => {
    bytes[place] ^= 1 + (number % 255);
    return bytes;
  },
  'a row of bytes': (bytes: Uint8Array, place: number, number: number) =>
    bytes.fill(number % 256, place, place + 1 + (number % 64)),
  'the end': (bytes: Uint8Array, place: number) => bytes.subarray(0, place),
} as const;

it.each(Object.keys(KINDS) as (keyof typeof KINDS)[])(
  'damaged by %s: the planes that were written, or an error that names the file',
  async (kind) => {
    const expected = await outcomeOf(whole);
    expect(Array.isArray(expected)).toBe(true);
    const wrong: string[] = [];
    let errors = 0;
    for (let n = 0; n < COUNT; n++) {
      const draw = randomStream(1, `test.damage.${kind}`, n, 0);
      const place = Math.floor(draw.uniform() * whole.length);
      const number = Math.floor(draw.uniform() * 2 ** 16);
      const outcome = await outcomeOf(KINDS[kind](whole.slice(), place, number));
      const isError = outcome instanceof CaseError || outcome instanceof ScenarioError;
      if (isError) errors += 1;
      const isRight = isError ? outcome.message.startsWith('fields.nc: ') : isSame(outcome, expected);
      if (!isRight) wrong.push(`${kind}, place ${place}, number ${number}: ${String(outcome)}`.slice(0, 500));
    }
    expect(wrong).toStrictEqual([]);
    // What is cut off is missed; all else may have changed what nobody reads.
    expect(errors).toBeGreaterThanOrEqual(kind === 'the end' ? COUNT : 0);
  },
);

function isSame(found: unknown, expected: unknown): boolean {
  return JSON.stringify(found) === JSON.stringify(expected);
}

it('reports a plane that is another one than was written', async () => {
  // A damaged list of chunks leads to another plane, or to zeros.
  const { FS } = await ready;
  FS.writeFile('/other.nc', whole);
  const file = new File('/other.nc', 'a');
  const truth = file.get('truth_eta');
  if (!truth || !('write_slice' in truth)) throw new Error('no truth');
  const [, ny, nx] = truth.shape ?? [];
  truth.write_slice(
    [
      [1, 2],
      [0, ny],
      [0, nx],
    ],
    new Float32Array(ny * nx),
  );
  file.close();
  expect(await outcomeOf(FS.readFile('/other.nc'))).toStrictEqual(
    new CaseError(
      `fields.nc: truth_eta of cycle ${CYCLES[1]}: the plane is not the one that was written (checksum); the file is damaged: take a copy of it that is whole, or write it again`,
    ),
  );
});
