/**
 * What a sweep asks the cluster for: its division into tasks, the time and memory of each, and the script of the job. Time and memory
 * come from the estimates, with margins that are stated here: a task that asks for too little is ended before its time, one that asks
 * for too much waits longer for its turn.
 */
import { THREADS_OF_ESTIMATE } from '../sweep/pool.ts';
import { shown, formatRanges, type BackendName, type SweepPlan } from '../../../engine/index.ts';
import { UsageError } from '../context.ts';
import { casesOfChunk, groupsOf } from '../sweep/definition-source.ts';
import { shellWords } from '../../format/paths.ts';

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

/** What the tasks of a sweep have to do, by estimate. */
interface Workload {
  /** Seconds of the longest chunk, its cases one after the other. */
  readonly chunkSeconds: number;
  /** Seconds of the longest case: more workers do not shorten it. */
  readonly caseSeconds: number;
  /** Bytes of the largest case. */
  readonly caseBytes: number;
}

export interface TaskRequest {
  readonly minutes: number;
  /** Memory of the whole task, MiB. */
  readonly mebibytes: number;
  readonly cpus: number;
  /** Generic resources, as Slurm has them; none where it is empty. */
  readonly gres: string;
}

/** Cores of a task, a worker each. */
export const USUAL_CPUS = 2;
/** The estimate is good to a factor of three, and cores of a cluster may be slower than those it was made for. */
const TIME_MARGIN = 4;
/** Reading the program over a network's file system, planning, starting workers. */
const START_MINUTES = 5;

/** Histories and garbage come on top of the estimate, and cases that share truth and observations run together if there is room. */
const MEMORY_MARGIN = 2;
/** Node with the program and its kernels, of a worker and of the process that gives them their cases. */
const PROCESS_MEBIBYTES = 384;

/** @returns processes of a task that compute: a GPU is one, however many ask it */
export function workersOf(backend: BackendName, cpus: number): number {
  return backend === 'webgpu' ? 1 : cpus;
}

/** @returns seconds that a task takes, by estimate */
function taskSeconds({ chunkSeconds, caseSeconds }: Workload, backend: BackendName, cpus: number): number {
  const slower = backend === 'wasm' ? THREADS_OF_ESTIMATE : 1;
  return slower * Math.max(caseSeconds, chunkSeconds / workersOf(backend, cpus));
}

/** @param backend where the tasks compute */
export function requestTask(workload: Workload, backend: BackendName, options: SlurmOptions): TaskRequest {
  const cpus = options.cpus ?? USUAL_CPUS;
  const seconds = taskSeconds(workload, backend, cpus);
  const held = workersOf(backend, cpus) * (PROCESS_MEBIBYTES + (MEMORY_MARGIN * workload.caseBytes) / 2 ** 20);
  return {
    minutes: options.minutes ?? START_MINUTES + Math.ceil((TIME_MARGIN * seconds) / 60),
    mebibytes: options.mebibytes ?? Math.ceil(PROCESS_MEBIBYTES + held),
    cpus,
    gres: options.gres ?? (backend === 'webgpu' ? 'gpu:1' : ''),
  };
}

/** @returns `1-02:30:00`, as Slurm has times */
export function timeText(minutes: number): string {
  const days = Math.floor(minutes / 1440);
  const [hours, rest] = [Math.floor(minutes / 60) % 24, minutes % 60].map((value) => String(value).padStart(2, '0'));
  const clock = `${hours}:${rest}:00`;
  return days > 0 ? `${days}-${clock}` : clock;
}

/** Tasks of an array: as many as Slurm takes where nobody has changed it. */
const MOST_CHUNKS = 1000;
/** A task that is over sooner costs a cluster more than it is worth; one that lasts longer leaves others without work. */
const CHUNK_SECONDS = 300;

/** How a sweep is divided into tasks, and what they will have to do. */
interface Division {
  readonly chunkCount: number;
  readonly workload: Workload;
}

/**
 * @param cpus of a task
 * @param chunkSize cases of a task, about: groups of cases stay together
 * @throws UsageError if there would be more tasks than Slurm takes
 */
