/**
 * A sweep through Slurm: submits its chunks as an array, watches until all have ended, submits again what was lost, and leaves
 * when it is asked to, while the jobs continue.
 */
import { join } from 'node:path';
import { formatRanges } from '../../../engine/index.ts';
import { disk } from '../../files/disk.ts';
import { UsageError, type Terminal } from '../context.ts';
import { SLURM_FOLDER } from '../sweep/folder.ts';
import { taskKey, type Slurm, type TaskStates } from './client.ts';
import { jobScript, logPath, timeText, type Job, type TaskRequest } from './request.ts';
import {
  hasEnded,
  readJobs,
  writeJobs,
  arraysOf,
  chunksOf,
  describeLosses,
  planRound,
  raised,
  watchTasks,
} from './rounds.ts';
import type { JobsRecord, LostChunk, Submission, Pace } from './rounds.ts';

const RECORD_FILE = 'jobs.json';

/** A sweep that is divided into chunks. */
export interface ChunkedSweep extends Omit<Job, 'chunks' | 'logFolder'> {
  /** Absolute path of the sweep's folder, with the one for Slurm in it. */
  readonly folder: string;
  /** Hash of all that determines which cases are in which chunk. */
  readonly plan: string;
  /** Whether cases that failed before are tried again. */
  readonly retry: boolean;
}

export interface SlurmProgress {
  /** @param states of all tasks, as far as they are known */
  show(states: TaskStates): Promise<void>;
  /** Takes away what is drawn, so that lines can be written. */
  clear(): void;
}

export interface ExecuteOptions {
  readonly resume: boolean;
  readonly signal: AbortSignal;
  readonly progress: SlurmProgress;
  readonly pace?: Pace;
}

export interface SlurmEnding {
  /** `complete`: every chunk was run; `lost`: some were not; `cancelled`: somebody ended the jobs; `left`: they continue. */
  readonly state: 'complete' | 'lost' | 'cancelled' | 'left';
  /** Jobs that may not have ended. */
  readonly jobs: readonly string[];
}

/** @returns what a task asks for, for people */
export function describeRequest({ minutes, mebibytes, cpus, gres }: TaskRequest): string {
  const devices = gres === '' ? '' : `, ${gres}`;
  return `each ${timeText(minutes)}, ${mebibytes} MiB, ${cpus} ${cpus === 1 ? 'core' : 'cores'}${devices}`;
}

function countTasks(count: number): string {
  return `${count} ${count === 1 ? 'task' : 'tasks'}`;
}

/** Submits arrays one after the other, each kept in the record as soon as it has a number. */
async function submit(
  terminal: Terminal,
  slurm: Slurm,
  sweep: ChunkedSweep,
  { before, submissions }: { readonly before: JobsRecord; readonly submissions: readonly Submission[] },
): Promise<JobsRecord> {
  const folder = join(sweep.folder, SLURM_FOLDER);
  const jobs = [...before.jobs];
  for (const { chunks, request, retry } of submissions) {
    const script = join(folder, 'job.sh');
    const command = retry ? [...sweep.command, '--retry'] : sweep.command;
    await disk.writeWhole(script, jobScript({ ...sweep, command, logFolder: folder, chunks, request }));
    const job = await slurm.submit(script);
    jobs.push({ job, chunks: [...chunks], request });
    await writeJobs(join(folder, RECORD_FILE), { ...before, jobs });
    terminal.note(`job ${job}: ${countTasks(chunks.length)}, ${describeRequest(request)}`);
  }
  return { ...before, jobs };
}

/** The request of a chunk that is submitted again: the current estimate, and at least what would have been enough. */
function renewed(now: TaskRequest, known: TaskRequest): TaskRequest {
  return {
    ...now,
    minutes: Math.max(now.minutes, known.minutes),
    mebibytes: Math.max(now.mebibytes, known.mebibytes),
  };
}

/** Where a sweep begins or continues: jobs that were submitted, and what is to be submitted now. */
interface Start {
  readonly before: JobsRecord;
  readonly submissions: readonly Submission[];
}

