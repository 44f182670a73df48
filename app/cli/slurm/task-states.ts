/**
 * What has become of an array's tasks, as `squeue` and `sacct` say it. The queue knows what waits and runs, and for some minutes
 * what has ended; the accounting, where a cluster keeps one, knows what has ended, and may be late. [slurm: squeue(1), sacct(1),
 * section Job state codes]
 */
import { parseIndices } from './array-indices.ts';

/** How a task ended without doing its work. */
export type Loss = 'cancelled' | 'time' | 'memory' | 'node' | 'preempted' | 'failed' | 'vanished';

export type TaskState =
  | { readonly kind: 'waiting'; readonly reason: string }
  | { readonly kind: 'running' }
  | { readonly kind: 'complete' }
  /** `exitCode` where the accounting has it. */
  | { readonly kind: 'lost'; readonly loss: Loss; readonly exitCode?: number };

/** States by `<job>_<task>`. */
export type TaskStates = ReadonlyMap<string, TaskState>;

/** What is asked of `squeue`: job, task, state, why it waits. */
export const QUEUE_FORMAT = '%F|%K|%T|%r';
/** What is asked of `sacct`. */
export const ACCOUNTING_FORMAT = 'JobID,State,ExitCode';

const LOSSES: Readonly<Record<string, Loss>> = {
  CANCELLED: 'cancelled',
  REVOKED: 'cancelled',
  TIMEOUT: 'time',
  DEADLINE: 'time',
  OUT_OF_MEMORY: 'memory',
  NODE_FAIL: 'node',
  BOOT_FAIL: 'node',
  LAUNCH_FAILED: 'node',
  RECONFIG_FAIL: 'node',
  PREEMPTED: 'preempted',
  FAILED: 'failed',
};

/** A task that Slurm has taken back by itself waits again. */
const WAITING = new Set([
  'PENDING',
  'REQUEUED',
  'REQUEUE_FED',
  'REQUEUE_HOLD',
  'RESV_DEL_HOLD',
  'SPECIAL_EXIT',
  'SUSPENDED',
  'STOPPED',
]);

/** @param word as both tools have it; the accounting adds by whom: `CANCELLED by 1000` */
function stateOf(word: string, reason: string, exitCode?: number): TaskState {
  const [name] = word.split(' ', 1);
  if (name === 'COMPLETED') return { kind: 'complete' };
  if (Object.hasOwn(LOSSES, name)) {
    return { kind: 'lost', loss: LOSSES[name], ...(exitCode !== undefined && { exitCode }) };
  }
  // Every other state, of this version or a later one, is of a task that has not ended.
  return WAITING.has(name) ? { kind: 'waiting', reason } : { kind: 'running' };
}

export function taskKey(job: string, task: number): string {
  return `${job}_${task}`;
}

/** @param text of `squeue --noheader --array` in QUEUE_FORMAT; lines of another form are passed over */
export function parseQueue(text: string): TaskStates {
  const states = new Map<string, TaskState>();
  for (const line of text.split('\n')) {
    const [job, task, state, reason = ''] = line.split('|');
    if (!/^\d+$/.test(job) || !/^\d+$/.test(task ?? '') || !state) continue;
    states.set(taskKey(job, Number(task)), stateOf(state, reason));
  }
  return states;
}

/** @param text of `sacct --allocations --noheader --parsable2` in ACCOUNTING_FORMAT; lines of another form are passed over */
export function parseAccounting(text: string): TaskStates {
  const states = new Map<string, TaskState>();
  for (const line of text.split('\n')) {
    const [id, state, exit = ''] = line.split('|');
    // Tasks that never began are listed together: `12_[3,5-9%2]`.
    const [, job, one, several] = /^(\d+)_(?:(\d+)|\[([^\]]*)\])$/.exec(id) ?? [];
    if (job === undefined || !state) continue;
    const [, code] = /^(\d+):\d+$/.exec(exit) ?? [];
    const exitCode = code === undefined ? undefined : Number(code);
    for (const task of parseIndices(one ?? several ?? '') ?? []) {
      states.set(taskKey(job, task), stateOf(state, '', exitCode));
    }
  }
  return states;
}

/**
 * Puts the two together. Where the queue lists a task it is right, since a task that Slurm has put back into the queue may still
 * are lost in the accounting; the accounting adds the exit code. A task that only the accounting takes for alive is omitted:
 * its end has not come there yet, or was lost on the way.
 */
export function mergeStates(queue: TaskStates, accounting: TaskStates): TaskStates {
  const merged = new Map([...accounting].filter(([, { kind }]) => kind === 'complete' || kind === 'lost'));
  for (const [key, state] of queue) {
    const known = accounting.get(key);
    merged.set(key, state.kind === 'lost' && known?.kind === 'lost' ? { ...known, loss: state.loss } : state);
  }
  return merged;
}
