/** Slurm's commands, each started by itself and without a shell, with their words turned into states and errors. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { shown } from '../../../engine/index.ts';
import { SlurmError } from '../context.ts';

/** Arrays of this program have fewer; a longer list is none of its own. */
const MOST_INDICES = 100_000;

/** @returns undefined for what is no list of indices */
export function parseIndices(text: string): number[] | undefined {
  const indices: number[] = [];
  for (const word of text.replace(/%\d+$/, '').split(',')) {
    const [, first, last = first, step = '1'] = /^(\d+)(?:-(\d+)(?::(\d+))?)?$/.exec(word) ?? [];
    if (first === undefined || Number(step) < 1) return undefined;
    for (let index = Number(first); index <= Number(last); index += Number(step)) {
      if (indices.push(index) > MOST_INDICES) return undefined;
    }
  }
  return indices;
}

export interface Slurm {
  /** @param script of the job. @returns the job's number. @throws SlurmError if it is rejected */
  submit(script: string): Promise<string>;
  /** @returns states of the tasks of some jobs, as far as they are known. @throws SlurmError where the queue does not answer */
  statesOf(jobs: readonly string[]): Promise<TaskStates>;
  /** Ends jobs, as far as they have not ended. @throws SlurmError */
  cancel(jobs: readonly string[]): Promise<void>;
}

/** A controller under load answers late. */
const PATIENCE_MILLISECONDS = 120_000;
/** A line of some 60 bytes for each task of the largest arrays. */
const MOST_OUTPUT_BYTES = 64 * 2 ** 20;

/** The user's own settings for `squeue` and `sacct`, and of arrays for `sbatch`, would change what is asked. */
const FOREIGN = /^(SQUEUE_|SACCT_|SBATCH_(ARRAY_INX|OUTPUT|ERROR|WAIT|WRAP|OPEN_MODE|NO_REQUEUE|TEST_ONLY)$)/;

function environment(): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(([name]) => !FOREIGN.test(name));
  // Lists of tasks in full.
  return { ...Object.fromEntries(own), SLURM_BITSTR_LEN: '0' };
}

/** What Slurm said, on one line, without its own name before it. */
function words(text: string): string {
  return text
    .split('\n')
    .map((line) => line.replace(/^\w+: (error: )?/, '').trim())
    .filter((line) => line !== '')
    .join('; ');
}

interface Failed {
  readonly code?: unknown;
  readonly killed?: boolean;
  readonly stderr?: string;
}

async function call(tool: string, args: readonly string[]): Promise<string> {
  try {
    const { stdout } = await promisify(execFile)(tool, [...args], {
      env: environment(),
      timeout: PATIENCE_MILLISECONDS,
      maxBuffer: MOST_OUTPUT_BYTES,
      windowsHide: true,
    });
    return stdout;
  } catch (error) {
    const { code, killed, stderr = '' } = error as Failed;
    if (code === 'ENOENT') {
      throw new SlurmError(
        `${tool} is not on the PATH: --slurm works where Slurm’s commands do, on a cluster’s login node`,
      );
    }
    const said = words(stderr);
    if (said !== '') throw new SlurmError(`${tool}: ${shown(said)}`, { cause: error });
    const why = killed ? `no answer within ${PATIENCE_MILLISECONDS / 1000} s` : `ended with ${String(code)}`;
    throw new SlurmError(`${tool}: ${why}`, { cause: error });
  }
}

function isAbout(error: unknown, pattern: RegExp): boolean {
  return error instanceof SlurmError && pattern.test(error.message);
}

/** The queue forgets a job some minutes after its end. */
async function queue(jobs: readonly string[]): Promise<TaskStates> {
  try {
    const format = ['--noheader', '--array', '--states=all', `--format=${QUEUE_FORMAT}`];
    return parseQueue(await call('squeue', [...format, `--jobs=${jobs.join(',')}`]));
  } catch (error) {
    if (isAbout(error, /invalid job id/i)) return new Map();
    throw error;
  }
}

/** Slurm as this machine has it. */
export function createSlurm(): Slurm {
  let hasAccounting = true;

  /** A cluster may keep no accounting, or not let everybody ask; the queue has to do then. */
  async function accounting(jobs: readonly string[]): Promise<TaskStates> {
    if (!hasAccounting) return new Map();
    try {
      const format = ['--allocations', '--noheader', '--parsable2', `--format=${ACCOUNTING_FORMAT}`];
      return parseAccounting(await call('sacct', [...format, `--jobs=${jobs.join(',')}`]));
    } catch (error) {
      if (isAbout(error, /accounting storage is disabled|not on the PATH/)) hasAccounting = false;
      return new Map();
    }
  }

  return {
    async submit(script) {
      const answer = await call('sbatch', ['--parsable', script]);
      // Behind the number, on several clusters, whose it is.
      const [, job] = /^(\d+)(?:;.*)?$/m.exec(answer) ?? [];
      if (job === undefined)
        throw new SlurmError(`sbatch: found '${shown(answer.trim())}', where the job’s number was awaited`);
      return job;
    },
    async statesOf(jobs) {
      if (jobs.length === 0) return new Map();
      const [queued, accounted] = await Promise.all([queue(jobs), accounting(jobs)]);
      return mergeStates(queued, accounted);
    },
    async cancel(jobs) {
      for (const job of jobs) {
        try {
          await call('scancel', [job]);
        } catch (error) {
          if (!isAbout(error, /invalid job id|already complet/i)) throw error;
        }
      }
    },
  };
}

/**
 * What has become of an array's tasks, as `squeue` and `sacct` say it. The queue knows what waits and runs, and for some minutes
 * what has ended; the accounting, where a cluster keeps one, knows what has ended, and may be late. [slurm: squeue(1), sacct(1),
 * section Job state codes]
 *
 * How a task ended without doing its work.
 */
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
const QUEUE_FORMAT = '%F|%K|%T|%r';
/** What is asked of `sacct`. */
const ACCOUNTING_FORMAT = 'JobID,State,ExitCode';

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