/** @throws UsageError where jobs of another division of the sweep have not ended; ScenarioError, SlurmError */
async function findStart(slurm: Slurm, sweep: ChunkedSweep, resume: boolean): Promise<Start> {
  const { plan, chunkCount, request, retry } = sweep;
  const all = Array.from({ length: chunkCount }, (_, index) => ({ chunk: index + 1, request, retry }));
  const fresh: Start = { before: { format: 1, plan, chunkCount, jobs: [] }, submissions: arraysOf(all) };
  const record = await readJobs(join(sweep.folder, SLURM_FOLDER, RECORD_FILE));
  if (!record) return fresh;
  if (!resume) {
    throw new UsageError(`${sweep.folder}: jobs of this sweep were submitted before; --resume continues with them`);
  }
  const states = await slurm.statesOf(record.jobs.map(({ job }) => job));
  if (record.plan !== plan || record.chunkCount !== chunkCount) {
    const alive = record.jobs.filter(({ job, chunks }) => chunks.some((chunk) => isAlive(states, job, chunk)));
    if (alive.length === 0) return fresh;
    const jobs = alive.map(({ job }) => job).join(' ');
    throw new UsageError(
      `${sweep.folder}: the sweep was divided otherwise when job ${jobs} was submitted, which has not ended; ` +
        `continue with what it was, or end it by: scancel ${jobs}`,
    );
  }
  const chunks = chunksOf(record.jobs, states);
  const stays = ({ chunk, job }: { readonly chunk: number; readonly job: string }): boolean =>
    states.get(taskKey(job, chunk))?.kind === 'complete' || isAlive(states, job, chunk);
  const kept = record.jobs.map((submitted) => ({
    ...submitted,
    chunks: submitted.chunks.filter(
      (chunk) => chunks.get(chunk)?.job === submitted.job && stays({ ...submitted, chunk }),
    ),
  }));
  const missing = all.filter(({ chunk }) => {
    const known = chunks.get(chunk);
    return !known || !stays(known);
  });
  const wanted = missing.map(({ chunk }) => {
    const known = chunks.get(chunk);
    const lost = known?.state?.kind === 'lost' ? known.state.loss : 'vanished';
    return {
      chunk,
      request: known ? renewed(request, raised(known.request, lost)) : request,
      retry: retry || known !== undefined,
    };
  });
  return {
    before: { ...record, jobs: kept.filter(({ chunks: those }) => those.length > 0) },
    submissions: arraysOf(wanted),
  };
}

function isAlive(states: TaskStates, job: string, chunk: number): boolean {
  const state = states.get(taskKey(job, chunk));
  return state !== undefined && !hasEnded(state);
}

/** @returns jobs with tasks of which it is not known that they have ended */
function openJobs({ jobs }: JobsRecord, states: TaskStates): string[] {
  return jobs.flatMap(({ job, chunks }) =>
    chunks.every((chunk) => hasEnded(states.get(taskKey(job, chunk)))) ? [] : [job],
  );
}

/** Says of chunks that are not tried again where to read why. */
function tellGivenUp(terminal: Terminal, givenUp: readonly LostChunk[], folder: string): void {
  if (givenUp.length === 0) return;
  const [{ job, chunk, tries }] = givenUp;
  const often = tries === 1 ? '' : ` after ${tries} tries`;
  terminal.warn(
    `${countTasks(givenUp.length)} given up${often} (${describeLosses(givenUp)}), of chunk ` +
      `${formatRanges(givenUp.map((each) => each.chunk).sort((a, b) => a - b))}; see ${logPath(folder, job, chunk)}`,
  );
}

/**
 * @returns when every chunk was run, or nothing more is to be done about it
 * @throws UsageError, ScenarioError, WriteError; SlurmError where jobs are refused, or Slurm gives no answer for long
 */
export async function executeOnSlurm(
  terminal: Terminal,
  slurm: Slurm,
  sweep: ChunkedSweep,
  { resume, signal, progress, pace }: ExecuteOptions,
): Promise<SlurmEnding> {
  const folder = join(sweep.folder, SLURM_FOLDER);
  const start = await findStart(slurm, sweep, resume);
  let record = await submit(terminal, slurm, sweep, start);
  const given = start.before.jobs.map(({ job }) => job);
  if (given.length > 0) terminal.note(`continuing with job ${given.join(' ')}`);
  let latest: TaskStates = new Map();
  for (;;) {
    const states = await watchTasks(slurm, record.jobs, {
      ...(pace && { pace }),
      signal,
      async onAnswer(known) {
        latest = known;
        await progress.show(known);
      },
      onSilence(error) {
        progress.clear();
        terminal.note(`${error.message}; asking again`);
      },
    });
    if (!states) return { state: 'left', jobs: openJobs(record, latest) };
    const { lost, cancelled, submissions, givenUp } = planRound(chunksOf(record.jobs, states));
    if (lost.length > 0) {
      progress.clear();
      terminal.note(`${countTasks(lost.length)} lost: ${describeLosses(lost)}`);
    }
    tellGivenUp(terminal, givenUp, folder);
    if (cancelled) return { state: 'cancelled', jobs: [] };
    if (submissions.length === 0) return { state: givenUp.length > 0 ? 'lost' : 'complete', jobs: [] };
    record = await submit(terminal, slurm, sweep, { before: record, submissions });
  }
}

/** @returns whether jobs were submitted of the sweep in a folder. @throws ScenarioError */
export async function hasJobs(folder: string): Promise<boolean> {
  return (await readJobs(join(folder, SLURM_FOLDER, RECORD_FILE))) !== undefined;
}

/** Forgets the jobs of a sweep, so that another time every chunk is run. */
export async function forgetJobs(folder: string): Promise<void> {
  await disk.remove(join(folder, SLURM_FOLDER, RECORD_FILE));
}
