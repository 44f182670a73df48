/** The script of a job: an array whose tasks each run one chunk of a sweep. [slurm: sbatch(1)] */
import { shown } from '../../../engine/index.ts';
import { UsageError } from '../failure.ts';
import { shellWords } from '../../files/shell-words.ts';
import { formatIndices } from './array-indices.ts';
import type { SlurmOptions } from './options.ts';
import { timeText } from './request.ts';
import type { TaskRequest } from './request.ts';

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
    ['array', formatIndices(chunks) + (atOnce === undefined ? '' : `%${atOnce}`)],
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