export function divide(plan: SweepPlan, cpus: number, chunkSize: number | undefined): Division {
  const groups = groupsOf(plan);
  const secondsOf = (cases: readonly number[]): number =>
    cases.reduce((sum, index) => sum + plan.seconds[Math.floor(index / plan.seeds.length)], 0);
  const caseSeconds = plan.seconds.reduce((most, seconds) => Math.max(most, seconds), 0);
  const workloadOf = (chunkSeconds: number): Workload => ({ chunkSeconds, caseSeconds, caseBytes: plan.bytes });
  const whole = taskSeconds(workloadOf(secondsOf(groups.flat())), plan.origin.backend.name, cpus);
  const wished =
    chunkSize === undefined
      ? Math.min(MOST_CHUNKS, Math.ceil(whole / CHUNK_SECONDS))
      : Math.ceil(plan.count / chunkSize);
  const chunkCount = Math.max(1, Math.min(groups.length, wished));
  if (chunkCount > MOST_CHUNKS) {
    throw new UsageError(
      `--chunk-size ${chunkSize}: makes ${chunkCount} tasks of ${plan.count} cases, allowed: ${MOST_CHUNKS}; ` +
        `use --chunk-size ${Math.ceil(plan.count / MOST_CHUNKS)} or more`,
    );
  }
  let longest = 0;
  for (let part = 1; part <= chunkCount; part++) {
    longest = Math.max(longest, secondsOf(casesOfChunk(groups, { part, of: chunkCount })));
  }
  return { chunkCount, workload: workloadOf(longest) };
}

/** The script of a job: an array whose tasks each run one chunk of a sweep. [slurm: sbatch(1)] */
export interface Job {
  /** Name of the sweep. */
  readonly name: string;
  /** Absolute path of the folder that tasks write into what they say. */
  readonly logFolder: string;
  /** Chunks that are run, from 1, ascending: the array's indices. */
  readonly chunks: readonly number[];
  /** Tasks that run at once, at most; as many as there is room for where undefined. */
  readonly atOnce: number | undefined;
  readonly request: TaskRequest;
  readonly others: SlurmOptions['others'];
  /** The program and its arguments, all but the chunk. */
  readonly command: readonly string[];
  /** In how many chunks the sweep is divided. */
  readonly chunkCount: number;
}

/** @returns a value of a line `#SBATCH`, one word whatever is in it: sbatch takes quotes and backslashes as a shell does */
function directiveValue(value: string): string {
  return /^[\w./:=@%+,-]+$/.test(value) ? value : `"${value.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
}

/** Where a task writes what it says, by Slurm's pattern of job and task. @throws UsageError for a folder that no pattern can name */
function logPattern(folder: string): string {
  // oxlint-disable-next-line no-control-regex -- a script's line would end there
  if (/[\\\u0000-\u001f\u007f]/.test(folder)) {
    throw new UsageError(
      `${shown(folder)}: Slurm takes no folder whose name has a backslash or a control character; use another for the sweep`,
    );
  }
  return `${folder.replaceAll('%', '%%')}/%A_%a.log`;
}

/** @returns the file that a task writes what it says into */
export function logPath(folder: string, job: string, task: number): string {
  return `${folder}/${job}_${task}.log`;
}

/**
 * @returns the text for `sbatch`: it may be read, kept, and submitted by hand
 * @throws UsageError
 */
export function jobScript({ name, logFolder, chunks, atOnce, request, others, command, chunkCount }: Job): string {
  const { minutes, mebibytes, cpus, gres } = request;
  const options: readonly (readonly [string, string | undefined])[] = [
    ['job-name', `shoal ${name}`],
    ['array', formatRanges(chunks) + (atOnce === undefined ? '' : `%${atOnce}`)],
    ['time', timeText(minutes)],
    ['mem', `${mebibytes}M`],
    ['ntasks', '1'],
    ['cpus-per-task', String(cpus)],
    ...(gres === '' ? [] : [['gres', gres] as const]),
    ['output', logPattern(logFolder)],
    // What Slurm takes back for a node that failed or work that goes first, it runs again by itself; finished cases stay.
    ['requeue', undefined],
    ['open-mode', 'append'],
    ...others,
  ];
  const lines = options.map(([option, value]) => {
    return `#SBATCH --${option}${value === undefined ? '' : `=${directiveValue(value)}`}`;
  });
  return [
    '#!/bin/sh',
    ...lines,
    '',
    `exec ${shellWords(command)} --chunk "$SLURM_ARRAY_TASK_ID/${chunkCount}"`,
    '',
  ].join('\n');
}
