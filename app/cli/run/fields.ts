/** The states that a run is asked to keep: which, how large they are, whether there is room for them, and how they are written. */
import { statfs } from 'node:fs/promises';
import { dirname, resolve, join } from 'node:path';
import {
  fieldsSize,
  formatRanges,
  LimitError,
  createFieldsWriter,
  DIAGNOSTICS_FILE,
  FIELDS_FILE,
  NETCDF_FILE,
  readFields,
  readFieldsGround,
  readRows,
  ScenarioError,
} from '../../../engine/index.ts';
import type { FieldsSize, RunRecord, Scenario, OpenHdf5 } from '../../../engine/index.ts';
import { UsageError, type Terminal } from '../context.ts';
import type { RunOptions } from './options.ts';
import { disk } from '../../files/disk.ts';
import type { ClaimedFolder } from './folder.ts';
import { createBar } from './progress.ts';

/** @returns what the system said, out of what HDF5 says about it in many lines */
function hdfReason(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return /error message = '([^']+)'/.exec(text)?.[1] ?? text.split('\n')[0];
}

/**
 * @param record of the run as it ended
 * @param openHdf5 reads the NetCDF-4 files that its scenario names
 * @throws WriteError; ScenarioError where what was kept is broken
 */
export async function writeNetcdf(
  terminal: Terminal,
  { absolutePath, path, storage }: Pick<ClaimedFolder, 'absolutePath' | 'path' | 'storage'>,
  record: RunRecord,
  openHdf5: OpenHdf5,
): Promise<void> {
  const kept = record.files?.[FIELDS_FILE];
  if (!kept || kept.bytes === 0) return;
  const { File, ready } = await import('h5wasm/node');
  // Otherwise what goes wrong is printed, and the file is said to be written.
  (await ready).activate_throwing_error_handler();
  const ground = await readFieldsGround(storage, record, openHdf5);
  const bar = createBar(terminal, '{bar} {percentage} % | writing fields.nc | ETA {eta_formatted}');
  const cycles = Math.floor(record.completedCycles / (record.fields?.every ?? 1));
  bar.start(cycles, 0);
  try {
    await disk.makeWhole(join(absolutePath, NETCDF_FILE), async (fresh) => {
      try {
        const file = new File(fresh, 'w', { track_order: true, libver: ['v108', 'v110'] });
        const writer = createFieldsWriter(file, ground);
        for await (const snapshot of readFields(storage, kept)) {
          writer.add(snapshot);
          bar.update(writer.count);
        }
        await readRows(storage, record.files?.[DIAGNOSTICS_FILE], record, (row) => writer.addDiagnostics(row));
        writer.finish();
        // After an error HDF5 is in no state to close it.
        file.close();
      } catch (error) {
        throw error instanceof ScenarioError ? error : new Error(hdfReason(error));
      }
    });
  } finally {
    bar.stop();
  }
  // Nothing continues from a run that is complete, and all that was kept is in the file.
  if (record.state === 'complete') await storage.remove(FIELDS_FILE);
  terminal.note(`states: ${join(path, NETCDF_FILE)}`);
}

type Fields = NonNullable<RunRecord['fields']>;
type FieldsOptions = Pick<RunOptions, 'fields' | 'every' | 'members'>;

/** @returns the options that ask for them */
function fieldsOptionsText(fields: Fields | undefined): string {
  if (!fields) return '--fields none';
  const { every, members } = fields;
  const what = members ? `--fields members --members ${formatRanges(members)}` : '--fields mean';
  return `${what} --every ${every}`;
}

/** @throws UsageError where options do not go together, or name a member that there is not */
function askedFields({ fields, every, members }: FieldsOptions, { background }: Scenario): Fields | undefined {
  const isKept = fields === 'mean' || fields === 'members';
  if (every !== undefined && !isKept) throw new UsageError('--every: goes with --fields mean or --fields members');
  if (members && fields !== 'members') throw new UsageError('--members: goes with --fields members');
  if (!isKept) return undefined;
  if (fields === 'mean') return { every: every ?? 1 };
  const last = background.members - 1;
  const beyond = members?.find((member) => member > last);
  if (beyond !== undefined) {
    throw new UsageError(`--members: found ${beyond}, the ensemble has the members 0 to ${last}`);
  }
  return { every: every ?? 1, members: members ?? Array.from({ length: background.members }, (_, i) => i) };
}

/**
 * @param stored of the run that continues: it keeps what it began with
 * @returns which states are kept
 * @throws UsageError where a run that continues is asked for something else, or options do not go together
 */
export function fieldsOf(
  options: FieldsOptions,
  scenario: Scenario,
  stored: RunRecord | undefined,
): Fields | undefined {
  const asked = askedFields(options, scenario);
  if (!stored || options.fields === undefined) return stored ? stored.fields : asked;
  if (fieldsOptionsText(stored.fields) === fieldsOptionsText(asked)) return stored.fields;
  throw new UsageError(`cannot be resumed: the run began with ${fieldsOptionsText(stored.fields)}`);
}

function sizeText(bytes: number): string {
  const [unit, size] = bytes >= 2 ** 30 ? ['GiB', 2 ** 30] : ['MiB', 2 ** 20];
  return `${(bytes / size).toPrecision(3)} ${unit}`;
}

/** @returns how many cycles' states, how much of the disk, and how much memory, on one line */
export function describeFields({ cycles, cycleBytes, bytes, memoryBytes }: FieldsSize): string {
  return (
    `states of ${cycles} cycles, ${sizeText(cycleBytes)} each: about ${sizeText(bytes)} of the disk while it runs, ` +
    `as much again at most for fields.nc, and up to ${sizeText(memoryBytes)} of memory`
  );
}

/** @param folder which may not be there yet. @returns free bytes on the disk of the folder */
async function freeBytes(folder: string): Promise<number> {
  for (let path = resolve(folder); ; path = dirname(path)) {
    try {
      const { bavail, bsize } = await statfs(path);
      return bavail * bsize;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || dirname(path) === path) throw error;
    }
  }
}

/**
 * @param free bytes
 * @returns a warning if the states fit but the file made of them may not; undefined if both do
 * @throws LimitError where the states do not fit
 */
export function judgeRoom(size: FieldsSize, folder: string, free: number): string | undefined {
  const found = `${folder} has ${sizeText(free)} free`;
  if (size.bytes > free) {
    const remedy = 'keep fewer: --every, --members, --fields mean; or name a folder on another disk by --out';
    throw new LimitError(
      `The states of ${size.cycles} cycles need ${sizeText(size.bytes)} of the disk, ${found}; ${remedy}.`,
    );
  }
  if (2 * size.bytes <= free) return undefined;
  return `fields.nc may not find room beside the states that it is made of: up to ${sizeText(2 * size.bytes)} are needed, ${found}; where it does not, --resume makes it when there is room`;
}

/**
 * @param completed cycles of a run that continues
 * @returns what the states will take, with a warning
 * @throws LimitError where the disk has no room for them
 */
export async function checkFieldsRoom(
  scenario: Scenario,
  fields: Fields,
  { methods, folder, completed = 0 }: { methods: readonly string[] | undefined; folder: string; completed?: number },
): Promise<{ readonly size: FieldsSize; readonly warning: string | undefined }> {
  const size = fieldsSize(scenario, fields, methods, completed);
  return { size, warning: judgeRoom(size, folder, await freeBytes(folder)) };
}
