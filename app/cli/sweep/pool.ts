/**
 * Worker processes: how many there are, what each may hold, where they compute, and what each computes, a group of cases at a time.
 * One that ends by itself takes no more with it than it was computing: each of those cases is tried once more, alone, and is recorded
 * as failed when that ends the same way. One that ends before it is ready is started once more, and then the others do its work.
 */
import { fork, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { BackendError, failedCase, durationText, groupCases } from '../../../engine/index.ts';
import type {
  CaseOutcome,
  CaseSummary,
  PlannedCase,
  Backend,
  BackendName,
  GroupLimits,
  NumbersOrigin,
  SweepPlan,
} from '../../../engine/index.ts';
import { WriteError } from '../../files/disk.ts';
import { WorkerError, type Context } from '../context.ts';
import type { BrokenWorker, FromWorker, ToWorker, WorkerStart } from './worker.ts';
import { availableParallelism, totalmem } from 'node:os';
import { openBackend } from '../open-backend.ts';
import { versionsOf } from '../installation.ts';

/** Characters that are kept of a process's output. */
const KEPT_WORDS = 2000;
/** How long the last words of a process that has ended are waited for, ms: now and then Node does not say that they are all. */
const LAST_WORDS_MILLISECONDS = 500;

/** How often a process is started that ends before it is ready. */
const START_ATTEMPTS = 2;

function describeNoStart(how: string, workers: number): string {
  const next = workers > 1 ? 'use fewer of them (--workers 1), or ' : '';
  return `worker processes end before they are ready, the last was ${how}; ${next}look at the machine’s free memory and its limits (ulimit -a)`;
}

interface PoolOptions {
  readonly workers: number;
  readonly start: WorkerStart;
  /** Indices of the cases of each group. */
  readonly groups: readonly (readonly number[])[];
  readonly caseAt: (index: number) => PlannedCase;
  /** Called for each case whose folder is written. */
  readonly onResult: (result: CaseSummary) => void;
  /** Writes the folder of a case whose processes ended. */
  readonly writeFailed: (planned: PlannedCase, outcome: CaseOutcome) => Promise<void>;
  /** Ends all processes at once; what they were computing is left for another time. */
  readonly signal: AbortSignal;
}

interface Task {
  readonly cases: readonly number[];
  /** A process has ended over them before. */
  readonly again: boolean;
}

function errorOfBroken({ kind, message, path }: BrokenWorker): Error {
  if (kind === 'backend') return new BackendError(message);
  // The message has the path and the reason already.
  if (kind === 'write') return Object.assign(new WriteError(path ?? '', new Error(message)), { message });
  return new Error(message);
}

/** How a process ended, for people. */
function endingOf(code: number | null, signal: NodeJS.Signals | null, words: string): string {
  const how = signal ? `ended by ${signal}` : `ended with exit code ${code}`;
  const last = words.trim().split('\n').at(-1)?.trim() ?? '';
  return last === '' ? how : `${how}: ${last}`;
}

function send(child: ChildProcess, message: ToWorker): void {
  // A process that has just ended is reported by its exit.
  child.send(message, () => undefined);
}

/** A process, and what it said last. What it would print has no place beside a progress bar. */
function startProcess(bundleFolder: string): { readonly child: ChildProcess; readonly lastWords: () => string } {
  const child = fork(join(bundleFolder, 'sweep-worker.js'), { stdio: ['ignore', 'ignore', 'pipe', 'ipc'] });
  let words = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    words = (words + text).slice(-KEPT_WORDS);
  });
  return { child, lastWords: () => words };
}

/** Settles when all cases are done, or the signal came and no process is left. @throws BackendError, WorkerError, WriteError if none can be run or written */
export function runPool({
  workers,
  start,
  groups,
  caseAt,
  onResult,
  writeFailed,
  signal: wanted,
}: PoolOptions): Promise<void> {
  /** The next one last. */
  const waiting: Task[] = [...groups].reverse().map((cases) => ({ cases, again: false }));
  const busy = new Map<ChildProcess, Task>();
  const all = new Set<ChildProcess>();
  /** Failures that are being written. */
  let writing = 0;
  let ended = false;

  return new Promise((resolve, reject) => {
    const end = (): void => {
      ended = true;
      for (const child of all) child.kill('SIGKILL');
      if (all.size === 0) resolve();
    };
    const giveUp = (error: unknown): void => {
      reject(error);
      end();
    };
    const settle = (): void => {
      if (waiting.length === 0 && busy.size === 0 && writing === 0) resolve();
    };
    const give = (child: ChildProcess): void => {
      const task = waiting.pop();
      if (task) {
        busy.set(child, task);
        send(child, { type: 'job', cases: task.cases.map(caseAt) });
      } else {
        child.disconnect();
        settle();
      }
    };
    const fail = async (index: number, how: string): Promise<void> => {
      const planned = caseAt(index);
      const outcome = failedCase(planned, `its process was twice ${how}`);
      writing += 1;
      try {
        await writeFailed(planned, outcome);
        onResult(outcome);
      } catch (error) {
        giveUp(error);
      }
      writing -= 1;
      settle();
    };
    const lose = (task: Task, how: string): void => {
      if (task.again) void fail(task.cases[0], how);
      else waiting.push(...task.cases.map((index) => ({ cases: [index], again: true })).reverse());
    };
    /** @param attempt of a process that has ended before it was ready, from 1 */
    const startOne = (attempt = 1): void => {
      const { child, lastWords } = startProcess(start.bundleFolder);
      let ready = false;
      all.add(child);
      child.on('error', giveUp);
      child.on('message', (message: FromWorker) => {
        if (ended) return;
        if (message.type === 'broken') {
          giveUp(errorOfBroken(message.error));
          return;
        }
        if (message.type === 'done') for (const result of message.results) onResult(result);
        ready = true;
        busy.delete(child);
        give(child);
      });
      const onEnd = (code: number | null, signal: NodeJS.Signals | null): void => {
        if (!all.delete(child)) return;
        const task = busy.get(child);
        busy.delete(child);
        if (ended) {
          if (all.size === 0) resolve();
          return;
        }
        const how = endingOf(code, signal, lastWords());
        if (!ready) {
          if (waiting.length > 0 && attempt < START_ATTEMPTS) startOne(attempt + 1);
          else if (waiting.length > 0 && all.size === 0) giveUp(new WorkerError(describeNoStart(how, workers)));
          settle();
        } else if (task) {
          lose(task, how);
          if (waiting.length > 0) startOne();
          settle();
        }
      };
      let late: NodeJS.Timeout | undefined;
      child.on('exit', (...how) => {
        late = setTimeout(onEnd, LAST_WORDS_MILLISECONDS, ...how);
      });
      child.on('close', (...how) => {
        clearTimeout(late);
        onEnd(...how);
      });
      send(child, start);
    };

    wanted.addEventListener('abort', end, { once: true });
    if (wanted.aborted) end();
    else for (let worker = 0; worker < Math.min(workers, groups.length); worker++) startOne();
    settle();
  });
}

