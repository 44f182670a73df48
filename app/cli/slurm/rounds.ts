/** What is submitted next, once all tasks have ended: chunks that were lost, asking for more where they had too little. */
import type { SubmittedJob } from './record.ts';
import type { TaskRequest } from './request.ts';
import { taskKey } from './task-states.ts';
import type { Loss, TaskState, TaskStates } from './task-states.ts';

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
