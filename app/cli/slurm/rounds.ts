/** An array of tasks is recorded and watched, and once all tasks have ended, those that were lost are submitted again. */
import type { TaskRequest } from './request.ts';
import { taskKey, parseIndices, type Loss, type TaskState, type TaskStates, type Slurm } from './client.ts';
import { z } from 'zod';
import { ScenarioError, parseDocument, formatRanges } from '../../../engine/index.ts';
import { disk } from '../../files/disk.ts';
import { readRegularFile } from '../../files/regular-file.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import { SlurmError } from '../context.ts';

/** Milliseconds between two questions. A controller serves many people: it is not to be asked every second. */
export interface Pace {
  readonly shortest: number;
  readonly longest: number;
}

const USUAL_PACE: Pace = { shortest: 2000, longest: 60_000 };
/** How much longer each pause is than the one before. */
const SLOWER = 1.4;
/** Questions in a row that may go without an answer: a quarter of an hour at the usual pace. */
const MOST_UNANSWERED = 20;
/** Answers in a row in which neither queue nor accounting knows of a task. */
const MOST_ABSENT = 5;

interface WatchOptions {
  readonly pace?: Pace;
  /** Ends the watching; tasks continue. */
  readonly signal: AbortSignal;
  /** Called after every answer. */
  readonly onAnswer: (states: TaskStates) => Promise<void>;
  /** Called for the first of several questions without an answer. */
  readonly onSilence: (error: SlurmError) => void;
}

/** Tasks of one job. */
interface Tasks {
  readonly job: string;
  readonly chunks: readonly number[];
}

function whenAborted(signal: AbortSignal): Promise<undefined> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(undefined);
    else signal.addEventListener('abort', () => resolve(undefined), { once: true });
  });
}

/** Whether it is known that a task has ended. */
export function hasEnded(state: TaskState | undefined): boolean {
  return state?.kind === 'complete' || state?.kind === 'lost';
}

/**
 * @returns states of the tasks, each complete, lost, or not known; undefined when the signal came first
 * @throws SlurmError where Slurm gives no answer for long
 */
export async function watchTasks(
  slurm: Pick<Slurm, 'statesOf'>,
  tasks: readonly Tasks[],
  { pace = USUAL_PACE, signal, onAnswer, onSilence }: WatchOptions,
): Promise<TaskStates | undefined> {
  const jobs = [...new Set(tasks.map(({ job }) => job))];
  const keys = tasks.flatMap(({ job, chunks }) => chunks.map((chunk) => taskKey(job, chunk)));
  let unanswered = 0;
  let absent = 0;
  let wait = pace.shortest;
  let outline = '';
  const aborted = whenAborted(signal);
  for (;;) {
    try {
      const states = await Promise.race([slurm.statesOf(jobs), aborted]);
      if (!states) return undefined;
      unanswered = 0;
      await onAnswer(states);
      const open = keys.filter((key) => !hasEnded(states.get(key)));
      absent = open.some((key) => states.has(key)) ? 0 : absent + 1;
      if (open.length === 0 || absent >= MOST_ABSENT) return states;
      // A fingerprint of what the user would see change.
      const now = [...states].map(([key, { kind }]) => `${key} ${kind}`).join('\n');
      wait = now === outline ? Math.min(pace.longest, wait * SLOWER) : pace.shortest;
      outline = now;
    } catch (error) {
      if (!(error instanceof SlurmError)) throw error;
      unanswered += 1;
      if (unanswered === 1) onSilence(error);
      if (unanswered >= MOST_UNANSWERED) throw error;
      wait = Math.min(pace.longest, wait * SLOWER);
    }
    const waited = await sleep(wait, true, { signal }).catch(() => false);
    if (!waited) return undefined;
  }
}

const MOST_RECORD_BYTES = 2 ** 24;

const requestSchema = z.object({
  minutes: z.int().min(1),
  mebibytes: z.int().min(1),
  cpus: z.int().min(1),
  gres: z.string(),
});

const chunksSchema = z.string().transform((text, context) => {
  const chunks = parseIndices(text);
  if (chunks) return chunks;
  context.addIssue({ code: 'custom', message: 'allowed: indices as Slurm has them, 0-3,7' });
  return z.NEVER;
});

const jobSchema = z.object({
  job: z.string().regex(/^\d+$/),
  chunks: chunksSchema,
  request: requestSchema,
});

const recordSchema = z.object({
  format: z.literal(1),
  /** Hash of all that determines which cases are in which chunk. */
  plan: z.string(),
  chunkCount: z.int().min(1),
  /** In the order in which they were submitted: of a chunk, the latest that has it. */
  jobs: z.array(jobSchema),
});

/** `slurm/jobs.json` of a sweep's folder: which job runs which chunks, so that they are found again after the command has ended. */
export type JobsRecord = Readonly<z.infer<typeof recordSchema>>;
export type SubmittedJob = JobsRecord['jobs'][number];

