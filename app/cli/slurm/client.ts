/** Slurm's commands, each started by itself and without a shell, with their words turned into states and errors. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { shown } from '../../../engine/index.ts';
import { SlurmError } from '../failure.ts';
import { ACCOUNTING_FORMAT, QUEUE_FORMAT, mergeStates, parseAccounting, parseQueue } from './task-states.ts';
import type { TaskStates } from './task-states.ts';

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
