/** Runs cases that are not all known beforehand in worker processes, into case folders: what is there is not run again. */
import { groupCases, StoppedError, assembleResults, formatResultsTable, keepCase } from '../../../engine/index.ts';
import type { CaseSummary, RunBatch, SweepPlan } from '../../../engine/index.ts';
import { createBar } from '../run/progress.ts';
import { storedHashes, takeCase, writeCase, CASES_FOLDER, sweepAbandoned } from '../sweep/case-folders.ts';
import { groupLimits, runPool } from '../sweep/pool.ts';
import type { WorkerStart } from '../sweep/worker.ts';
import { type Terminal, UsageError } from '../context.ts';
import { readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { disk, isUnfinished } from '../../files/disk.ts';
import { isLock, lockFolder } from '../run/folder-lock.ts';
import { RESULTS_FILE, TABLE_FILE } from '../sweep/folder.ts';

const OWN = new Set([CASES_FOLDER, RESULTS_FILE, TABLE_FILE]);

/** The folder of a tuning: the folders of its cases, and at the end the tables of a sweep, which the map opens. */
interface TuningFolder {
  /** Absolute path of the cases. */
  readonly cases: string;
  /** Writes what is known of the cases of a plan. @throws WriteError */
  write(plan: SweepPlan, known: ReadonlyMap<string, CaseSummary>): Promise<void>;
  release(): Promise<void>;
}

/**
 * Finds or makes the folder, and takes it for this process alone. A case is found by its hash, so that cases of another tuning
 * beside it do no harm.
 *
 * @throws UsageError for a folder of something else, or one that another process writes; WriteError
 */
export async function claimTuningFolder(path: string): Promise<TuningFolder> {
  const absolute = resolve(path);
  await disk.makeFolder(absolute);
  const lock = await lockFolder(absolute);
  try {
    const other = (await readdir(absolute)).find((name) => !OWN.has(name) && !isLock(name) && !isUnfinished(name));
    if (other !== undefined) {
      throw new UsageError(
        `${path}: the folder holds ${other}, which is no part of a tuning; name another by --folder`,
      );
    }
    const cases = join(absolute, CASES_FOLDER);
    await disk.makeFolder(cases);
    await sweepAbandoned(cases);
    return {
      cases,
      async write(plan, known) {
        const results = assembleResults(plan, (hash) => {
          const found = known.get(hash);
          return found && keepCase(plan, found);
        });
        await disk.writeWhole(join(absolute, RESULTS_FILE), `${JSON.stringify(results)}\n`);
        await disk.writeWhole(join(absolute, TABLE_FILE), formatResultsTable(results));
      },
      release: () => lock.release(),
    };
  } catch (error) {
    await lock.release();
    throw error;
  }
}

export interface CaseRunnerOptions {
  /** Folder of the cases, which exists. */
  readonly folder: string;
  readonly workers: number;
  readonly start: Omit<WorkerStart, 'type' | 'folder' | 'paths' | 'origin'>;
  readonly signal: AbortSignal;
}

export interface CaseRunner {
  readonly run: RunBatch;
  end(): void;
}

/**
 * @param most cases that there may be
 * @throws StoppedError from `run`, when the signal came
 */
export function createCaseRunner(
  terminal: Terminal,
  most: number,
  { folder, workers, start, signal }: CaseRunnerOptions,
): CaseRunner {
  const known = new Map<string, CaseSummary>();
  const bar = createBar(terminal, '{bar} {percentage} % | {value} of at most {total} cases | ETA {eta_formatted}');
  bar.start(most, 0);

  function add(result: CaseSummary): void {
    known.set(result.hash, result);
    bar.increment();
  }

  async function gather({ hashes, methods }: SweepPlan): Promise<void> {
    const stored = await storedHashes(folder);
    for (const hash of hashes) {
      if (known.has(hash) || !stored.has(hash)) continue;
      const record = await takeCase(folder, hash, methods, (message) => terminal.warn(message));
      if (record) add(record);
    }
  }

  async function run(batch: SweepPlan): Promise<ReadonlyMap<string, CaseSummary>> {
    await gather(batch);
    const todo = batch.hashes.flatMap((hash, index) => (known.has(hash) ? [] : [index]));
    const { origin, axes } = batch;
    const paths = axes.map(({ path }) => path);
    const began = new Date();
    await runPool({
      workers,
      start: { ...start, type: 'start', folder, paths, origin },
      groups: groupCases(batch, todo, groupLimits(todo.length, workers)),
      caseAt: (index) => batch.caseAt(index),
      onResult: add,
      writeFailed: (planned, outcome) =>
        writeCase(folder, planned, outcome, { paths, origin, start: began, end: new Date() }),
      signal,
    });
    if (signal.aborted) throw new StoppedError('stopped');
    return known;
  }

  return {
    run,
    end: () => bar.stop(),
  };
}
