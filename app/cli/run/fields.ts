/** The states that a run is asked to keep: which, how large they are, and whether there is room for them. */
import { statfs } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { fieldsSize, formatMemberList, LimitError } from '../../../engine/index.ts';
import type { FieldsSize, RunRecord, Scenario } from '../../../engine/index.ts';
import { UsageError } from '../failure.ts';
import type { RunOptions } from './options.ts';

type Fields = NonNullable<RunRecord['fields']>;
type FieldsOptions = Pick<RunOptions, 'fields' | 'every' | 'members'>;

/** @returns the options that ask for them */
function fieldsOptionsText(fields: Fields | undefined): string {
  if (!fields) return '--fields none';
  const { every, members } = fields;
  const what = members ? `--fields members --members ${formatMemberList(members)}` : '--fields mean';
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