/** @returns undefined if there is none. @throws ScenarioError naming what is wrong with it */
export async function readJobs(path: string): Promise<JobsRecord | undefined> {
  let bytes: Uint8Array;
  try {
    bytes = await readRegularFile(path, MOST_RECORD_BYTES);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  const record = parseDocument(bytes, path, recordSchema, MOST_RECORD_BYTES);
  const beyond = record.jobs.findIndex(({ chunks }) => chunks.some((chunk) => chunk < 1 || chunk > record.chunkCount));
  if (beyond < 0) return record;
  const message = `found ${formatRanges(record.jobs[beyond].chunks)}, allowed: chunks from 1 to ${record.chunkCount}`;
  throw new ScenarioError([{ file: path, path: ['jobs', beyond, 'chunks'], message }]);
}

/** @throws WriteError */
export async function writeJobs(path: string, record: JobsRecord): Promise<void> {
  const jobs = record.jobs.map((job) => ({ ...job, chunks: formatRanges(job.chunks) }));
  await disk.writeWhole(path, `${JSON.stringify({ ...record, jobs }, null, 2)}\n`);
}

/** Tries of a chunk: one that is lost so often is not lost by chance. */
const MOST_TRIES = 3;
/** How much more a task asks for that ran out of time or memory. */
const MORE = 2;
/** Exit code of bad usage or bad input, which would be the same again. */
const HOPELESS_EXIT_CODE = 2;

/** A chunk by the latest job that has it. */
export interface Chunk {
  readonly chunk: number;
  readonly job: string;
  readonly request: TaskRequest;
  readonly tries: number;
  /** Undefined if Slurm has no record of the task. */
  readonly state: TaskState | undefined;
}

export interface LostChunk extends Chunk {
  readonly loss: Loss;
  readonly exitCode: number | undefined;
}

/** An array to submit. */
export interface Submission {
  readonly chunks: readonly number[];
  readonly request: TaskRequest;
  /** Whether cases that failed before are tried again: what ended their task may have been why. */
  readonly retry: boolean;
}

export interface Round {
  readonly lost: readonly LostChunk[];
  /** All that was lost was cancelled, and by more than one task: somebody wants it ended. */
  readonly cancelled: boolean;
  readonly submissions: readonly Submission[];
  /** Lost too often, or for a reason that stays. */
  readonly givenUp: readonly LostChunk[];
}

/** @returns chunks by their number */
export function chunksOf(jobs: readonly SubmittedJob[], states: TaskStates): ReadonlyMap<number, Chunk> {
  const chunks = new Map<number, Chunk>();
  for (const { job, chunks: those, request } of jobs) {
    for (const chunk of those) {
      const tries = (chunks.get(chunk)?.tries ?? 0) + 1;
      chunks.set(chunk, { chunk, job, request, tries, state: states.get(taskKey(job, chunk)) });
    }
  }
  return chunks;
}

/** @returns what a chunk asks for when it is run again */
export function raised(request: TaskRequest, loss: Loss): TaskRequest {
  if (loss === 'time') return { ...request, minutes: MORE * request.minutes };
  if (loss === 'memory') return { ...request, mebibytes: MORE * request.mebibytes };
  return request;
}

/** A chunk to submit, with what it asks for. */
export interface WantedChunk extends Omit<Submission, 'chunks'> {
  readonly chunk: number;
}

/** @returns arrays of chunks that ask for the same, chunks ascending */
export function arraysOf(wanted: readonly WantedChunk[]): Submission[] {
  const arrays = new Map<string, Omit<Submission, 'chunks'> & { readonly chunks: number[] }>();
  for (const { chunk, request, retry } of wanted) {
    const key = JSON.stringify([request, retry]);
    const array = arrays.get(key) ?? { chunks: [], request, retry };
    array.chunks.push(chunk);
    arrays.set(key, array);
  }
  return [...arrays.values()].map((array) => ({ ...array, chunks: array.chunks.sort((a, b) => a - b) }));
}

/** Whether another try would end the same way. */
function isHopeless({ tries, loss, exitCode }: LostChunk): boolean {
  return tries >= MOST_TRIES || (loss === 'failed' && exitCode === HOPELESS_EXIT_CODE);
}

/** @param chunks none of which waits or runs */
export function planRound(chunks: ReadonlyMap<number, Chunk>): Round {
  const lost = [...chunks.values()].flatMap((chunk): LostChunk[] => {
    const { state } = chunk;
    if (state?.kind === 'complete') return [];
    const known = state?.kind === 'lost' ? state : undefined;
    return [{ ...chunk, loss: known?.loss ?? 'vanished', exitCode: known?.exitCode }];
  });
  const allCancelled = lost.length > 0 && lost.every(({ loss }) => loss === 'cancelled');
  const cancelled = allCancelled && (lost.length > 1 || chunks.size === 1);
  const again = cancelled ? [] : lost.filter((chunk) => !isHopeless(chunk));
  return {
    lost,
    cancelled,
    submissions: arraysOf(
      again.map(({ chunk, request, loss }) => ({ chunk, request: raised(request, loss), retry: true })),
    ),
    givenUp: cancelled ? [] : lost.filter(isHopeless),
  };
}

const LOSS_WORDS: Readonly<Record<Loss, string>> = {
  cancelled: 'cancelled',
  time: 'out of time',
  memory: 'out of memory',
  node: 'lost with their node',
  preempted: 'preempted',
  failed: 'failed',
  vanished: 'forgotten by Slurm',
};

/** @returns `2 failed, 1 out of time` */
export function describeLosses(lost: readonly LostChunk[]): string {
  const counts = new Map<Loss, number>();
  for (const { loss } of lost) counts.set(loss, (counts.get(loss) ?? 0) + 1);
  return [...counts].map(([loss, count]) => `${count} ${LOSS_WORDS[loss]}`).join(', ');
}
