/**
 * One pool of processes for all scenarios. Tasks ask for batches of cases and wait; as soon as every task waits or has ended, all that
 * was asked for runs in one queue, the longest groups first, so that no core waits for a scenario that is not its own.
 */
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { groupCases, StoppedError } from '../../engine/index.ts';
import type { CaseSummary, SweepPlan } from '../../engine/index.ts';
import { createBar } from '../../app/cli/run/progress.ts';
import { readCase, storedHashes, writeCase } from '../../app/cli/sweep/case-folders.ts';
import { runPool, groupLimits, workersOf } from '../../app/cli/sweep/pool.ts';
import type { WorkerStart } from '../../app/cli/sweep/worker.ts';
import type { Terminal } from '../../app/cli/context.ts';
import { measuredCase } from './measured.ts';
import type { Journal, MeasuredCase } from './measured.ts';

export interface RoundsOptions {
  readonly terminal: Terminal;
  /** Processes; as many as cores and memory allow if undefined. */
  readonly workers: number | undefined;
  /** Folder of the cases that are being written. */
  readonly folder: string;
  readonly journal: Journal;
  readonly start: Omit<WorkerStart, 'type' | 'folder' | 'paths'>;
  readonly signal: AbortSignal;
}

interface Asked {
  readonly batch: SweepPlan;
  readonly keepsCycles: boolean;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** Cases that one process runs together, with what they are estimated to take. */
interface Group {
  readonly asked: Asked;
  readonly cases: readonly number[];
  readonly seconds: number;
}

function secondsOf({ seconds, sharedSeconds, seeds }: SweepPlan, cases: readonly number[]): number {
  const combination = (index: number): number => Math.floor(index / seeds.length);
  const own = cases.reduce((sum, index) => sum + seconds[combination(index)] - sharedSeconds[combination(index)], 0);
  return own + sharedSeconds[combination(cases[0])];
}

export function createRounds({ terminal, workers: wanted, folder, journal, start, signal }: RoundsOptions) {
  let active = 0;
  let waiting: Asked[] = [];

  /** Moves a case from its folder to the journal. */
  async function keep(result: CaseSummary, keepsCycles: boolean): Promise<void> {
    const csv = join(folder, result.hash, 'diagnostics.csv');
    const rows = keepsCycles && result.state === 'complete' ? await readFile(csv, 'utf8') : undefined;
    await journal.add(measuredCase(result, rows));
    await rm(join(folder, result.hash), { recursive: true, force: true });
  }

  /** Cases whose folders a stopped run has left. */
  async function gatherLeftOver(asked: readonly Asked[]): Promise<void> {
    const stored = await storedHashes(folder);
    for (const { batch, keepsCycles } of asked) {
      for (const hash of batch.hashes) {
        if (stored.has(hash) && !journal.known.has(hash)) await keep(await readCase(folder, hash), keepsCycles);
      }
    }
  }

  function groupsOf(asked: readonly Asked[], workers: number): readonly Group[] {
    const taken = new Set(journal.known.keys());
    const open = asked.map(({ batch }) =>
      batch.hashes.flatMap((hash, index) => {
        if (taken.has(hash)) return [];
        taken.add(hash);
        return [index];
      }),
    );
    const limits = groupLimits(
      open.reduce((sum, { length }) => sum + length, 0),
      workers,
    );
    return asked
      .flatMap((each, index) =>
        groupCases(each.batch, open[index], limits).map((cases): Group => ({
          asked: each,
          cases,
          seconds: secondsOf(each.batch, cases),
        })),
      )
      .sort((a, b) => b.seconds - a.seconds);
  }

  async function runRound(asked: readonly Asked[]): Promise<void> {
    await gatherLeftOver(asked);
    const bytes = Math.max(...asked.map(({ batch }) => batch.bytes));
    const { origin } = start;
    const workers = workersOf(wanted, { origin, bytes });
    const groups = groupsOf(asked, workers);
    // Cases of all groups in one list, which the pool knows by their places in it.
    const cases = groups.flatMap(({ asked: own, cases: indices }) => indices.map((index) => ({ own, index })));
    const bar = createBar(terminal, '{bar} {percentage} % | {value} of {total} cases | ETA {eta_formatted}');
    bar.start(cases.length, 0);
    const keepsCycles = new Map(cases.map(({ own, index }) => [own.batch.hashes[index], own.keepsCycles]));
    let kept = Promise.resolve();
    let next = 0;
    const began = new Date();
    try {
      await runPool({
        workers,
        start: { ...start, type: 'start', folder, paths: [] },
        groups: groups.map(({ cases: own }) => own.map(() => next++)),
        caseAt: (place) => ({ ...cases[place].own.batch.caseAt(cases[place].index), values: [] }),
        onResult: (result) => {
          bar.increment();
          kept = kept.then(() => keep(result, keepsCycles.get(result.hash) ?? false));
        },
        writeFailed: (planned, outcome) =>
          writeCase(folder, planned, outcome, { paths: [], origin, start: began, end: new Date() }),
        signal,
      });
    } finally {
      bar.stop();
      await kept;
    }
    if (signal.aborted) throw new StoppedError('stopped');
  }

  function beginIfAllWait(): void {
    if (waiting.length === 0 || waiting.length < active) return;
    const asked = waiting;
    waiting = [];
    runRound(asked).then(
      () => asked.forEach(({ resolve }) => resolve()),
      (error: unknown) => asked.forEach(({ reject }) => reject(error)),
    );
  }

  /** @returns what came of the cases, by hash, once they have all run */
  async function run(batch: SweepPlan, keepsCycles: boolean): Promise<ReadonlyMap<string, MeasuredCase>> {
    await new Promise<void>((resolve, reject) => {
      waiting.push({ batch, keepsCycles, resolve, reject });
      beginIfAllWait();
    });
    return journal.known;
  }

  /**
   * Runs tasks side by side; each may ask for one batch at a time by `run`.
   *
   * @param caller `task` if a task calls this, which does not ask for anything itself while it waits for these
   */
  function all<Result>(tasks: readonly (() => Promise<Result>)[], caller: 'task' | 'nobody'): Promise<Result[]> {
    const callers = caller === 'task' ? 1 : 0;
    let left = tasks.length;
    active += left === 0 ? 0 : left - callers;
    return Promise.all(
      tasks.map(async (task) => {
        try {
          return await task();
        } finally {
          left -= 1;
          // With the last of them, the caller continues.
          active += left === 0 ? callers - 1 : -1;
          beginIfAllWait();
        }
      }),
    );
  }

  return { run, all };
}

export type Rounds = ReturnType<typeof createRounds>;
