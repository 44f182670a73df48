/** Runs cases that are not all known beforehand in worker processes, into case folders: what is there is not run again. */
import { groupCases, StoppedError } from '../../../engine/index.ts';
import type { CaseSummary, RunBatch, SweepPlan } from '../../../engine/index.ts';
import { createBar } from '../run/progress.ts';
import { storedHashes, takeCase, writeCase } from '../sweep/case-folders.ts';
import { runPool } from '../sweep/pool.ts';
import type { WorkerStart } from '../sweep/protocol.ts';
import { groupLimits } from '../sweep/workers.ts';
import type { Terminal } from '../terminal.ts';

export interface CaseRunnerOptions {
  /** Folder of the cases, which exists. */
  readonly folder: string;
  readonly workers: number;
  readonly start: Omit<WorkerStart, 'type' | 'folder' | 'paths' | 'origin'>;
  readonly signal: AbortSignal;
}

/** How far it is, against the most that it may take. */
function createCaseBar(terminal: Terminal, most: number) {
  if (!terminal.showsProgress) return { add: () => undefined, end: () => undefined };
  const bar = createBar('{bar} {percentage} % | {value} of at most {total} cases | ETA {eta_formatted}');
  bar.start(most, 0);
  return { add: () => bar.increment(), end: () => bar.stop() };
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
  const bar = createCaseBar(terminal, most);

  function add(result: CaseSummary): void {
    known.set(result.hash, result);
    bar.add();
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
    end: () => bar.end(),
  };
}
