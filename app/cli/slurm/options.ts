/** What the user asks of Slurm in addition to what the sweep needs: `--slurm-option name=value`, as the lines of a job's script have it. */
import { shown } from '../../../engine/index.ts';
import { UsageError } from '../failure.ts';

/** Options of a job. Those omitted are estimated, or left to the cluster. */
export interface SlurmOptions {
  readonly minutes?: number;
  readonly mebibytes?: number;
  readonly cpus?: number;
  /** Generic resources, `gpu:1`; none where it is empty. */
  readonly gres?: string;
  /** Handed on as they are; the value is undefined of an option that has none. */
  readonly others: readonly (readonly [name: string, value: string | undefined])[];
}

const MOST_VALUE = 1024;

/** Options that the sweep sets, or that would keep it from finding its tasks again, each with what to do instead. */
const RESERVED: Readonly<Record<string, string>> = {
  array: 'the chunks of the sweep are the array; --chunk-size and --at-once shape it',
  chdir: 'tasks run in the sweep’s folder',
  clusters: 'the tasks of one cluster are watched',
  error: 'what tasks say is kept in the folder slurm of the sweep',
  export: 'tasks get the environment of this command',
  'job-name': 'jobs are named for the sweep',
  'mem-per-cpu': 'give mem, of a whole task',
  'mem-per-gpu': 'give mem, of a whole task',
  nodes: 'a task runs on one',
  'no-requeue': 'tasks can be run again',
  ntasks: 'a task is one process with its workers; give cpus-per-task',
  output: 'what tasks say is kept in the folder slurm of the sweep',
  parsable: 'it is set already',
  requeue: 'it is set already',
  'test-only': 'use --dry-run',
  wait: 'the tasks are watched',
  wrap: 'the script is the sweep’s',
};

const MINUTES_FORM = 'minutes, hours:minutes:seconds, or days-hours, days-hours:minutes, days-hours:minutes:seconds';

/** @returns minutes, rounded up; undefined for what is no time as Slurm has it */
export function parseMinutes(text: string): number | undefined {
  const [, days, clock = ''] = /^(?:(\d{1,5})-)?(\d{1,7}(?::\d{1,2}){0,2})$/.exec(text) ?? [];
  if (clock === '') return undefined;
  const parts = clock.split(':').map(Number);
  // With days, hours come first; without, two numbers are minutes and seconds, and one is minutes.
  const [hours, minutes, seconds] =
    days !== undefined
      ? [parts[0], parts[1] ?? 0, parts[2] ?? 0]
      : parts.length === 3
        ? parts
        : [0, parts[0], parts[1] ?? 0];
  const total = (Number(days ?? 0) * 24 + hours) * 60 + minutes + Math.ceil(seconds / 60);
  return total > 0 ? total : undefined;
}

const UNIT_MEBIBYTES: Readonly<Record<string, number>> = { K: 1 / 1024, M: 1, G: 1024, T: 1024 * 1024 };

/** @returns mebibytes, rounded up; undefined for what is no size as Slurm has it */
export function parseMebibytes(text: string): number | undefined {
  const [, size, unit = 'M'] = /^(\d{1,9})([KMGT])?$/i.exec(text) ?? [];
  if (size === undefined) return undefined;
  const mebibytes = Math.ceil(Number(size) * UNIT_MEBIBYTES[unit.toUpperCase()]);
  return mebibytes > 0 ? mebibytes : undefined;
}

function parseCpus(text: string): number | undefined {
  const cpus = Number(text);
  return /^\d{1,4}$/.test(text) && cpus > 0 ? cpus : undefined;
}

/** @throws UsageError */
function needed<Value>(value: Value | undefined, given: string, form: string): Value {
  if (value !== undefined) return value;
  throw new UsageError(`--slurm-option ${shown(given)}: the value is not understood; allowed: ${form}`);
}

/** @returns name and value of one option. @throws UsageError */
function splitOption(word: string): readonly [name: string, value: string | undefined] {
  const [, name, value] = /^([a-z][a-z-]{0,63})(?:=(.*))?$/s.exec(word) ?? [];
  if (name === undefined) {
    throw new UsageError(
      `--slurm-option ${shown(word)}: write name=value, a long option of sbatch without its dashes, for example partition=debug`,
    );
  }
  if (Object.hasOwn(RESERVED, name)) {
    throw new UsageError(`--slurm-option ${shown(word)}: ${name} is not taken: ${RESERVED[name]}`);
  }
  // oxlint-disable-next-line no-control-regex -- they would end the script's line, or be obeyed by a terminal
  if (value !== undefined && (value.length > MOST_VALUE || /[\u0000-\u001f\u007f]/.test(value))) {
    throw new UsageError(
      `--slurm-option ${shown(word)}: allowed: at most ${MOST_VALUE} characters without line breaks and control characters`,
    );
  }
  return [name, value];
}

/** Reads the values that the sweep works with itself. */
const READERS = {
  time: (value: string, word: string) => ({ minutes: needed(parseMinutes(value), word, MINUTES_FORM) }),
  mem: (value: string, word: string) => ({
    mebibytes: needed(parseMebibytes(value), word, 'a whole number with K, M, G or T'),
  }),
  'cpus-per-task': (value: string, word: string) => ({
    cpus: needed(parseCpus(value), word, 'whole numbers from 1 to 9999'),
  }),
  gres: (value: string) => ({ gres: value }),
} as const;

function hasReader(name: string): name is keyof typeof READERS {
  return Object.hasOwn(READERS, name);
}

/**
 * @param given `name=value`, or `name` where the option has none, without dashes before it; of one that comes twice, the last
 * @throws UsageError naming what was found and what is allowed
 */
export function parseSlurmOptions(given: readonly string[]): SlurmOptions {
  const words = given.map((word) => [word, ...splitOption(word)] as const);
  const read = words.map(([word, name, value = '']) => (hasReader(name) ? READERS[name](value, word) : {}));
  const others = words.flatMap(([, name, value]) => (hasReader(name) ? [] : [[name, value] as const]));
  return Object.assign({ others }, ...read) as SlurmOptions;
}