/** The estimate of `wasm` is of two threads, and a worker has one. */
export const THREADS_OF_ESTIMATE = 2;

/** @returns how many times longer a case takes in one of several processes than it is estimated to by itself */
export function slowdown(backend: BackendName, workers: number): number {
  return backend === 'wasm' && workers > 1 ? THREADS_OF_ESTIMATE : 1;
}

interface SweepEstimate {
  /** Groups of cases that share truth and observations. */
  readonly groups: number;
  /** With all workers. */
  readonly seconds: number;
  /** Memory of all workers together, each with the largest case, bytes. */
  readonly bytes: number;
}

export function estimateSweep(plan: SweepPlan, workers: number): SweepEstimate {
  const { seeds, seconds, sharedSeconds, origin, count, bytes } = plan;
  const groups = groupCases(plan, Array(count).keys());
  const each = groups.reduce((sum, group) => {
    const combinations = group.map((index) => Math.floor(index / seeds.length));
    const own = combinations.reduce((all, c) => all + seconds[c] - sharedSeconds[c], 0);
    return sum + own + sharedSeconds[combinations[0]];
  }, 0);
  return {
    groups: groups.length,
    seconds: (slowdown(origin.backend.name, workers) * each) / workers,
    bytes: bytes * workers,
  };
}

function counted(count: number, what: string, plural = `${what}s`): string {
  return `${count} ${count === 1 ? what : plural}`;
}

/** @returns all of it on one line */
export function describeEstimate(plan: SweepPlan, { groups, seconds, bytes }: SweepEstimate, workers: number): string {
  const combinations = plan.count / plan.seeds.length;
  return (
    `${plan.name}: ${counted(plan.count, 'case')} (${counted(combinations, 'combination')}, ${counted(plan.seeds.length, 'seed')}) ` +
    `in ${counted(groups, 'group')}, ${counted(workers, 'process', 'processes')}; ` +
    `${durationText(seconds)}, about ${Math.ceil(bytes / 2 ** 20)} MiB`
  );
}

/** Variable with the memory of a Slurm task on this node, MiB. */
const SLURM_MEMORY = 'SLURM_MEM_PER_NODE';

/** @returns bytes */
export function availableMemory(environment: NodeJS.ProcessEnv = process.env): number {
  const bounds = [
    totalmem(),
    // Of a control group; 0 or beyond all machines if there is none.
    process.constrainedMemory(),
    Number(environment[SLURM_MEMORY] ?? 0) * 2 ** 20,
  ];
  return Math.min(...bounds.filter((bytes) => bytes > 0));
}

/** Share of the memory that there is that the experiments of all workers may hold together. */
const MEMORY_SHARE = 0.6;
/** Groups for each worker, at least, if there are cases enough: the last ones should not wait for one. */
const GROUPS_A_WORKER = 3;

/**
 * Where the cases will be computed, by the backend itself.
 *
 * @param check looks at the backend while it is open
 * @throws BackendError; what the check throws
 */
export async function originOf(
  { installation }: Context,
  name: BackendName,
  check: (backend: Backend) => void = () => undefined,
): Promise<NumbersOrigin> {
  const backend = await openBackend(name, { bundleFolder: installation.bundleFolder, threads: 1 });
  const { adapter } = backend;
  try {
    check(backend);
  } finally {
    backend.dispose();
  }
  return { backend: { name, adapter }, versions: versionsOf(installation) };
}

/**
 * @param asked for; undefined where nobody says
 * @param bytes of the largest case
 * @returns processes: one for each core, as far as there is memory for the largest case in each of them
 */
export function workersOf(asked: number | undefined, { origin, bytes }: Pick<SweepPlan, 'origin' | 'bytes'>): number {
  if (asked !== undefined) return asked;
  // A device is one, however many ask it.
  if (origin.backend.name === 'webgpu') return 1;
  const room = Math.floor((MEMORY_SHARE * availableMemory()) / bytes);
  return Math.max(1, Math.min(availableParallelism(), room));
}

/** @returns what a group of cases that run as one experiment may have, so that all workers have work, and room */
export function groupLimits(cases: number, workers: number): Required<GroupLimits> {
  return {
    most: Math.max(1, Math.floor(cases / (GROUPS_A_WORKER * workers))),
    bytes: (MEMORY_SHARE * availableMemory()) / workers,
  };
}
