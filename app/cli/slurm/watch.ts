/** Asks Slurm what has become of tasks until all have ended: often while much happens, seldom while nothing does. */
import { setTimeout as sleep } from 'node:timers/promises';
import { SlurmError } from '../failure.ts';
import type { Slurm } from './client.ts';
import { taskKey } from './task-states.ts';
import type { TaskState, TaskStates } from './task-states.ts';

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

export interface WatchOptions {
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

/** A fingerprint of what the user would see change. */
function outlineOf(states: TaskStates): string {
  return [...states].map(([key, { kind }]) => `${key} ${kind}`).join('\n');
}

/** Waits unless it is aborted. @returns whether it has waited to the end */
function pause(milliseconds: number, signal: AbortSignal): Promise<boolean> {
  return sleep(milliseconds, undefined, { signal }).then(
    () => true,
    () => false,
  );
}

function whenAborted(signal: AbortSignal): Promise<undefined> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(undefined);
    else signal.addEventListener('abort', () => resolve(undefined), { once: true });
  });
}

function hasEnded(state: TaskState | undefined): boolean {
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
      const now = outlineOf(states);
      wait = now === outline ? Math.min(pace.longest, wait * SLOWER) : pace.shortest;
      outline = now;
    } catch (error) {
      if (!(error instanceof SlurmError)) throw error;
      unanswered += 1;
      if (unanswered === 1) onSilence(error);
      if (unanswered >= MOST_UNANSWERED) throw error;
      wait = Math.min(pace.longest, wait * SLOWER);
    }
    if (!(await pause(wait, signal))) return undefined;
  }
}
